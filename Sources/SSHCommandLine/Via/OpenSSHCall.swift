import BridgeSSH
import ErrorCore
import SSHRun

/// One run of OpenSSH's ssh from its start to its verdict: a command or a subsystem on a host, with bridge-ssh's deadlines.
struct OpenSSHCall: Sendable {
    let route: OpenSSHRoute
    let request: OpenSSHRequest
    let timeline: Timeline
    let control: RunControl
    let log: any RunLog
    /// The command's options, with its time limits.
    var options = SSHCommandOptions()
    /// The password and the passphrase.
    let credentials: SSHCredentials
    /// The secrets of all attempts.
    let known: KnownSecrets
    /// Whether the connection is examined: by a log at DEBUG2, and never through a connection that another ssh keeps.
    var isExamination = false
    /// The unknown keys of the run; nil for a run of one host.
    var unknownKeys: UnknownHostKeys?

    /// ssh's input and outputs.
    struct Streams: Sendable {
        var output: RunStreams
        /// Read once the command runs; the reader notes what it takes of an input that cannot be read again.
        var input: CommandInput = .none
        /// Carries standard input and output in place of `input` and `output`; the caller closes it.
        var socket: Int32?
        /// Called when ssh has requested the command.
        var running: @Sendable () async -> Void = {}
        /// Called with the running command; nil if only the caller's control has to know it.
        var began: (@Sendable (any ControlledCommand) -> Void)?
        /// Called after output was taken.
        var arrived: @Sendable () -> Void = {}
    }

    /// A running ssh, with its directory and its monitor.
    struct RunningSSH {
        let ssh: RealSSH
        let words: [String]
        let place: OpenSSHDirectory
        let process: OpenSSHProcess
        let watch: OpenSSHMonitor
        let answers: OpenSSHAnswers
        let streams: Streams
        let logsClose: Bool
    }

    func perform(_ streams: Streams) async -> RunOutcome.End { await observe(streams).end }

    /// Runs ssh to its end.
    ///
    /// - Returns: how it ended, and what the log says about the connection; nil if ssh was not started.
    func connect(_ streams: Streams) async -> (end: RunOutcome.End, watch: OpenSSHMonitor?) {
        do {
            let running = try await start(streams)
            await follow(running)
            // The directory is removed only now, because the verdict on a failure reads it.
            defer { running.place.remove() }
            let end = end(running)
            return (await closedLogins(running, end).map { .failed($0) } ?? end, running.watch)
        } catch {
            return (control.end(of: error), nil)
        }
    }

    private var onlyLogsIn: Bool { if case .login = request { true } else { false } }

    // MARK: Start

