/// Recognises the beginning and end of Ansible's messages.
enum AnsibleMessages {
    /// Whether the line is the header of a host's result. It ends the previous result.
    static func beginsResult(_ line: String) -> Bool {
        [" | FAILED | rc=", " | FAILED! =>", " | UNREACHABLE!", "]: UNREACHABLE!", "]: FAILED!"].contains { line.mentions($0) }
    }

    /// Whether the line is the header of any host's result, failed or not.
    static func isResult(_ line: String) -> Bool {
        // The JSON callback writes one object.
        line == "{" || isHeader(line)
    }

    /// The same, without the object of the JSON callback.
    static func isHeader(_ line: String) -> Bool {
        resultStarts.contains { line.hasPrefix($0) } || line.mentions(" | ") && results.contains { line.mentions($0) }
    }

    private static let resultStarts = ["fatal: [", "failed: [", "ok: [", "changed: [", "skipping: [", "unreachable: ["]
    private static let results = [
        AnsibleResult.header, " | FAILED! =>", " | UNREACHABLE!", " | SUCCESS", " | CHANGED", " | SKIPPED",
    ]

    /// Whether the line is a failed result from which the message was taken out: `fatal: [web1]: UNREACHABLE! => {…}`.
    static func hasNoMessage(_ line: String) -> Bool {
        line.mentions("! => {") && line.hasSuffix("}") && !["\"msg\"", "\"rc\"", "\"censored\""].contains { line.mentions($0) }
    }

    /// Whether the line is the header of a failed result in YAML: `fatal: [web1]: FAILED! =>`. The callback `yaml` adds
    /// `changed=true`.
    static func beginsYAML(_ line: String) -> Bool {
        guard let place = line.firstPlace(of: "! =>"), line.mentions("FAILED! =>") || line.mentions("UNREACHABLE! =>") else {
            return false
        }
        return line[place.upperBound...].split(separator: " ").allSatisfy { !$0.hasPrefix("{") && $0.contains("=") }
    }

    /// Whether the line begins a play, a task or the recap. It ends a result.
    static func beginsSection(_ line: String) -> Bool { sectionStarts.contains { line.hasPrefix($0) } }

    private static let sectionStarts = ["PLAY [", "PLAY RECAP", "TASK [", "RUNNING HANDLER ["]

    /// Whether the line only announces a result, as ansible-core does from 2.19 on.
    static func announces(_ line: String) -> Bool { line.hasPrefix(announcement) || isDiscovery(line) }

    static func isDiscovery(_ line: String) -> Bool { line.hasPrefix(discovery) }

    /// The search for Python on the host goes before the task, and fails as the task does.
    private static let discovery = "[WARNING]: Unhandled error in Python interpreter discovery for host "

    private static let announcement = "[ERROR]: Task failed"

    /// Whether the line is a step of Ansible's connection to a host, which it shows at -vvv: `<web1> SSH: EXEC ssh …`,
    /// `<web1> (255, b'', b'…')`.
    static func isStep(_ line: String) -> Bool {
        guard line.hasPrefix("<"), let place = line.firstPlace(of: "> ") else { return false }
        let rest = line[place.upperBound...]
        if stepStarts.contains(where: { rest.hasPrefix($0) }) { return true }
        guard rest.hasPrefix("("), let comma = rest.firstIndex(of: ",") else { return false }
        return Int(rest[rest.index(after: rest.startIndex)..<comma]) != nil
    }

    private static let stepStarts = [
        "SSH: ", "ESTABLISH ", "EXEC ", "PUT ", "FETCH ", "REMOTE_MODULE ", "ssh_retry: ",
        "Failed to connect to the host via ssh: ",
    ]

    /// `web1`, `web1 -> localhost`.
    static func host(_ name: String) -> String { name.split(separator: " ").first.map { String($0).cut(toBytes: 256) } ?? "" }

    /// Whether the task ran on the computer of Ansible itself: `localhost`, `web1 -> localhost`, `web1 -> 127.0.0.1`.
    static func isHere(_ name: String) -> Bool {
        let last = name.split(separator: " ").last ?? ""
        return last.hasPrefix("localhost") || last.hasPrefix("127.0.0.1")
    }

    static func endsQuote(_ line: String) -> Bool {
        quoteEndStarts.contains { line.hasPrefix($0) } || quoteEnds.contains { line.mentions($0) }
    }

    static let quoteEndStarts = ["PLAY RECAP", "TASK [", "rc: "]
    static let quoteEnds = ["! => ", "| FAILED | rc=", "| UNREACHABLE!", "| CHANGED | rc=", "| SUCCESS", announcement]

    /// Whether the line is a header or summary, without information about a failure.
    static func isNoise(_ line: String) -> Bool {
        noiseStarts.contains { line.hasPrefix($0) } || summaries.contains { line.mentions($0) }
            || line.hasPrefix("<") && steps.contains { line.mentions($0) }
    }

    static let noiseStarts = [
        "PLAY ", "PLAY [", "TASK [", "ok: [", "changed: [", "skipping: [", "unreachable: ", "changed: ", "msg: ", "}", "{",
        "[WARNING]", "Using ", "No config file found",
    ]
    /// Words of noise, anywhere in a line.
    static let noise = summaries + steps
    private static let summaries = [" : ok=", "UNREACHABLE! =>"]
    /// Words after the host in angle brackets.
    private static let steps = ["> SSH: ", "> ESTABLISH ", "> EXEC "]
}
