extension SSHConnection {
    /// Runs a command in a shell, for devices that start no commands (`ssh.channel.exec-denied`). The command is typed at the
    /// device's prompt; the output is everything until the prompt comes again.
    ///
    /// A shell reports no exit status. The result's termination is ``SSHTermination/unknown``: the device took the command and
    /// showed its prompt again, and no more is known. The echo of the command and the prompts are not in the output; line ends
    /// are `\n`, and the editing of terminal lines was carried out. A prompt counts only after the device has shown the command
    /// as it was typed: devices draw their prompts anew.
    ///
    /// - Parameters:
    ///   - command: one line.
    ///   - shell: the form of the device's prompt, if bridge-ssh does not know it.
    ///   - options: without ``SSHCommandOptions/timeout`` and ``SSHCommandOptions/idleTimeout`` the device may be silent for two
    ///     minutes. The environment is not sent.
    /// - Throws: ``SSHError``: `ssh.channel.prompt-missing` where no prompt comes within ``SSHTimeouts/connect``;
    ///   `ssh.command.rejected` where the device answers with an error, whose ``SSHError/commandMayHaveRun`` is `no` where the
    ///   device did not understand the command; `ssh.command.outcome-unknown` where it closes the session before its prompt is
    ///   back; otherwise as ``run(_:options:standardInput:check:)``.
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
        let timeLimit = configuration.timeouts.connect
        let outcome = try await execute(
            .shell(command), options: options.forDevice, standardInput: dialogue.standardInput, standardError: .stream,
            whenBodyReturns: .wait
        ) { execution in
            dialogue.began(execution)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await dialogue.watch(execution, timeLimit: timeLimit) }
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

/// How to run a command in a device's shell (``SSHConnection/runInShell(_:shell:options:)``).
public struct SSHShellOptions: Sendable, Hashable {
    /// A regular expression for the device's prompt. It must match at the end of the prompt's line, with or without trailing
    /// spaces. Nil to recognise the prompts of Cisco IOS and NX-OS, Juniper Junos, Arista EOS, MikroTik RouterOS, and similar
    /// ones.
    public var prompt: String?

    /// - Parameter prompt: a regular expression for the prompt.
    public init(prompt: String? = nil) { self.prompt = prompt }

    /// Why ``prompt`` cannot be used; nil if it can.
    package var problem: String? {
        guard let prompt else { return nil }
        if prompt.isEmpty { return "it is empty, which matches everything; write how the prompt looks" }
        do {
            _ = try Regex(prompt)
            return nil
        } catch {
            return "it is not a regular expression; a literal sign needs a backslash before it, as in \\["
        }
    }
}

extension SSHCommandOptions {
    /// A terminal so large that devices neither wrap a command nor stop after each page.
    private static let deviceTerminal = SSHPTYOptions(terminal: "vt100", columns: 511, rows: 1000)
    /// The limit on silence. A device that asks a question would otherwise be awaited forever.
    private static let deviceSilence = Duration.seconds(120)

    /// The options for a device's shell: a terminal, no variables, and a limit on silence if there is no other limit.
    package var forDevice: SSHCommandOptions {
        var options = self
        options.environment = []
        options.mergesOutput = true
        options.pty = options.pty ?? Self.deviceTerminal
        if options.timeout == nil, options.idleTimeout == nil { options.idleTimeout = Self.deviceSilence }
        return options
    }
}
