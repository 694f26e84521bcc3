/// A line of a known_hosts file.
public struct SSHKnownHostsLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The path as it was given, before links were followed.
    public let file: String
    /// The line's number, from 1.
    public let line: Int

    /// The place of keys that a program trusts by itself, which is no file.
    package static let pins = "trustedHostKeys"

    /// The line of this number, from 1, in the file at this path.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `file:line`, safe to print.
    public var description: String { "\(PrintableText.escape(file)):\(line)" }
}
