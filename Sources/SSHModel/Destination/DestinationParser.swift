/// Takes the text of a destination apart; what each part may hold is for the rules to say.
struct DestinationParser {
    private let text: String
    /// The text as an error may show it: a password in a URL is taken out first.
    private let input: String

    init(_ text: String) {
        self.text = text
        self.input = SSHURL(text)?.redacted ?? text
    }

    func parse() throws(SSHDestinationProblem) -> SSHDestination {
        if let control = text.unicodeScalars.first(where: \.isControl) { throw .controlCharacter(control, input: input) }
        if let url = SSHURL(text) { return try parse(url) }
        var user: String?
        var rest = Substring(text)
        if let at = text.lastIndex(of: "@") {
            user = String(text[..<at])
            rest = text[text.index(after: at)...]
        }
        let (host, port) = try hostAndPort(rest)
        return try SSHDestination(user: user, host: String(host), port: port, input: input)
    }

    private func parse(_ url: SSHURL) throws(SSHDestinationProblem) -> SSHDestination {
        guard url.scheme == "ssh" else { throw .unsupportedScheme(url.scheme, input: input) }
        guard !url.hasPassword else { throw .passwordInURL(input: input) }
        guard url.path.isEmpty || url.path == "/" else { throw .pathInURL(input: input) }
        let user = try url.user.map { raw throws(SSHDestinationProblem) in
            guard let decoded = PercentEncoding.decode(raw) else { throw .percentEncoding(String(raw), input: input) }
            return decoded
        }
        let (host, port) = try hostAndPort(url.hostAndPort)
        // RFC 6874 writes a zone's % as %25; people write it plainly, and both are understood.
        let decoded = PercentEncoding.decode(host) ?? String(host)
        return try SSHDestination(user: user, host: decoded, port: port, input: input)
    }

    private func hostAndPort(_ rest: Substring) throws(SSHDestinationProblem) -> (Substring, Int?) {
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { throw .unbalancedBrackets(input: input) }
            let host = rest[rest.index(after: rest.startIndex)..<close]
            let after = rest[rest.index(after: close)...]
            guard !after.isEmpty else { return (host, nil) }
            guard after.hasPrefix(":") else { throw .unbalancedBrackets(input: input) }
            return (host, try port(after.dropFirst()))
        }
        guard !rest.contains(where: { $0 == "[" || $0 == "]" }) else { throw .unbalancedBrackets(input: input) }
        guard let colon = rest.firstIndex(of: ":"), colon == rest.lastIndex(of: ":") else { return (rest, nil) }
        return (rest[..<colon], try port(rest[rest.index(after: colon)...]))
    }

    private func port(_ digits: Substring) throws(SSHDestinationProblem) -> Int {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .portNotANumber(String(digits), input: input)
        }
        guard let port = Int(digits), (1...65535).contains(port) else {
            throw .portOutOfRange(String(digits), input: input)
        }
        return port
    }
}
