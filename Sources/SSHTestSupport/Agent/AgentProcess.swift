/// A real ssh-agent on a socket of its own.
///
/// It ends when the closure ends, or when this process dies.
public struct AgentProcess: Sendable {
    /// The path of its socket, for `SSH_AUTH_SOCK`.
    public let socket: String
    /// A directory for the test. It is removed when the agent ends.
    public let directory: ScratchDirectory

    /// ssh-agent ended before it listened.
    public struct StartFailed: Error, CustomStringConvertible {
        /// What it wrote.
        public let output: String
        /// Its output, for a test's failure message.
        public var description: String { "ssh-agent did not start:\n\(output)" }
    }

    /// Starts an agent, adds `keys` to it, and gives it to `body`.
    ///
    /// - Throws: ``MissingTool`` without ssh-agent or ssh-add, ``ProcessFailed`` if a key is refused, or what `body` throws.
    @discardableResult
    public static func run<R>(keys: [TestKey] = [], _ body: (AgentProcess) async throws -> R) async throws -> R {
        let program = try MissingTool.locate("ssh-agent")
        let directory = try ScratchDirectory.make(prefix: "agent-")
        let agent = AgentProcess(socket: directory.path("socket"), directory: directory)
        let process = try await SupervisedProcess.start([program, "-D", "-a", agent.socket], in: directory)
        return try await withCleanup {
            await process.stop()
        } _: {
            do {
                // ssh-agent prints this once it listens.
                try await process.transcript.wait(for: "SSH_AUTH_SOCK")
            } catch is Transcript.Ended {
                throw StartFailed(output: process.transcript.text)
            }
            for key in keys { try await agent.add(key) }
            return try await body(agent)
        }
    }

    /// Adds a key that has no passphrase.
    ///
    /// `options` are ssh-add's, `["-c"]` or `["-t", "60"]` for instance.
    public func add(_ key: TestKey, options: [String] = []) async throws {
        // The key goes through standard input, so that it is not written to a file.
        try await ProcessRun.check(
            "ssh-add", ["-q"] + options + ["-"], environment: environment, input: .bytes(Array(key.privateKey.utf8)))
    }

    /// Removes all keys.
    public func removeAll() async throws { try await ProcessRun.check("ssh-add", ["-q", "-D"], environment: environment) }

    /// Locks the agent with a passphrase. It then reports that it has no keys.
    public func lock(_ passphrase: String) async throws {
        try await change("-x", passphrase, prompts: ["password: ", "Again: "])
    }

    /// Unlocks the agent.
    public func unlock(_ passphrase: String) async throws { try await change("-X", passphrase, prompts: ["password: "]) }

    private var environment: ProcessEnvironment {
        .exactly(["PATH": "/usr/bin:/bin", "SSH_AUTH_SOCK": socket])
    }

    /// Locks or unlocks on a terminal, because ssh-add asks for the passphrase only there.
    private func change(_ option: String, _ passphrase: String, prompts: [String]) async throws {
        let result = try await TerminalRun.run("ssh-add", [option], environment: environment) { terminal in
            var place = 0
            for prompt in prompts {
                place = try await terminal.standardOutput.wait(for: prompt, after: place)
                try await terminal.write(passphrase + "\r")
            }
        }
        guard result.termination == .exited(0) else { throw ProcessFailed(command: ["ssh-add", option], result: result) }
    }
}
