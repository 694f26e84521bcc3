import SSHRun

/// `HOSTS:PATH`: an expression for hosts, and a path on each of them.
///
/// The path starts after the last colon that is outside of brackets and before the first slash. An expression for hosts
/// contains no slash outside of brackets, but it may contain colons, as in `user@web[1-3]:2222:/srv` and
/// `@run:last:failed:/srv`.
package struct HostsAndPath: Equatable {
    package let hosts: String
    /// Empty for the server's start directory, the home directory.
    package let path: String

    package init(hosts: String, path: String) {
        self.hosts = hosts
        self.path = path
    }

    /// - Throws: `UsageProblem`.
    package init(_ text: String) throws {
        if let scheme = ["ssh://", "sftp://", "scp://"].first(where: text.lowercased().hasPrefix) {
            throw UsageProblem(
                field: "\(scheme)…",
                problem: "it names one host; write HOSTS:PATH, with the port as in web[1-3]:2222:/srv or by -P")
        }
        let colons = try Self.colons(in: text)
        guard let last = colons.last else {
            throw UsageProblem(
                field: text, problem: "it names no hosts; put them and a colon before the path, as in web[1-3]:/srv/")
        }
        let (hosts, path) = (text[..<last], text[text.index(after: last)...])
        guard !hosts.isEmpty else {
            throw UsageProblem(
                field: text, problem: "there are no hosts before the colon; write them there, as in web[1-3]:/srv/")
        }
        if zip(colons, colons.dropFirst()).contains(where: { text.index(after: $0) == $1 }), last != colons.first {
            throw UsageProblem(field: text, problem: "write an IPv6 address in brackets, as in [::1]:/srv/")
        }
        if colons.count > 1, !Self.isUnambiguous(path) {
            throw UsageProblem(
                field: text,
                problem: "it is not clear at which colon the path starts; start the path with / or ./, as in \(hosts):./\(path)")
        }
        if colons.count == 1, !path.isEmpty, path.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            throw UsageProblem(
                field: text,
                problem:
                    "the path is missing, and \(path) looks like a port; write \(text):PATH, or -P \(path); a file of that name is "
                    + "./\(path)")
        }
        self.init(hosts: String(hosts), path: try RemotePath.typed(path))
    }

    /// The colons outside of brackets and before the first slash.
    private static func colons(in text: String) throws -> [String.Index] {
        var found: [String.Index] = []
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "[": depth += 1
            case "]": depth = max(0, depth - 1)
            case "/" where depth == 0: return found
            case ":" where depth == 0: found.append(index)
            default: break
            }
        }
        guard depth == 0 else { throw UsageProblem(field: text, problem: "a bracket is not closed; add the missing ]") }
        return found
    }

    /// Whether the path is unambiguous, so that it cannot belong to the hosts.
    private static func isUnambiguous(_ path: Substring) -> Bool {
        path.isEmpty || [".", "..", "~"].contains(path) || ["/", "./", "../", "~"].contains(where: path.hasPrefix)
    }
}

extension HostsAndPath {
    /// Parses several arguments that must name the same hosts.
    ///
    /// - Throws: `UsageProblem`.
    package static func all(_ texts: [String]) throws -> (hosts: String, paths: [String]) {
        let places = try texts.map { try HostsAndPath($0) }
        guard let first = places.first else {
            throw UsageProblem(field: "hosts", problem: "they are missing; write HOSTS:PATH, as in web[1-3]:/var/log/syslog")
        }
        if let other = places.first(where: { $0.hosts != first.hosts }) {
            throw UsageProblem(
                field: other.hosts,
                problem: "the other paths are on \(first.hosts), and one fetch takes all paths from the same hosts; "
                    + "write the same hosts before each path, or fetch one after the other")
        }
        return (first.hosts, places.map(\.path))
    }
}
