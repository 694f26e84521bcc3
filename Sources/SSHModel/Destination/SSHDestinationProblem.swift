/// Why a text is not a destination: the input, the error, and the correct form.
///
/// ```swift
/// do { _ = try SSHDestination(parsing: "web1:99999") } catch SSHDestinationProblem.Code.portOutOfRange { … }
/// ```
public struct SSHDestinationProblem: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// What is wrong, for programs. Later versions may add codes.
    public struct Code: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Makes a code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// There is no host.
        public static let emptyHost = Code(rawValue: "empty-host")
        /// There is an `@` with no user before it.
        public static let emptyUser = Code(rawValue: "empty-user")
        /// The host starts with `-`, as an option does.
        public static let leadingHyphen = Code(rawValue: "leading-hyphen")
        /// The user name has characters that are special to a shell, or looks like an option.
        public static let unsafeUser = Code(rawValue: "unsafe-user")
        /// A control or invisible character.
        public static let controlCharacter = Code(rawValue: "control-character")
        /// White space in the host.
        public static let space = Code(rawValue: "space")
        /// A character that host names do not have.
        public static let forbiddenCharacter = Code(rawValue: "forbidden-character")
        /// Two dots in a row, or one at the start.
        public static let emptyLabel = Code(rawValue: "empty-label")
        /// A part between two dots of more than 63 bytes.
        public static let labelTooLong = Code(rawValue: "label-too-long")
        /// A name of more than 253 bytes.
        public static let nameTooLong = Code(rawValue: "name-too-long")
        /// Several colons, but no IPv6 address.
        public static let notAnAddress = Code(rawValue: "not-an-address")
        /// A bracket without its partner, or text after the closing one.
        public static let unbalancedBrackets = Code(rawValue: "unbalanced-brackets")
        /// The port is not a number.
        public static let portNotANumber = Code(rawValue: "port-not-a-number")
        /// The port is not between 1 and 65535.
        public static let portOutOfRange = Code(rawValue: "port-out-of-range")
        /// A URL, but not of SSH.
        public static let unsupportedScheme = Code(rawValue: "unsupported-scheme")
        /// A URL with a password, which is not shown again.
        public static let passwordInURL = Code(rawValue: "password-in-url")
        /// A URL with a path, query or fragment.
        public static let pathInURL = Code(rawValue: "path-in-url")
        /// A `%` in a URL's user that is not followed by two hexadecimal digits.
        public static let percentEncoding = Code(rawValue: "percent-encoding")

        /// Lets `catch SSHDestinationProblem.Code.emptyHost` match.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? SSHDestinationProblem)?.code == code }
    }

    /// What is wrong, for programs.
    public let code: Code
    /// The text that was given, without the password of a URL. It may contain control characters.
    public let input: String
    /// The problem, for people: one sentence, safe to print.
    public let message: String
    /// The correct form, for people: safe to print.
    public let remedy: String

    /// Whether the host name is wrong. That is a failure to resolve the name; any other problem is wrong usage.
    package var concernsHostName: Bool {
        switch code {
        case .portNotANumber, .portOutOfRange, .unsupportedScheme, .passwordInURL, .pathInURL, .percentEncoding, .emptyUser,
            .unsafeUser:
            false
        default: true
        }
    }

    /// Input, message and remedy in one line, safe to print.
    public var description: String { "“\(PrintableText.escape(input))”: \(message) \(remedy)" }
}

/// One factory for each code, so that all texts are in one place.
extension SSHDestinationProblem {
    private static let forms = "Write [user@]host[:port], or [address]:port for an IPv6 address."

    private init(_ code: Code, _ input: String, _ message: String, _ remedy: String = forms) {
        self.init(code: code, input: input, message: message, remedy: remedy)
    }

    static func emptyHost(input: String) -> Self { Self(.emptyHost, input, "The host is missing.") }

