/// The two ends of a forwarding, checked as ssh(1) does; bridge-ssh forwards nothing.
struct ForwardSpecification {
    /// The text that `ssh -G` prints.
    let printed: String

    /// - Parameters:
    ///   - listen: `[address:]port` or the path of a socket.
    ///   - target: `host:port` or the path of a socket; nil for a proxy.
    init(listen: String, target: String?, isRemote: Bool, context: SSHConfigContext) throws(LineProblem) {
        let problem = LineProblem(
            "“\(listen)\(target.map { " \($0)" } ?? "")” cannot be forwarded; write [address:]port, and host:port for the target")
        let text = target.map { "\(listen):\($0)" } ?? listen
        let expanded = try TokenExpansion(tokens: [:], variable: context.variable).expand(text.replacing("%", with: "%%"))
        guard let fields = Self.fields(Substring(expanded.drop { $0 == " " })) else { throw problem }
        let port = { (text: String) in
            text == "0" ? 0 : ConfigurationNumbers.port(text, service: context.port)
        }
        func end(_ parts: ArraySlice<Field>, mayBeZero: Bool) throws(LineProblem) -> String {
            if parts.count == 1, let only = parts.first, only.isPath { return only.text }
            guard let last = parts.last, let number = port(last.text), number > 0 || mayBeZero else { throw problem }
            return parts.count == 1 ? "\(number)" : "[\(parts[parts.startIndex].text)]:\(number)"
        }
        guard target != nil else {
            guard (1...2).contains(fields.count) else { throw problem }
            printed = try end(fields[...], mayBeZero: isRemote) + (isRemote ? " [socks]:0" : "")
            return
        }
        let targetCount = fields.last?.isPath == true ? 1 : 2
        let listenCount = fields.count - targetCount
        guard (1...2).contains(listenCount) else { throw problem }
        printed =
            try end(fields[..<listenCount], mayBeZero: isRemote) + " " + end(fields[listenCount...], mayBeZero: false)
    }

    private struct Field {
        var text: String
        var isPath = false
    }

    /// Fields separated by colons; a field in brackets is taken literally.
    private static func fields(_ text: Substring) -> [Field]? {
        var fields: [Field] = []
        var rest = text
        while !rest.isEmpty {
            guard fields.count < 4 else { return nil }
            var field = Field(text: "")
            if rest.hasPrefix("[") {
                guard let close = rest.firstIndex(of: "]") else { return nil }
                field.text = String(rest[rest.index(after: rest.startIndex)..<close])
                rest = rest[rest.index(after: close)...]
                guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            } else {
                while let character = rest.first, character != ":" {
                    rest.removeFirst()
                    guard character != "\\" else {
                        guard let escaped = rest.popFirst() else { return nil }
                        field.text.append(escaped)
                        continue
                    }
                    field.text.append(character)
                }
            }
            field.isPath = field.text.contains("/")
            fields.append(field)
            if rest.hasPrefix(":") { rest.removeFirst() }
        }
        return fields
    }
}

