extension SSHConnection {
    /// Runs a command in a shell, for devices that start no commands (`ssh.channel.exec-denied`). The command is typed at the
    /// device's prompt; the output is everything until the prompt comes again.
    ///
    /// A shell reports no exit status. The result's termination is ``SSHTermination/unknown``: it only means that the device
    /// accepted the command and showed its prompt again. The output contains neither the echo of the command nor the prompts.
    /// Line ends are `\n`, and control sequences for line editing are applied.
    ///
    /// - Parameters:
    ///   - command: one line.
    ///   - shell: describes the device's prompt, if it is not a known one.
    ///   - options: how to run it. Without ``SSHCommandOptions/timeout`` and ``SSHCommandOptions/idleTimeout``, the limit on
    ///     silence is two minutes. The environment is not sent.
    /// - Throws: ``SSHError``: `ssh.channel.prompt-missing` if no prompt comes within ``SSHTimeouts/connect``;
    ///   `ssh.command.rejected` if the device rejects the command; `ssh.command.outcome-unknown` if it closes the session before
    ///   its prompt comes again; otherwise as ``run(_:options:standardInput:check:)``.
    public func runInShell(
        _ command: String, shell: SSHShellOptions = SSHShellOptions(), options: SSHCommandOptions = SSHCommandOptions()
    ) async throws -> SSHCommandResult {
        let collected = OutputCollector(.standardOutput, limit: options.outputLimit)
        let start = MonotonicInstant.now
        func result() -> SSHCommandResult {
            SSHCommandResult(
                command: command, termination: .unknown, standardOutput: collected.bytes, standardError: [],
                durationSeconds: start.seconds(to: .now))
        }
        do {
            _ = try await inShell(command, shell, options) { execution, dialogue in
                for try await chunk in execution.standardOutput {
                    guard collected.take(copying: dialogue.take(chunk)) else { return await collected.overflowed(execution) }
                }
                _ = collected.take(copying: dialogue.end())
            }
            return result()
        } catch var failure as SSHError {
            failure.result = failure.result ?? result()
            throw failure
        }
    }

    /// - Parameter read: reads the shell's output, and passes it to the dialogue.
    /// - Returns: the facts about the shell.
    package func inShell(
        _ command: String, _ shell: SSHShellOptions, _ options: SSHCommandOptions,
        _ read: (SSHExecution, ShellDialogue) async throws -> Void
    ) async throws -> SSHShellEvidence {
        if let problem = Self.problem(command, shell) {
            throw await recorder.error(Fault(.usage(field: problem.field, problem: problem.text), stage: .local))
        }
        let dialogue = await ShellDialogue(command, shell, on: self)
        let patience = configuration.timeouts.connect
        let outcome = try await execute(
            .shell(command), options: options.forDevice, standardInput: dialogue.standardInput, standardError: .stream,
            whenBodyReturns: .wait
        ) { execution in
            dialogue.began(execution)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await dialogue.watch(execution, patience: patience) }
                defer { group.cancelAll() }
                try await read(execution, dialogue)
            }
        }
        for notice in dialogue.notices { recorder.timeline.notice(notice) }
        if let failure = dialogue.failure(outcome) { throw failure }
        return dialogue.evidence
    }

    /// Why a command cannot be typed; nil if it can.
    package static func problem(_ command: String, _ shell: SSHShellOptions) -> (field: String, text: String)? {
        if let problem = shell.problem { return ("prompt", problem) }
        if command.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\t" }) {
            return ("command", "it has a line end or another control character; a device's shell is sent one line")
        }
        return nil
    }
}
