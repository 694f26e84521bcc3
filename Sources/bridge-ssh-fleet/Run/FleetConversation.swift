internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun
internal import Synchronization

/// A run with this process's outputs and signals.
struct FleetConversation {
    private let display: FleetDisplay
    private let options: FleetDisplay.Options
    private let setting: FleetSetting
    private let running = RunningBox()
    /// Whether a signal ends the run in order; otherwise it ends the process.
    var endsInOrder = true
    /// Whether a person's keys are taken while it runs; only at a terminal.
    var takesKeys = false
    /// Sees every event.
    var observe: @Sendable (FleetEvent) -> Void = { _ in }

    init(_ options: FleetDisplay.Options, _ setting: FleetSetting) throws {
        let running = running
        var options = options
        options.keptInMemory = MemoryShares(of: setting.memory).shown
        self.options = options
        display = try FleetDisplay(
            options, sink: StandardSink(), folded: setting.folded, running: { running.hosts })
        var setting = setting
        setting.output.streams = display.needsPieces
        self.setting = setting
    }

    func perform() async throws -> SSHExitStatus {
        let keys = KeysBox()
        var setting = setting
        // A question has the terminal for itself.
        let begin: @Sendable () async -> Void = { [display] in
            await keys.stop()
            try? await display.hideProgress(true)
        }
        let end: @Sendable () async -> Void = { [display] in
            try? await display.hideProgress(false)
            keys.start()
        }
        if let between = setting.between {
            setting.between = { number in
                await begin()
                let problem = await between(number)
                await end()
                return problem
            }
        }
        setting.sudo?.surround { ask in
            await begin()
            let secret = try? await ask()
            await end()
            return secret
        }
        return try await Fleet.withRun(setting) { run in
            if takesKeys, options.form.isErrorTerminal, !options.isQuiet {
                keys.begin(
                    RunKeys { byte in
                        guard let key = RunKey(byte) else { return }
                        Task { await pressed(key, run) }
                    })
            }
            if endsInOrder { FleetProcess.watchSignals { signal in Task { await received(signal, run) } } }
            let ticking = Task { await tick(run) }
            let watching = Task { await watchInput() }
            defer {
                ticking.cancel()
                watching.cancel()
            }
            do {
                let status = try await show(run)
                await keys.end()
                return status
            } catch {
                await keys.end()
                throw error
            }
        }
    }

    private func pressed(_ key: RunKey, _ run: FleetRun) async {
        let parallel = await run.conductor.parallel
        var text = RunKey.helpText
        switch key {
        case .help: break
        case .list:
            text = RunningList.text(
                await run.conductor.running, parallel: parallel, rows: FleetProcess.rows,
                width: options.width?() ?? options.form.width, options.form)
        case .more, .fewer:
            await run.setParallel(key == .more ? parallel * 2 : max(1, parallel / 2))
            text = "bridge-ssh: at most \(await run.conductor.parallel) at once\n"
        }
        try? await display.say(text)
    }

    private func show(_ run: FleetRun) async throws -> SSHExitStatus {
        var unwritable: SSHError?
        do {
            for try await event in run.events {
                observe(event)
                do {
                    try await display.take(event)
                } catch let error as SSHError {
                    unwritable = unwritable ?? error
                    await run.conductor.stop(because: error.message)
                }
            }
        } catch let failure as OutputFailure {
            // Nothing takes what hosts say any more. What runs is ended, and the journal has all outcomes.
            run.abandonEvents()
            await run.end()
            guard case .system(let number) = failure else { return .outputClosed }
            throw SSHFailureClassifier.classify(SSHEvidence(event: .outputUnwritable(systemError: number), stage: .local))
        }
        var status = SSHExitStatus(rawValue: Int32(run.summary.exitStatus))
        if let unwritable {
            FleetProcess.show(unwritable)
            if status == .success { status = unwritable.exitStatus(.bridge) }
        }
        // Attempts that do not let themselves be ended would keep us here.
        if await run.conductor.wasLeft { FleetProcess.leave(with: status) }
        return status
    }

    private func tick(_ run: FleetRun) async {
        guard display.showsProgress else { return }
        while (try? await Task.sleep(for: FleetDisplay.frame)) != nil {
            let (count, slowest) = await run.conductor.runningSum
            let waiting = await run.conductor.waiting
            running.set(RunningHosts(count: count, slowest: slowest.map { ($0.host, $0.duration) }, waiting: waiting))
            await display.setTerminalIsElsewhere(FleetProcess.isInBackground)
            try? await display.tick()
        }
    }

    /// Says once that hosts wait for input on a pipe without a writer, as in a shell loop or in a job with an open pipe.
    private func watchInput() async {
        guard let input = setting.input, input.isStream, !options.isQuiet else { return }
        var seconds = 0
        while seconds < Self.silence, (try? await Task.sleep(for: .seconds(1))) != nil {
            if input.end != nil || input.count > 0 { return }
            seconds = input.isAwaited ? seconds + 1 : 0
        }
        guard !Task.isCancelled else { return }
        await note(
            "the hosts wait for \(input.name == "-" ? "standard input" : input.name), which has not been written to or closed; "
                + "-n gives them none")
    }

    /// For how many seconds hosts wait for their input before that is said.
    private static let silence = 3

    /// ^C: the first time no more hosts are begun, the second time running commands are ended, the third time the run is left.
    private func received(_ signal: String, _ run: FleetRun) async {
        switch await run.conductor.interrupt(by: signal) {
        case 1:
            let count = await run.conductor.runningSum.count
            await note("no further hosts are started; \(count) still running. Press Ctrl-C again to stop them.")
        case 2: await note("stopping the running commands. Press Ctrl-C again to quit without waiting for them.")
        default: break
        }
    }

    /// Says something above the progress line, unless the run is over; past the display, where a write of it does not come to
    /// its end.
    private func note(_ text: String) async {
        for _ in 0..<Self.patience where await display.isWriting { try? await Task.sleep(for: .milliseconds(20)) }
        if await display.isWriting { FleetProcess.note(text) } else { try? await display.say("bridge-ssh: \(text)\n") }
    }

    /// How many times 20 ms a notice waits for the display.
    private static let patience = 25
}

/// The hosts that are under way, as they were last looked at.
private final class RunningBox: Sendable {
    private let state = Mutex(RunningHosts())

    var hosts: RunningHosts { state.withLock { $0 } }
    func set(_ hosts: RunningHosts) { state.withLock { $0 = hosts } }
}

/// A run's keys, which give way to questions.
private final class KeysBox: Sendable {
    private let keys = Mutex<RunKeys?>(nil)

    func begin(_ new: RunKeys?) {
        keys.withLock { $0 = new }
        new?.start()
    }

    /// Under the lock, so that none are started once they have ended.
    func start() { keys.withLock { $0?.start() } }
    func stop() async { await keys.withLock { $0 }?.stop() }
    /// They are not started any more.
    func end() async { await keys.withLock { $0.take() }?.stop() }
}

/// Writes to standard output and standard error.
private struct StandardSink: FleetSink {
    private let outputs = StandardOutputs()

    func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
        try await outputs.write(bytes, to: stream == .standardOutput ? 1 : 2)
    }
}