/// The hosts of `ProxyJump`: `[user@]host[:port]` or `ssh://` URIs with commas between, the last one nearest to the
/// destination.
package enum JumpSpecification {
    package struct Hop {
        package var user: String?
        package var host: String
        package var port: Int?
    }

    /// The value as `ssh -G` prints it; `none` is unchanged. White space and `#` end the value.
    ///
    /// - Parameter isOption: whether it comes from the command line, where names are looked at more closely.
    /// - Throws: `LineProblem` for a host that cannot be read.
    static func normalised(_ text: String, isOption: Bool, service: (String) -> Int?) throws(LineProblem) -> String {
        let text = String(text.prefix { !" \t\r\n#".contains($0) })
        if text.lowercasedASCII == "none" { return "none" }
        let hops = text.split(separator: ",", omittingEmptySubsequences: false)
        var last: Hop?
        for hop in hops {
            guard let parsed = self.hop(String(hop), service: service) else {
                throw LineProblem("“\(text)” is not a list of jump hosts; write [user@]host[:port], with commas between")
            }
            if isOption { try checkSafety(of: parsed, in: text) }
            last = parsed
        }
        guard let last else { throw LineProblem("a jump host is missing") }
        let isAddress = last.host.contains(":") || last.host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        let host = (last.user.map { "\($0)@" } ?? "") + (isAddress ? "[\(last.host)]" : last.host)
        let before = text.lastIndex(of: ",").map { text[..<$0] + "," } ?? ""
        return before + host + (last.port.map { ":\($0)" } ?? "")
    }

    /// `%j`: the name of the last host of a normalised value, which is the one that the destination is reached from; empty
    /// where there is none (readconf.c, parse_jump).
    static func nearest(in text: String?) -> String {
        guard let text, text != "none", let last = text.split(separator: ",").last else { return "" }
        return hop(String(last), service: { _ in nil })?.host ?? ""
    }

    /// The hosts of a normalised value, in its order: the first is the nearest.
    package static func hops(of text: String, service: (String) -> Int?) throws(LineProblem) -> [Hop] {
        var hops: [Hop] = []
        for part in text.split(separator: ",") {
            guard let hop = hop(String(part), service: service) else {
                throw LineProblem("“\(part)” is not a jump host; write [user@]host[:port]")
            }
            hops.append(hop)
        }
        return hops
    }

    /// A name that could be taken for an option, or that a shell would not leave alone, is refused: `%j` gives it to one. Tokens
    /// are replaced later, and the result is checked again.
    private static func checkSafety(of hop: Hop, in text: String) throws(LineProblem) {
        do throws(SSHDestinationProblem) {
            if let user = hop.user { try UserNameRules.check(user, input: text) }
        } catch {
            throw LineProblem(error.description)
        }
        let unwanted = "'`\";&<>|(){}$\\".utf8
        let isSafe =
            !hop.host.hasPrefix("-") && !hop.host.utf8.contains { $0 <= 0x20 || $0 == 0x7F || unwanted.contains($0) }
            && hop.user?.utf8.contains { $0 == 0x20 || $0 == UInt8(ascii: ",") } != true
        guard isSafe else {
            throw LineProblem(
                "“\(PrintableText.escape(text))” names a jump host with characters that a shell would act on; correct the name")
        }
    }

    static func hop(_ text: String, service: (String) -> Int?) -> Hop? {
        var rest = Substring(text)
        var hop = Hop(host: "")
        let isURI = rest.hasPrefix("ssh://")
        if isURI {
            rest = rest.dropFirst("ssh://".count)
            if rest.hasSuffix("/") { rest = rest.dropLast() }
            if rest.contains("/") { return nil }
        }
        if let at = rest.lastIndex(of: "@") {
            guard at != rest.startIndex else { return nil }
            hop.user = String(rest[..<at])
            if isURI {
                guard let decoded = hop.user.flatMap({ PercentEncoding.decode($0[...]) }) else { return nil }
                hop.user = decoded
            }
            rest = rest[rest.index(after: at)...]
        }
        var tail: Substring
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { return nil }
            hop.host = String(rest[rest.index(after: rest.startIndex)..<close])
            tail = rest[rest.index(after: close)...]
        } else {
            let end = rest.firstIndex { $0 == ":" || $0 == "/" } ?? rest.endIndex
            hop.host = String(rest[..<end])
            tail = rest[end...]
        }
        guard !hop.host.isEmpty else { return nil }
        guard !tail.isEmpty else { return hop }
        guard tail.removeFirst() == ":" else { return nil }
        guard !tail.isEmpty else { return isURI ? nil : hop }
        guard let port = ConfigurationNumbers.port(String(tail), service: service) else { return nil }
        hop.port = port
        return hop
    }
}
