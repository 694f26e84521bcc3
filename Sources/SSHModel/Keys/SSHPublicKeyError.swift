/// Why a line or a blob is not a public key.
public struct SSHPublicKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it, in a few words.
    public let detail: String

    init(_ detail: String) { self.detail = detail }

    /// The detail.
    public var description: String { detail }
}
