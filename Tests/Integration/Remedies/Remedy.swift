import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A remedy as a person follows it: the fault is produced, the command is taken out of the printed banner letter by letter and run, and
/// the next run succeeds or gets further.
struct Remedy: Sendable, CustomTestStringConvertible {
    /// What follows the remedy.
    enum Next: Sendable {
        case success
        /// A later failure.
        case failure(SSHError.Code)
    }

    /// What a remedy is made of.
    enum Kind: Sendable {
        /// A command line of a shell that begins with these words.
        case command(String)
        /// Options for the next run that begin with these words; `FILE` stands for the arranged file.
        case options(String)
        /// The next run without these of its words.
        case without([String])
    }

    /// Something that is typed when it is asked for.
    struct Answer: Sendable {
        let prompt: String
        let text: String

        init(_ prompt: String, _ text: String) { (self.prompt, self.text) = (prompt, text) }
    }

    let code: SSHError.Code
    let name: String
    let kind: Kind
    let answers: [Answer]
    let next: Next
    let options: SSHDSandbox.Options
    let user: SandboxUser
    /// Options of the run that a ``Visit`` has not.
    let extra: @Sendable (RemedyGround) throws -> [String]
    let arrange: @Sendable (RemedyGround, inout Visit) async throws -> Void

    init(
        _ code: SSHError.Code, _ kind: Kind, _ answers: [Answer] = [], name: String = "", then next: Next = .success,
        as user: SandboxUser = .alice, server options: SSHDSandbox.Options = SSHDSandbox.Options(),
        extra: @escaping @Sendable (RemedyGround) throws -> [String] = { _ in [] },
        arrange: @escaping @Sendable (RemedyGround, inout Visit) async throws -> Void
    ) {
        (self.code, self.name, self.kind, self.answers, self.next) = (code, name, kind, answers, next)
        (self.options, self.user, self.extra, self.arrange) = (options, user, extra, arrange)
    }

    var testDescription: String { name.isEmpty ? code.rawValue : "\(code.rawValue), \(name)" }

    /// Produces the fault, follows the remedy, and looks at what comes then.
    func follow() async throws {
        try await SSHDSandbox.run(options) { box in
            try await AgentProcess.run(keys: []) { agent in
                try await ScratchDirectory.with { home in
                    let ground = RemedyGround(box: box, home: home, agent: agent)
                    // ssh-copy-id(1) needs it.
                    try FileManager.default.createDirectory(
                        atPath: home.path(".ssh"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                    var visit = try await box.visit(user)
                    try await arrange(ground, &visit)
                    try await follow(visit, ground)
                }
            }
        }
    }

    private func follow(_ visit: Visit, _ ground: RemedyGround) async throws {
        let words = try ground.words(visit, extra: extra(ground))
        let first = try await ground.run(words)
        guard first.output.contains(code.rawValue) else {
            Issue.record("the fault is another: \(first.output)")
            return
        }
        var again = words
        switch kind {
        case .command(let start):
            guard let command = Self.text(beginning: start, in: first.output) else {
                Issue.record("the banner has no \(start): \(first.output)")
                return
            }
            let remedy = try await ground.type(command, answers)
            #expect(remedy.exitStatus == 0, "\(command)\n\(remedy.output)")
        case .options(let start):
            guard let text = Self.text(beginning: start, in: first.output) else {
                Issue.record("the banner has no \(start): \(first.output)")
                return
            }
            // Only the options, whatever sentence they stand in.
            let given = text.split(separator: " ").prefix(start.split(separator: " ").count).map(String.init)
            let cleaned = given.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ".,;)")) }
            // Behind the options that there are: the last one counts.
            again.insert(contentsOf: cleaned.map { $0 == "FILE" ? ground.file : $0 }, at: words.count - 3)
        case .without(let removed):
            #expect(removed.allSatisfy { first.output.contains($0) }, "the banner does not name \(removed): \(first.output)")
            again.removeAll { removed.contains($0) }
        }
        let second = try await ground.run(again)
        switch next {
        case .success: #expect(second.exitStatus == 0, "\(second.output)")
        case .failure(let later):
            #expect(second.output.contains(later.rawValue) && !second.output.contains(code.rawValue), "\(second.output)")
        }
    }

    /// The text of a banner's remedy from these words to the end of its backticks, or of its line.
    static func text(beginning start: String, in banner: String) -> String? {
        guard let arrow = banner.range(of: "→") else { return nil }
        for line in banner[arrow.upperBound...].split(whereSeparator: \.isNewline) {
            guard let place = line.range(of: start) else { continue }
            let isQuoted = line[..<place.lowerBound].last == "`"
            let rest = line[place.lowerBound...]
            let text = isQuoted ? rest.prefix { $0 != "`" } : rest
            return text.trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}

/// Where a remedy is followed.
struct RemedyGround: Sendable {
    let box: SSHDSandbox
    let home: ScratchDirectory
    /// An agent without a key.
    let agent: AgentProcess
    /// What `FILE` in a remedy stands for.
    var file: String { home.path("FILE") }

    /// The person's terminal: wide, so that no line of a banner is folded.
    private static let columns: UInt16 = 2000

    private func environment() throws -> ProcessEnvironment {
        let programs = URL(fileURLWithPath: try BuiltExecutable.path("bridge-ssh")).deletingLastPathComponent().path
        return .exactly([
            "PATH": "\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8", "TERM": "dumb",
            "NO_COLOR": "1", "SSH_AUTH_SOCK": agent.socket,
        ])
    }

    /// The words of a run.
    func words(_ visit: Visit, extra: [String]) throws -> [String] {
        var words = try ["run"] + visit.access(secretsIn: home)
        if visit.tty { words.append("--tty") }
        if let timeout = visit.timeout { words += ["--timeout", "\(timeout)"] }
        return words + extra + [visit.host, "--", visit.command]
    }

    func run(_ words: [String]) async throws -> ProcessResult {
        try await TerminalRun.run(
            try BuiltExecutable.path("bridge-ssh"), words, environment: environment(), columns: Self.columns)
    }

    /// Types a command line at a shell, and the answers to what it asks.
    func type(_ line: String, _ answers: [Remedy.Answer]) async throws -> ProcessResult {
        try await TerminalRun.run("/bin/bash", ["-c", line], environment: environment(), columns: Self.columns) { process in
            var place = 0
            for answer in answers {
                place = try await process.standardOutput.wait(for: answer.prompt, after: place)
                try await process.write(answer.text + "\r")
            }
        }
    }
}
