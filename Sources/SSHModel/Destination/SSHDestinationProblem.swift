/// Why a text is no destination: the input, what is wrong with it, and how to write it instead.
///
/// ```swift
/// do { _ = try SSHDestination(parsing: "web1:99999") } catch SSHDestinationProblem.Code.portOutOfRange { … }
/// ```
public struct SSHDestinationProblem: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// What is wrong, for programs; new ones may come.
    public struct Code: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// There is no host.
        public static let emptyHost = Code(rawValue: "empty-host")
        /// There is an `@` with no user before it.
        public static let emptyUser = Code(rawValue: "empty-user")
        /// The host starts with `-`, as an option does.
        public static let leadingHyphen = Code(rawValue: "leading-hyphen")
        /// A user name that a shell would not leave alone, or that could be taken for an option.
        public static let unsafeUser = Code(rawValue: "unsafe-user")
        /// A control or invisible character.
        public static let controlCharacter = Code(rawValue: "control-character")
        /// White space in the host.
        public static let space = Code(rawValue: "space")
        /// A character that no host name has.
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
    /// The text that was given, without the password of a URL; may hold control characters.
    public let input: String
    /// What is wrong, for people: one sentence, safe to print.
    public let message: String
    /// How to write it instead: one sentence, safe to print.
    public let remedy: String

    /// Whether the name of the host is what is wrong: then it is a failure to resolve it, anything else is wrong usage.
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

/// Text from elsewhere, made safe for a terminal.
package enum PrintableText {
    /// `text` with each control or invisible character written as `\u{…}`.
    package static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isControl {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
}