    static func emptyUser(input: String) -> Self {
        Self(.emptyUser, input, "There is no user before the @.", "Put a user there, or leave out the @.")
    }

    package static func missingUser(input: String) -> Self {
        Self(.emptyUser, input, "The user is missing.", "Write user@host, or give the name to log in as.")
    }

    static func controlCharacter(inUser scalar: Unicode.Scalar, input: String) -> Self {
        Self(
            .unsafeUser, input, "A user name cannot hold a control character (\(name(of: scalar))).",
            "Remove it.")
    }

    /// - Parameter what: the end of the sentence “A user name cannot …”.
    static func unsafeUser(_ what: String, input: String) -> Self {
        Self(
            .unsafeUser, input, "A user name cannot \(what), because ssh's configuration may give the name to a shell.",
            "Correct the name. If it is right, set it as User in a Host block of ssh's configuration.")
    }

    static func leadingHyphen(_ host: String, input: String) -> Self {
        Self(
            .leadingHyphen, input, "A host name cannot start with a hyphen.",
            "Put options before the host, or correct the name.")
    }

    static func controlCharacter(_ scalar: Unicode.Scalar, input: String) -> Self {
        Self(
            .controlCharacter, input, "It contains an invisible or control character (\(name(of: scalar))).",
            "Type it again instead of pasting it.")
    }

    static func space(input: String) -> Self {
        Self(.space, input, "A host name cannot contain a space.", "Remove the space; give the command as a separate argument.")
    }

    static func forbiddenCharacter(_ scalar: Unicode.Scalar, input: String) -> Self {
        Self(.forbiddenCharacter, input, "A host name cannot hold the character \(scalar).")
    }

    static func emptyLabel(input: String) -> Self {
        Self(.emptyLabel, input, "The host name has a dot with nothing before it.", "Remove the extra dot.")
    }

    static func labelTooLong(_ label: String, input: String) -> Self {
        Self(
            .labelTooLong, input, "A part of the host name has \(label.utf8.count) bytes; 63 is the most that DNS allows.",
            "Shorten the part between two dots.")
    }

    static func nameTooLong(_ count: Int, input: String) -> Self {
        Self(.nameTooLong, input, "The host name has \(count) bytes; 253 is the most that DNS allows.", "Shorten the name.")
    }

    static func notAnAddress(_ host: String, input: String) -> Self {
        Self(.notAnAddress, input, "It has more than one colon, but is not an IPv6 address.")
    }

    static func unbalancedBrackets(input: String) -> Self {
        Self(.unbalancedBrackets, input, "The brackets do not enclose exactly the host.")
    }

    static func portNotANumber(_ port: String, input: String) -> Self {
        let what = port.isEmpty ? "is missing after the colon" : "is not a number"
        return Self(.portNotANumber, input, "The port \(what).", "Write a port from 1 to 65535, or leave out the colon.")
    }

    static func portOutOfRange(_ port: String, input: String) -> Self {
        Self(.portOutOfRange, input, "The port \(port.prefix(20)) does not exist.", "Ports go from 1 to 65535; SSH's own is 22.")
    }

    static func unsupportedScheme(_ scheme: String, input: String) -> Self {
        Self(
            .unsupportedScheme, input, "It is a URL of \(PrintableText.escape(scheme)), not of ssh.",
            "Give the host alone, or ssh://[user@]host[:port].")
    }

    static func passwordInURL(input: String) -> Self {
        Self(
            .passwordInURL, input, "A password does not belong in a destination: other users can see it.",
            "Remove it, change it on the server, and give it by file or prompt.")
    }

    static func pathInURL(input: String) -> Self {
        Self(.pathInURL, input, "A destination has no path.", "End the URL after the host or the port.")
    }

    static func percentEncoding(_ text: String, input: String) -> Self {
        Self(
            .percentEncoding, input, "Its user is not percent-encoded correctly.",
            "Write a % as %25, and anything else as % and two hexadecimal digits.")
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
