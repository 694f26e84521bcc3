/// What Ansible's callbacks write of a task that failed, as the lines that its `minimal` callback would write.
///
/// Unreachable hosts give the lines of ssh (plugins/connection/ssh.py puts them into `msg`). Of a task that failed the
/// module's status comes first, so that what the module ran is not taken for Ansible's own ssh.
enum AnsibleResult {
    /// The header that `minimal` writes before a module's output.
    static let header = " | FAILED | rc="

    /// What a result says; nil where the text holds none that failed.
    static func lines(_ text: String) -> [String]? {
        guard let start = text.utf8.firstIndex(of: UInt8(ascii: "{")), let end = text.utf8.lastIndex(of: UInt8(ascii: "}")),
            start < end
        else { return nil }
        let heading = text[..<start]
        // Any other program's JSON need not be read.
        guard heading.mentions("=>") || failures.contains(where: { text.mentions($0) }), let tree = JSONTree(text[start...end])
        else { return nil }
        let name = host(heading)
        let failures = tree.results(of: name).filter { $0.result.isSet(unreachable) || $0.result.isSet(failed) }
        guard !failures.isEmpty else {
            // One object alone is a task's result: its header says what became of it.
            return heading.mentions("FAILED! =>") ? said(tree, name) : heading.mentions("=>") ? [] : nil
        }
        return failures.prefix(mostResults).flatMap { said($0.result, $0.host) }
    }

    /// How many hosts of one document are told of.
    private static let mostResults = 1000

    /// `fatal: [web1]: UNREACHABLE! => `, `web1 | FAILED! => `.
    private static func host(_ heading: Substring) -> String {
        let line = heading.split(whereSeparator: \.isNewline).last ?? ""
        if let open = line.firstPlace(of: ": ["), let close = line[open.upperBound...].firstIndex(of: "]") {
            return String(line[open.upperBound..<close])
        }
        return line.firstPlace(of: " | ").map { String(line[..<$0.lowerBound]) } ?? ""
    }

    private static let unreachable = "unreachable"
    private static let failed = "failed"
    private static let failures = ["\"\(unreachable)\"", "\"\(failed)\""]

    /// What the modules `command` and `shell` say of every status but 0 (ansible-core, modules/command.py).
    private static let nonZero = "non-zero return code"

    private static func said(_ result: JSONTree, _ host: String) -> [String] {
        let message = result.text("msg")
        let name = host.isEmpty ? "ansible" : host
        if result.isSet(unreachable) { return ["\(name) | UNREACHABLE!"] + split(message) }
        guard let status = result.status, status != 0 else { return split(message) }
        // What the command wrote tells more than Ansible's words on it, so it comes last.
        let output = [message == nonZero ? "" : message, result.text("module_stderr"), result.text("stderr")]
        return ["\(name)\(header)\(status) >>"] + output.flatMap(split)
    }

    private static func split(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0).trimming(" \t\r") }.filter { !$0.isEmpty }
    }
}

extension JSONTree {
    /// This object and all that are in it, in the order of their names, with the host whose result each is.
    fileprivate func results(of host: String) -> [(host: String, result: JSONTree)] {
        switch self {
        case .members(let members):
            [(host, self)]
                + members.keys.sorted().flatMap { name -> [(host: String, result: JSONTree)] in
                    guard let member = members[name] else { return [] }
                    // The JSON callback has the results of a task under "hosts", by the inventory's names.
                    if name == "hosts", case .members(let hosts) = member {
                        return hosts.keys.sorted().flatMap { hosts[$0]?.results(of: $0) ?? [] }
                    }
                    return member.results(of: host)
                }
        case .elements(let elements): elements.flatMap { $0.results(of: host) }
        case .text, .number, .flag, .null: []
        }
    }

    fileprivate var status: Int? {
        guard case .members(let members) = self, case .number(let number)? = members["rc"] else { return nil }
        return Int(exactly: number)
    }

    fileprivate func text(_ name: String) -> String {
        guard case .members(let members) = self, case .text(let text)? = members[name] else { return "" }
        return text
    }

    fileprivate func isSet(_ name: String) -> Bool {
        guard case .members(let members) = self, case .flag(let flag)? = members[name] else { return false }
        return flag
    }
}
