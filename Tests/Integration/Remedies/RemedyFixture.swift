import Foundation
import SSHTestSupport

/// The environment in which a remedy is followed.
struct RemedyFixture: Sendable {
    let box: SSHDSandbox
    let home: ScratchDirectory
    /// An agent without a key.
    let agent: AgentProcess
    /// The meaning of `FILE` in a remedy.
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

    /// The arguments of a run, or of a copy.
    func words(_ testRun: TestRun, copying: [String] = [], extra: [String]) throws -> [String] {
        let access = try testRun.access(secretsIn: home)
        if !copying.isEmpty {
            let ported = access.map { $0 == "-p" ? "-P" : $0 }
            return ["copy"] + ported + extra + copying.map { $0.replacing("~", with: home.url.path) }
        }
        var words = ["run"] + access
        if testRun.tty { words.append("--tty") }
        if let timeout = testRun.timeout { words += ["--timeout", "\(timeout)"] }
        return words + extra + [testRun.host, "--", testRun.command]
    }

    /// A remedy's text with the values of this fixture.
    func filled(_ words: String) async throws -> String {
        var words = words.replacing("PORT", with: "\(box.port)")
        if words.contains("FINGERPRINT"), let key = box.hostKeys.first {
            let listing = try await ProcessRun.check(
                "ssh-keygen", ["-lf", "-"], input: .bytes(Array((key.publicKey + "\n").utf8)))
            words = words.replacing("FINGERPRINT", with: listing.output.split(separator: " ").dropFirst().first ?? "")
        }
        return words
    }

    func run(_ words: [String]) async throws -> ProcessResult {
        try await TerminalRun.run(
            try BuiltExecutable.path("bridge-ssh"), words, environment: environment(), columns: Self.columns)
    }

    /// Types a command line at a shell, and the answers to its questions.
    ///
    /// - Parameter words: the arguments of a run that follows in the same shell and whose status counts. An agent that
    ///   the line started is ended afterwards.
    func type(
        _ line: String, _ answers: [Remedy.Answer] = [], on place: Remedy.Place = .here, thenRun words: [String]? = nil
    ) async throws -> ProcessResult {
        var line = line
        if let words {
            let quoted = (["bridge-ssh"] + words).map { "'" + $0.replacing("'", with: "'\\''") + "'" }
            line += "\n" + quoted.joined(separator: " ") + "\ns=$?; [ -z \"$SSH_AGENT_PID\" ] || kill \"$SSH_AGENT_PID\"; exit $s"
        }
        return try await TerminalRun.run(
            "/bin/bash", ["-c"] + [try self.line(line, on: place)], environment: environment(), columns: Self.columns
        ) { process in
            var place = 0
            for answer in answers {
                place = try await process.standardOutput.wait(for: answer.prompt, after: place)
                try await process.write((answer.text == "NEW" ? home.path("new") : answer.text) + "\r")
            }
        }
    }

    private func line(_ line: String, on place: Remedy.Place) throws -> String {
        let word = "'" + line.replacing("'", with: "'\\''") + "'"
        switch place {
        case .here:
            // ssh-add(1) asks the system for the home directory, so the person's is mounted there for this shell.
            let entry = "$(getent passwd \"$(id -u)\" | cut -d: -f6)"
            return
                "exec unshare --mount --propagation private /bin/bash -c 'mount --bind \"$HOME\" \"\(entry)\" && exec /bin/bash -c \"$0\"' \(word)"
        case .server:
            guard let sshd = box.listener else { throw ServerGone() }
            return "nsenter --target \(sshd.pid) --mount --pid --uts -- /bin/sh -c \(word)"
        case .account:
            return "ssh -F none -p \(box.port) -i '\(box.clientKeyFile)' -o StrictHostKeyChecking=no -o LogLevel=ERROR "
                + "-o UserKnownHostsFile=/dev/null \(SandboxUser.alice.name)@\(box.host) \(word)"
        }
    }

    struct ServerGone: Error {}
}
