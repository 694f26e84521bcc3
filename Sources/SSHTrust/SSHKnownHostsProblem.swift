#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Why a known_hosts file could not be read or written: the file, the system call, its errno, and what to do.
public struct SSHKnownHostsProblem: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The attempted action, for programs; new ones may be added.
    public struct Code: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The file cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file cannot be changed; its content is unchanged.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The host's name cannot be written: in known_hosts it would match other hosts too.
        public static let unwritableName = Code(rawValue: "unwritable-name")
        /// The host's line has a pattern, so that changing it would affect other hosts too.
        public static let patternLine = Code(rawValue: "pattern-line")
        /// The key is marked as revoked in the file.
        public static let revokedKey = Code(rawValue: "revoked-key")
        /// A list of revoked keys is a binary one (KRL), or has a line that is not a public key.
        public static let revocationListUnusable = Code(rawValue: "revocation-list-unusable")

        /// Lets `catch SSHKnownHostsProblem.Code.unreadable` match.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? SSHKnownHostsProblem)?.code == code }
    }

    /// The attempted action, for programs.
    public let code: Code
    /// The file; if writing failed, the target of its symbolic links.
    public let path: String
    /// The system call that failed, `open` for example.
    public let operation: String
    /// The errno it left.
    public let errno: Int32
    /// The invalid line, if there is one.
    public var line: Int?

    /// There is no file that a key could be added to.
    static let noFile = SSHKnownHostsProblem(code: .unwritable, path: "(none)", operation: "open", errno: ENOENT)

    /// Whether there is no file that a key could be added to.
    package var isWithoutFile: Bool { self == Self.noFile }

    /// Whether the file, or a directory on the way to it, does not exist.
    var isMissing: Bool { code == .unreadable && (errno == ENOENT || errno == ENOTDIR) }

    /// The problem, for people: one sentence, safe to print.
    public var message: String {
        switch code {
        case .unreadable: "The known hosts file \(PrintableText.escape(path)) cannot be read: \(reason)."
        case .revocationListUnusable:
            "The list of revoked host keys \(PrintableText.escape(path)) cannot be used: \(problem)."
        case .patternLine: "The host's key in \(place) cannot be replaced: a pattern matches the host there."
        case .revokedKey: "The host key cannot be written: \(place) marks it as revoked."
        case _ where isWithoutFile: "There is no known hosts file to write to."
        case .unwritableName: "The host's name cannot be written to \(PrintableText.escape(path))."
        default: "The known hosts file \(PrintableText.escape(path)) cannot be written: \(reason)."
        }
    }

    /// The remedy, for people: one sentence.
    public var remedy: String {
        switch (code, errno) {
        case (.revocationListUnusable, _): "Give RevokedHostKeys a file of public keys, one per line."
        case (.unwritableName, _): "Give the host a name without spaces and without any of * ? ! , | # @ [ ]."
        case (.patternLine, _): "Edit that line by hand."
        case (.revokedKey, _): "Do not trust the key; ask the server's administrator for the new one."
        case _ where isWithoutFile: "Name a file for the keys of known hosts."
        case (_, ENOENT), (_, ENOTDIR): "Check the path, or create the file."
        case (_, EACCES), (_, EPERM), (_, EROFS): "Make the file and its directory accessible to this user."
        case (_, EISDIR), (_, EINVAL): "Name a plain file."
        case (_, ENOSPC), (_, EDQUOT), (.unwritable, EFBIG): "Free some space; the file is unchanged."
        case (_, EWOULDBLOCK): "Find the program that holds a lock on the file, and try again."
        case (_, EFBIG): "A known hosts file has at most 64 MiB here; name the right file."
        default: "Look at the file and its file system."
        }
    }

    /// Message and remedy, safe to print.
    public var description: String { "\(message) \(remedy)" }

    /// What is wrong with a list of revoked keys that could be read, for a sentence that names the file.
    package var problem: String {
        guard line == nil else { return "it is not a public key; write one per line, as in a .pub file" }
        return "it is a binary key revocation list (KRL), which is not supported; give RevokedHostKeys public keys, one per line"
    }

    private var place: String { PrintableText.escape(path) + (line.map { ":\($0)" } ?? "") }

    private var reason: String {
        errno == WholeFile.irregular ? WholeFile.irregularText : "\(String(cString: strerror(errno))) (\(operation))"
    }
}
