/// The two ends of a forwarding, checked as ssh(1) does; bridge-ssh forwards nothing.
struct ForwardSpecification {
    /// As `ssh -G` prints it.
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

    /// Fields with colons between; one in brackets is taken as it is.
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
