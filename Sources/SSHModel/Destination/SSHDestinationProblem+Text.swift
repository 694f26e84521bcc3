/// One maker for each code, so that all wording stands in one place.
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

    /// - Parameter what: what the name cannot do, after “cannot”.
    static func unsafeUser(_ what: String, input: String) -> Self {
        Self(
            .unsafeUser, input, "A user name cannot \(what), because ssh's configuration may give the name to a shell.",
            "Correct the name; if it is really this one, put it into ssh's configuration, as User in a Host block.")
    }

    static func leadingHyphen(_ host: String, input: String) -> Self {
        Self(
            .leadingHyphen, input, "A host name cannot start with a hyphen.",
            "If this was meant as an option, put it where options go; else correct the name.")
    }

    static func controlCharacter(_ scalar: Unicode.Scalar, input: String) -> Self {
        Self(
            .controlCharacter, input, "It holds an invisible or control character (\(name(of: scalar))).",
            "Type it again instead of pasting it.")
    }

    static func space(input: String) -> Self {
        Self(.space, input, "A host name cannot hold a space.", "Remove the space; a command goes into an argument of its own.")
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
        Self(.notAnAddress, input, "With more than one colon it must be an IPv6 address, and it is none.")
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
