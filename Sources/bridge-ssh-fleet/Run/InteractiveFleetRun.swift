internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun
internal import Synchronization

/// Carries out a run with this process's standard streams and signals.
struct InteractiveFleetRun {
    private let display: FleetDisplay
    private let options: FleetDisplay.Options
    private let setting: FleetRunConfiguration
    private let running = RunningBox()
    /// Whether a signal ends the run in order; if not, it ends the process.
    var endsInOrder = true
    /// Whether keys can control the run; only on a terminal.
    var takesKeys = false
    /// Called with every event.
    var observe: @Sendable (FleetEvent) -> Void = { _ in }

    init(_ options: FleetDisplay.Options, _ setting: FleetRunConfiguration) throws {
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
        let keys = KeyboardControlBox()
        var setting = setting
        // A question needs the terminal for itself.
        let begin: @Sendable () async -> Void = { [display] in
            await keys.stop()
            try? await display.hideProgress(true)
        }
        let end: @Sendable () async -> Void = { [display] in
            try? await display.hideProgress(false)
            keys.start()
        }
        let shownRun = Mutex<FleetRun?>(nil)
        if let between = setting.between {
            setting.between = { number in
                // All lines of the batch come before the question.
                await shownRun.withLock { $0 }?.untilEventsAreHandled()
                if Task.isCancelled { return "interrupted" }
                await begin()
                let problem = await between(number)
                await end()
                return problem
            }
        }
        setting.sudo?.wrapPrompt { ask in
            await begin()
            let secret = try? await ask()
            await end()
            return secret
        }
        return try await Fleet.withRun(setting) { run in
            shownRun.withLock { $0 = run }
            defer { shownRun.withLock { $0 = nil } }
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
        let parallel = await run.coordinator.parallel
        var text = RunKey.helpText
        switch key {
        case .help: break
        case .list:
            text = RunningList.text(
                await run.coordinator.running, parallel: parallel, rows: FleetProcess.rows,
                width: options.width?() ?? options.form.width, options.form)
        case .more, .fewer:
            await run.setParallel(key == .more ? parallel * 2 : max(1, parallel / 2))
            text = "bridge-ssh: at most \(await run.coordinator.parallel) at once\n"
        }
        try? await display.say(text)
    }

    private func show(_ run: FleetRun) async throws -> SSHExitStatus {
        var unwritable: SSHError?
        var isOutputLost = false
        do {
            for try await event in run.events {
                observe(event)
                do {
                    try await display.take(event)
                } catch let error as SSHError {
                    unwritable = unwritable ?? error
                    await run.coordinator.stop(because: error.message)
                } catch OutputFailure.system(let number) where !isOutputLost {
                    // The hosts' output is lost. Running commands are ended, and the journal gets all outcomes.
                    isOutputLost = true
                    unwritable = Self.lost(number)
                    await run.end()
                }
            }
        } catch let failure as OutputFailure {
            // The same applies if the reader is gone, or nothing can be written.
            run.abandonEvents()
            await run.end()
            guard case .system(let number) = failure else { return .outputClosed }
            throw unwritable ?? Self.lost(number)
        }
        var status = SSHExitStatus(rawValue: Int32(run.summary.exitStatus))
        if let unwritable {
            FleetProcess.show(unwritable)
            if status == .success || isOutputLost { status = unwritable.exitStatus(.bridge) }
        }
        // Exit without waiting for attempts that cannot be ended.
        if await run.coordinator.wasAbandoned { FleetProcess.leave(with: status) }
        return status
    }

    private static func lost(_ systemError: Int32) -> SSHError {
        SSHFailureClassifier.classify(SSHEvidence(event: .outputUnwritable(systemError: systemError), stage: .local))
    }

    private func tick(_ run: FleetRun) async {
        guard display.showsProgress else { return }
        while (try? await Task.sleep(for: FleetDisplay.frame)) != nil {
            let (count, slowest) = await run.coordinator.runningSum
            let waiting = await run.coordinator.waiting
            running.set(RunningHosts(count: count, slowest: slowest.map { ($0.host, $0.duration) }, waiting: waiting))
            await display.setTerminalIsElsewhere(FleetProcess.isInBackground)
            try? await display.tick()
        }
    }

    /// Reports, once, that hosts wait for input on a pipe without a writer, as in a shell loop or in a job with an open pipe.
    private func watchInput() async {
        guard let input = setting.input, input.isStream, !options.isQuiet else { return }
        var seconds = 0
        while seconds < Self.inputNoteDelay, (try? await Task.sleep(for: .seconds(1))) != nil {
            if input.end != nil || input.count > 0 { return }
            seconds = input.isAwaited ? seconds + 1 : 0
        }
        guard !Task.isCancelled else { return }
        await note(
            "the hosts wait for \(input.name == "-" ? "standard input" : input.name), which has not been written to or closed; "
                + "-n gives them none")
    }

    /// How many seconds hosts wait for input before that is reported.
    private static let inputNoteDelay = 3

    /// Handles Ctrl-C. The first time no more hosts are begun, the second time running commands are ended, and the third time the
    /// run ends without waiting for them.
    private func received(_ signal: String, _ run: FleetRun) async {
        switch await run.coordinator.interrupt(by: signal) {
        case 1:
            let count = await run.coordinator.runningSum.count
            await note("no further hosts are started; \(count) still running. Press Ctrl-C again to stop them.")
        case 2: await note("stopping the running commands. Press Ctrl-C again to quit without waiting for them.")
        default: break
        }
    }

    /// Shows a note above the progress line, unless the run is over. If a write to the display is stuck, bypasses the display.
    private func note(_ text: String) async {
        for _ in 0..<Self.maximumPolls where await display.isWriting { try? await Task.sleep(for: .milliseconds(20)) }
        if await display.isWriting { FleetProcess.note(text) } else { try? await display.note(text) }
    }

    /// How often, every 20 ms, a note checks whether the display is free.
    private static let maximumPolls = 25
}

/// The latest snapshot of the running hosts.
private final class RunningBox: Sendable {
    private let state = Mutex(RunningHosts())

    var hosts: RunningHosts { state.withLock { $0 } }
    func set(_ hosts: RunningHosts) { state.withLock { $0 = hosts } }
}

/// The keyboard control of a run, which pauses during questions.
private final class KeyboardControlBox: Sendable {
    private let keys = Mutex<RunKeys?>(nil)

    func begin(_ new: RunKeys?) {
        keys.withLock { $0 = new }
        new?.start()
    }

    /// Under the lock, so it cannot start after `end`.
    func start() { keys.withLock { $0?.start() } }
    func stop() async { await keys.withLock { $0 }?.stop() }
    /// Stops it for good.
    func end() async { await keys.withLock { $0.take() }?.stop() }
}

/// Writes to standard output and standard error.
private struct StandardSink: FleetSink {
    private let outputs = StandardOutputs()

    func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
        try await outputs.write(bytes, to: stream == .standardOutput ? 1 : 2)
    }
}