    private func start(_ streams: Streams) async throws -> RunningSSH {
        guard let ssh = RealSSH.find() else {
            throw UsageProblem(
                field: "--via ssh",
                problem: "there is no ssh in PATH; install OpenSSH, set BRIDGE_SSH_OPENSSH to its path, or leave --via ssh out")
        }
        if route.knownHosts.areExplicit {
            do { _ = try route.knownHosts.load(policy: route.policy) } catch let problem as SSHKnownHostsProblem {
                var evidence = SSHEvidence(
                    event: .knownHostsUnreadable(path: problem.path, systemError: problem.errno), stage: .hostKey)
                place(&evidence)
                throw SSHFailureClassifier.classify(evidence)
            }
        }
        let log = log
        var plan = OpenSSHAnswers.Plan(notice: { log.warns($0) })
        (plan.password, plan.passphrase) = (credentials.password, credentials.passphrase)
        plan.questioner = route.mayAsk ? QuestionerChoice.ofThisProcess.questioner : nil
        let knowsLogVerbose = ssh.knowsLogVerbose()
        if plan.hasAny, !knowsLogVerbose, plan.questioner == nil {
            throw UsageProblem(
                field: plan.password == nil ? "--passphrase-file" : "--password-file",
                problem:
                    "\(ssh.path) is older than OpenSSH 8.5, and cannot receive a secret safely; use an agent, "
                    + "or leave --via ssh out")
        }
        for secret in [plan.password, plan.passphrase].compactMap({ $0 }) { known.add(secret) }
        let place = try OpenSSHDirectory(configuration: route.configuration, asks: plan.hasAny)
        let logRequest = LogRequest(level: isExamination ? .debug2 : .info, knowsLogVerbose: knowsLogVerbose)
        let words = route.arguments(
            request, logRequest, in: place, asks: plan.hasAny, hasPassword: plan.password != nil,
            isAlone: isExamination, hasTerminal: options.pty != nil)
        var program = LocalProgram(ssh.path, words)
        program.name = place.ssh
        program.hasOwnGroup = true
        program.defaultSignals = LocalProgram.writeSignals
        program.environment = .variables(
            Self.environment(plan.hasAny ? place.askpass : nil, terminal: options.pty?.terminal))
        let watch = OpenSSHMonitor(logRequest, timeline, onlyLogsIn: onlyLogsIn, keepsDetails: isExamination)
        let terminal = try options.pty.map { try OpenSSHTerminal($0) }
        timeline.begin(.resolve, "")
        do {
            let process = try OpenSSHProcess(program, in: place, over: streams.socket, terminal: terminal) {
                watch.take($0, beside: $1)
            }
            return RunningSSH(
                ssh: ssh, words: words, place: place, process: process, watch: watch, answers: OpenSSHAnswers(plan),
                streams: streams, logsClose: logRequest.usesLogVerbose)
        } catch {
            place.remove()
            throw UsageProblem(field: "--via ssh", problem: "\(ssh.path) cannot be run: \(error.text)")
        }
    }

    private static func environment(_ askpass: String?, terminal: String?) -> [String] {
        let ownVariables = ["SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SSH_ASKPASS_PROMPT"] + (terminal == nil ? [] : ["TERM"])
        let kept =
            LocalMachine.environment.filter { !ownVariables.contains($0.name) }.map { "\($0.name)=\($0.value)" }
            + (terminal.map { ["TERM=\($0)"] } ?? [])
        guard let askpass else { return kept + ["SSH_ASKPASS_REQUIRE=never"] }
        return kept + ["SSH_ASKPASS=\(askpass)", "SSH_ASKPASS_REQUIRE=force"]
    }

    // MARK: The way

