import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A remedy as a person follows it: the fault is produced, the command is taken out of the printed banner letter by letter and
/// run, and the next run succeeds or gets further.
struct Remedy: Sendable, CustomTestStringConvertible {
    /// The run after the remedy.
    enum Next: Sendable {
        case success
        /// A later failure.
        case failure(SSHError.Code)
    }

    /// The parts of a remedy.
    enum Kind: Sendable {
        /// A shell command that begins with this text.
        case command(String)
        /// A shell command that begins with this text, and the next run in the same shell, because it changes the shell's state.
        case shell(String)
        /// A command that only shows something: it ends with this status, and prints this text, or nothing. ``Remedy/act`` is the
        /// person's next action. `PORT` in them is replaced by the server's port, `FINGERPRINT` by that of its first host key.
        case shows(String, on: Place = .here, status: Int32 = 0, words: String)
        /// A command for the server that begins with this text.
        case server(String)
        /// A line for sshd_config that begins with this text. The next run is on a server that has it.
        case serverLine(String)
        /// Options for the next run that begin with this text; `FILE` is replaced by the arranged file.
        case options(String)
        /// The next run without these arguments.
        case without([String])
        /// The next run with another value of this option.
        case raised(String, String)
    }

    /// Where a command is run.
    enum Place: Sendable {
        case here
        /// On the server, by root.
        case server
        /// On the server, by the user: over SSH.
        case account
    }

    /// An answer that is typed when its question appears.
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
    /// The arguments after the options of a copy; empty for a run. `~` is replaced by the home directory.
    let copying: [String]
    /// Options of the run that ``TestRun`` lacks.
    let extra: @Sendable (RemedyFixture) throws -> [String]
    let arrange: @Sendable (RemedyFixture, inout TestRun) async throws -> Void
    /// The person's next command: its arguments may differ.
    let act: @Sendable (RemedyFixture, inout [String]) async throws -> Void

    init(
        _ code: SSHError.Code, _ kind: Kind, _ answers: [Answer] = [], name: String = "", then next: Next = .success,
        as user: SandboxUser = .alice, server options: SSHDSandbox.Options = SSHDSandbox.Options(), copying: [String] = [],
        extra: @escaping @Sendable (RemedyFixture) throws -> [String] = { _ in [] },
        act: @escaping @Sendable (RemedyFixture, inout [String]) async throws -> Void = { _, _ in },
        arrange: @escaping @Sendable (RemedyFixture, inout TestRun) async throws -> Void
    ) {
        (self.code, self.name, self.kind, self.answers, self.next) = (code, name, kind, answers, next)
        (self.options, self.user, self.copying, self.extra, self.act, self.arrange) = (
            options, user, copying, extra, act, arrange
        )
    }

    var testDescription: String { name.isEmpty ? code.rawValue : "\(code.rawValue), \(name)" }

    /// Produces the fault, follows the remedy, and checks the next run.
    func follow() async throws {
        try await on(options) { fixture, words in
            let first = try await fixture.run(words)
            guard first.output.contains(code.rawValue) else {
                Issue.record("the fault is another: \(first.output)")
                return
            }
            guard case .serverLine(let start) = kind else {
                var again = words
                guard let second = try await apply(to: &again, first, fixture) else { return }
                return check(second)
            }
            guard let line = Self.text(beginning: start, in: first.output) else {
                Issue.record("the banner has no \(start): \(first.output)")
                return
            }
            var changed = options
            changed.configuration = line + "\n"
            try await on(changed) { fixture, words in check(try await fixture.run(words)) }
        }
    }

    /// A server, the arrangements, and the run's arguments.
    private func on(
        _ options: SSHDSandbox.Options, _ body: (RemedyFixture, [String]) async throws -> Void
    ) async throws {
        try await SSHDSandbox.run(options) { box in
            try await AgentProcess.run(keys: []) { agent in
                try await ScratchDirectory.with { home in
                    let fixture = RemedyFixture(box: box, home: home, agent: agent)
                    // ssh-copy-id(1) needs it.
                    try FileManager.default.createDirectory(
                        atPath: home.path(".ssh"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                    var testRun = try await box.testRun(user)
                    try await arrange(fixture, &testRun)
                    try await body(fixture, fixture.words(testRun, copying: copying, extra: extra(fixture)))
                }
            }
        }
    }

    /// Follows the banner's remedy.
    ///
    /// - Returns: the next run; nil if the banner does not contain it.
    private func apply(
        to words: inout [String], _ first: ProcessResult, _ fixture: RemedyFixture
    ) async throws -> ProcessResult? {
        func taken(_ start: String) -> String? {
            let text = Self.text(beginning: start, in: first.output)
            if text == nil { Issue.record("the banner has no \(start): \(first.output)") }
            return text
        }
        switch kind {
        case .command(let start):
            guard let command = taken(start) else { return nil }
            let remedy = try await fixture.type(command, answers)
            #expect(remedy.exitStatus == 0, "\(command)\n\(remedy.output)")
        case .shell(let start):
            guard let command = taken(start) else { return nil }
            try await act(fixture, &words)
            return try await fixture.type(command, answers, thenRun: words)
        case .shows(let start, let place, let status, let expected):
            guard let command = taken(start) else { return nil }
            let shown = try await fixture.type(command, answers, on: place)
            #expect(shown.exitStatus == status, "\(command)\n\(shown.output)")
            let words = try await fixture.filled(expected)
            #expect(words.isEmpty ? shown.output.isEmpty : shown.output.contains(words), "\(command)\n\(shown.output)")
        case .server(let start):
            guard let command = taken(start) else { return nil }
            let remedy = try await fixture.type(command, answers, on: .server)
            #expect(remedy.exitStatus == 0, "\(command)\n\(remedy.output)")
        case .options(let start):
            guard let text = taken(start) else { return nil }
            // Only the options, in any sentence.
            let given = text.split(separator: " ").prefix(start.split(separator: " ").count).map(String.init)
            let cleaned = given.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ".,;)")) }
            // After the existing options: the last one counts.
            words.insert(
                contentsOf: cleaned.map { $0 == "FILE" ? fixture.file : $0 }, at: copying.isEmpty ? words.count - 3 : 1)
        case .without(let removed):
            #expect(removed.allSatisfy { first.output.contains($0) }, "the banner does not name \(removed): \(first.output)")
            words.removeAll { removed.contains($0) }
        case .raised(let option, let value):
            guard taken(option) != nil, let place = words.lastIndex(of: option) else { return nil }
            words[place + 1] = value
        case .serverLine: return nil
        }
        try await act(fixture, &words)
        return try await fixture.run(words)
    }

    private func check(_ second: ProcessResult) {
        switch next {
        case .success: #expect(second.exitStatus == 0, "\(second.output)")
        case .failure(let later):
            #expect(second.output.contains(later.rawValue) && !second.output.contains(code.rawValue), "\(second.output)")
        }
    }

    /// The text of a banner's remedy from this beginning to the end of its backticks, or of its line.
    static func text(beginning start: String, in banner: String) -> String? {
        guard let arrow = banner.range(of: "→") ?? banner.range(of: #""hint":"#) else { return nil }
        for line in banner[arrow.upperBound...].split(whereSeparator: \.isNewline) {
            // In backticks first: a sentence may contain the same text.
            guard
                let place = line.range(of: "`" + start).map({ line.index(after: $0.lowerBound) })
                    ?? line.range(of: start)?.lowerBound
            else { continue }
            let isQuoted = line[..<place].last == "`"
            let rest = line[place...]
            let text = isQuoted ? rest.prefix { $0 != "`" } : rest
            return text.trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
