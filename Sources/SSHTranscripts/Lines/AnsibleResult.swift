/// Converts the result of a failed task from Ansible's callbacks to the lines of its `minimal` callback.
///
/// An unreachable host gives the lines of ssh (plugins/connection/ssh.py puts them into `msg`). For a failed task, the module's
/// status comes first, so that the module's output is not taken for that of Ansible's own ssh.
enum AnsibleResult {
    /// The header that `minimal` writes before a module's output.
    static let header = " | FAILED | rc="

    /// The lines of the failed results in the text; nil if it has none.
    static func lines(_ text: String) -> [String]? {
        guard let start = text.utf8.firstIndex(of: UInt8(ascii: "{")), let end = text.utf8.lastIndex(of: UInt8(ascii: "}")),
            start < end
        else { return nil }
        let heading = text[..<start]
        // Do not parse other programs' JSON.
        guard heading.mentions("=>") || failures.contains(where: { text.mentions($0) }), let tree = JSONTree(text[start...end])
        else { return nil }
        let name = host(heading)
        let failures = tree.results(of: name).filter { $0.result.isSet(unreachable) || $0.result.isSet(failed) }
        guard !failures.isEmpty else {
            // A single object is the result of one task. Its header shows whether it failed.
            if heading.mentions("UNREACHABLE! =>") { return messages(tree, name, isUnreachable: true) }
            return heading.mentions("FAILED! =>") ? messages(tree, name) : heading.mentions("=>") ? [] : nil
        }
        return failures.prefix(maximumResults).flatMap { messages($0.result, $0.host) }
    }

    /// The lines of a result in another form than JSON, below its heading.
    static func lines(heading: String, _ result: JSONTree) -> [String] { messages(result, host(heading[...])) }

    /// The largest number of hosts to report from one document.
    private static let maximumResults = 1000

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

    /// The message of the modules `command` and `shell` for every status but 0 (ansible-core, modules/command.py).
    private static let nonZero = RemoteText.nonZero

    /// A command's output in the `minimal` callback, which appends its message, not always on a separate line.
    static func withoutMessage(_ output: String) -> Substring {
        output.hasSuffix(nonZero) ? output.dropLast(nonZero.count) : output[...]
    }

    private static func messages(_ result: JSONTree, _ host: String, isUnreachable: Bool = false) -> [String] {
        let message = result.text("msg")
        let name = host.isEmpty ? "ansible" : host
        if isUnreachable || result.isSet(unreachable) {
            // The message of paramiko and of other plugins may have no words about a connection.
            let isBare = !message.isEmpty && !message.mentions("ssh") && !message.mentions("Failed to ")
            return ["\(name) | UNREACHABLE!"]
                + [isBare ? "Failed to connect to the host via ssh: \(message)" : message, result.text("stderr")].flatMap(
                    TranscriptLines.trimmed)
        }
        // The modules `synchronize` and `git` run a program with an ssh of its own. Their status is 255 if ssh failed, and 128 if
        // git failed without ssh.
        let command = result.text("cmd")
        let program = command.split(separator: " ").first ?? ""
        // Before 2.0 the message is not in the result, but in the lines after it.
        let isMissing = message.isEmpty && result.text("stderr").isEmpty && command.mentions("--rsh")
        let isOwn =
            program.hasSuffix("rsync") && (result.status == 255 || isMissing)
            || result.status == 128 && program.hasSuffix("git")
        // A module that did not start has the status of the terminal's shell: 0.
        let module = messages(result, of: "module_")
        let notFound = message.hasPrefix("MODULE FAILURE") && module.trimming("\r\n").hasSuffix(": not found") ? 127 : nil
        guard let status = result.status == 0 ? notFound : result.status, status != 0, !isOwn else {
            return message.isEmpty ? [] : ["\(name) | FAILED! =>"] + TranscriptLines.trimmed(message)
        }
        // The command's output is more specific than Ansible's message, so it comes last.
        let output = [message == nonZero ? "" : message, module, messages(result, of: "")]
        // A task that fails on this computer is not a command over SSH, but may run ssh.
        if AnsibleMessages.isHere(name) { return ["\(name) | FAILED! =>"] + output.flatMap(TranscriptLines.trimmed) }
        return ["\(name)\(header)\(status) >>"] + output.flatMap(TranscriptLines.trimmed)
    }

    /// The command's standard error. At a terminal that is all on standard output, and standard error has only ssh's own last
    /// line.
    private static func messages(_ result: JSONTree, of prefix: String) -> String {
        let text = result.text("\(prefix)stderr")
        return text.hasPrefix(endOfTerminal) ? result.text("\(prefix)stdout") : text
    }

    private static let endOfTerminal = "Shared connection to "

    /// The same for a result of the callback `oneline`: `(stdout) … (stderr) …`, with or without the text before it.
    static func onelineMessages(_ text: String) -> String {
        guard let errors = text.firstPlace(of: "(stderr) ") else { return "" }
        if !text[errors.upperBound...].hasPrefix(endOfTerminal) { return String(text[errors.upperBound...]) }
        let output = text[..<errors.lowerBound]
        return String(output[(output.firstPlace(of: "(stdout) ")?.upperBound ?? output.startIndex)...])
    }
}

extension JSONTree {
    /// This object and all objects in it, in the order of their names, each with the host of its result.
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