    private func follow(_ running: RunningSSH) async {
        let (process, watch) = (running.process, running.watch)
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await watchDeadlines(watch) }
                group.addTask { await watchCommand(watch) }
                group.addTask { await answerQuestions(running) }
                group.addTask { await feed(running) }
                group.addTask {
                    await watch.interrupted()
                    guard watch.interruption != nil else { return }
                    await process.kill()
                    // A stalled reader, or a person who is asked, must not block the end.
                    try? await Task.sleep(for: Self.readerTimeLimit)
                    running.streams.output.abandon()
                }
                group.addTask {
                    guard await watch.running() else { return }
                    control.isConnected(true)
                    let command = OpenSSHCommand(watch: watch, process: process)
                    if let began = running.streams.began { began(command) } else { control.running(command, hasTerminal: false) }
                    await running.streams.running()
                    if onlyLogsIn { _ = watch.interrupt(.loggedIn) }
                }
                await move(running)
                await process.ended()
                control.finished()
                watch.processEnded()
                group.cancelAll()
            }
        } onCancel: {
            _ = watch.interrupt(.cancelled(signal: control.signal))
        }
        timeline.end()
    }

    private static let readerTimeLimit = Duration.milliseconds(600)

    private func watchDeadlines(_ watch: OpenSSHMonitor) async {
        let limit = Duration.seconds(route.timeout.boundedSeconds)
        while !watch.isRunning, !Task.isCancelled {
            let passed = watch.connecting
            if let passed, passed >= limit {
                let kind: SSHDeadline.Kind = watch.progress.stage == .resolve ? .resolve : .connect
                _ = watch.interrupt(.deadline(SSHDeadline(kind: kind, seconds: limit.inSeconds)))
                return
            }
            // A person's typing does not count.
            try? await Task.sleep(for: passed.map { limit - $0 } ?? .milliseconds(200))
        }
    }

    private func watchCommand(_ watch: OpenSSHMonitor) async {
        guard await watch.running() else { return }
        await withTaskGroup(of: Void.self) { group in
            if let limit = options.timeout.map({ Duration.seconds($0.boundedSeconds) }) {
                group.addTask {
                    guard (try? await Task.sleep(for: limit)) != nil else { return }
                    _ = watch.interrupt(.deadline(SSHDeadline(kind: .command, seconds: limit.inSeconds)))
                }
            }
            if let limit = options.idleTimeout.map({ Duration.seconds($0.boundedSeconds) }) {
                group.addTask {
                    while !Task.isCancelled {
                        let silence = watch.timeSinceOutput
                        if silence >= limit {
                            _ = watch.interrupt(.deadline(SSHDeadline(kind: .idle, seconds: limit.inSeconds)))
                            return
                        }
                        try? await Task.sleep(for: limit - silence)
                    }
                }
            }
        }
    }

    private func answerQuestions(_ running: RunningSSH) async {
        for await socket in running.process.questions {
            running.watch.beginTyping()
            if let question = await OpenSSHQuestion(from: socket) {
                let isDestination = question.asker == running.process.id
                let isPartial = running.watch.progress.hasPartialSuccess
                if let answer = await running.answers.answer(
                    question, isDestination: isDestination, hasPartialSuccess: isPartial)
                {
                    if question.kind != "none" { known.add(answer) }
                    OpenSSHQuestion.answer(answer, to: socket)
                } else if isDestination, !route.mayAsk, !question.isForKey {
                    // Otherwise ssh would send an empty answer.
                    _ = running.watch.interrupt(.unanswered(question))
                }
            }
            running.watch.endTyping()
        }
    }

    /// Reads input only once the command runs: until then another attempt may still need it.
    private func feed(_ running: RunningSSH) async {
        guard let next = running.streams.input.next else { return running.process.closeInput() }
        guard await running.watch.running() else { return }
        do {
            while let piece = try await next() {
                guard await running.process.write(piece) else { return }
            }
            if !Task.isCancelled { running.process.closeInput() }
        } catch {
            _ = running.watch.interrupt(.inputFailed(error))
        }
    }

    /// Passes on both outputs to their end.
    private func move(_ running: RunningSSH) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await move(.standardOutput, running) }
            group.addTask { await move(.standardError, running) }
        }
    }

    private func move(_ stream: SSHEvidence.OutputStream, _ running: RunningSSH) async {
        let (process, watch) = (running.process, running.watch)
        var isDropped = false
        while let bytes = await process.next(stream == .standardOutput ? .output : .errors) {
            watch.note(bytes, stream)
            // In a terminal session the command writes nothing to standard error: it is all ssh's.
            if isDropped || watch.interruption != nil || stream == .standardError && options.pty != nil { continue }
            do {
                guard try await running.streams.output.take(SSHOutputChunk(copying: bytes, stream: stream)) else {
                    _ = watch.interrupt(.outputLimit(stream, options.outputLimit))
                    continue
                }
                running.streams.arrived()
            } catch {
                isDropped = true
                if error as? OutputFailure == .overLimit {
                    _ = watch.interrupt(.outputLimit(stream, options.outputLimit))
                }
                // Discard standard error if its reader has gone; the command continues.
                guard stream == .standardOutput else { continue }
                switch error as? OutputFailure {
                case .system(let number): _ = watch.interrupt(.outputLost(number))
                case .closed: _ = watch.interrupt(.outputClosed)
                default: break
                }
            }
        }
    }
}
