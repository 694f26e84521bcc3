/// A private key file.
public struct Identity: Sendable, Hashable {
    /// Its path.
    public var path: String
    /// Whether it is only tried because `ssh` would try it: a missing or unusable one is then no failure.
    public var isDefault: Bool

    /// A private key file that the user named.
    public init(path: String, isDefault: Bool = false) {
        self.path = path
        self.isDefault = isDefault
    }

    /// The path so that it reads as one, also in a command line: a bare name could be anything.
    package var label: String { path.contains("/") ? path : "./" + path }
}
