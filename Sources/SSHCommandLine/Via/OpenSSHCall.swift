import BridgeSSH
import ErrorCore
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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

    /// ssh's input and outputs.
    struct Streams: Sendable {
        var output: RunStreams
        var input: CommandInput = .none
        var use = InputUse()
        /// Carries standard input and output in place of `input` and `output`; the caller closes it.
        var socket: Int32?
        /// Called when ssh has requested the command.
        var running: @Sendable () async -> Void = {}
    }

    /// A running ssh, with its directory and its monitor.
    private struct Running {
        let ssh: RealSSH
        let words: [String]
        let place: OpenSSHDirectory
        let process: OpenSSHProcess
        let watch: OpenSSHMonitor
        let answers: OpenSSHAnswers
        let streams: Streams
        let tellsClose: Bool
    }

    /// Runs it to its end.
    func perform(_ streams: Streams) async -> RunOutcome.End {
        do {
            let running = try await start(streams)
            await follow(running)
            // Not earlier: the verdict on a failure reads the directory.
            defer { running.place.remove() }
            return end(running)
        } catch {
            return control.end(of: error)
        }
    }

    private var onlyLogsIn: Bool { if case .login = request { true } else { false } }

    // MARK: Start

    private func start(_ streams: Streams) async throws -> Running {
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
        let logRequest = LogRequest(level: .info, knowsLogVerbose: knowsLogVerbose)
        let words = route.arguments(
            request, logRequest, in: place, asks: plan.hasAny, hasPassword: plan.password != nil)
        var program = LocalProgram(ssh.path, words)
        program.name = place.ssh
        program.hasOwnGroup = true
        program.defaultSignals = [SIGPIPE]
        program.environment = .variables(Self.environment(plan.hasAny ? place.askpass : nil))
        let watch = OpenSSHMonitor(logRequest, timeline, onlyLogsIn: onlyLogsIn)
        timeline.begin(.resolve, "")
        do {
            let process = try OpenSSHProcess(program, in: place, over: streams.socket) {
                watch.take($0, beside: $1)
            }
            return Running(
                ssh: ssh, words: words, place: place, process: process, watch: watch, answers: OpenSSHAnswers(plan),
                streams: streams, tellsClose: logRequest.usesLogVerbose)
        } catch {
            place.remove()
            throw UsageProblem(field: "--via ssh", problem: "\(ssh.path) cannot be run: \(error.text)")
        }
    }

    private static func environment(_ askpass: String?) -> [String] {
        let ours = ["SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SSH_ASKPASS_PROMPT"]
        let kept = LocalMachine.environment.filter { !ours.contains($0.name) }.map { "\($0.name)=\($0.value)" }
        guard let askpass else { return kept + ["SSH_ASKPASS_REQUIRE=never"] }
        return kept + ["SSH_ASKPASS=\(askpass)", "SSH_ASKPASS_REQUIRE=force"]
    }

    // MARK: The way

    private func follow(_ running: Running) async {
        let (process, watch) = (running.process, running.watch)
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await watchDeadlines(watch) }
                group.addTask { await watchCommand(watch) }
                group.addTask { await answerQuestions(running) }
                group.addTask { await feed(running) }
                group.addTask {
                    await watch.interrupted()
                    if watch.interruption != nil { await process.kill() }
                }
                group.addTask {
                    guard await watch.running() else { return }
                    control.isConnected(true)
                    control.running(OpenSSHCommand(watch: watch), hasTerminal: false)
                    await running.streams.running()
                    if onlyLogsIn { _ = watch.interrupt(.loggedIn) }
                }
                await move(running)
                await process.ended()
                control.finished()
                watch.over()
                group.cancelAll()
            }
        } onCancel: {
            _ = watch.interrupt(.cancelled(signal: control.signal))
        }
        timeline.end()
    }

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
                        let silence = watch.silence
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

    private func answerQuestions(_ running: Running) async {
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
    private func feed(_ running: Running) async {
        guard let next = running.streams.input.next else { return running.process.closeInput() }
        let input = running.streams.input
        guard await running.watch.running() else { return }
        do {
            while let piece = try await next() {
                if !input.isRepeatable { running.streams.use.took() }
                guard await running.process.write(piece) else { return }
            }
            if !Task.isCancelled { running.process.closeInput() }
        } catch {
            _ = running.watch.interrupt(.inputFailed(error))
        }
    }

    /// Passes on both outputs to their end.
    private func move(_ running: Running) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await move(.standardOutput, running) }
            group.addTask { await move(.standardError, running) }
        }
    }

    private func move(_ stream: SSHEvidence.OutputStream, _ running: Running) async {
        let (process, watch) = (running.process, running.watch)
        var isDropped = false
        while let bytes = await process.next(stream == .standardOutput ? .output : .errors) {
            watch.note(bytes, stream)
            if isDropped || watch.interruption != nil { continue }
            do {
                guard try await running.streams.output.take(SSHOutputChunk(copying: bytes, stream: stream)) else {
                    _ = watch.interrupt(.outputLimit(stream, options.outputLimit))
                    continue
                }
            } catch {
                // Discard standard error if its reader has gone; the command continues.
                isDropped = true
                guard stream == .standardOutput else { continue }
                switch error as? OutputFailure {
                case .system(let number): _ = watch.interrupt(.outputLost(number))
                case .closed: _ = watch.interrupt(.outputClosed)
                default: break
                }
            }
        }
    }

    // MARK: The end

    private func end(_ running: Running) -> RunOutcome.End {
        let watch = running.watch
        let progress = watch.progress
        switch watch.interruption {
        case .deadline(let deadline) where deadline.kind == .command || deadline.kind == .idle:
            return failed(.deadlinePassed(deadline), at: .command, running)
        case .deadline(let deadline): return .failed(complete(progress.passed(deadline), running))
        case .cancelled(let signal):
            return progress.isSent
                ? failed(.cancelled(signal: signal ?? control.signal), at: .local, running)
                : .cancelled(signal: signal ?? control.signal)
        case .outputLimit(let stream, let limit):
            return failed(.outputLimitExceeded(stream: stream, limit: limit), at: .command, running)
        case .outputClosed: return .outputClosed
        case .loggedIn: return .ended(.exited(0), nil)
        case .unanswered(let question): return unanswered(question, running)
        case .outputLost(let number): return failed(.outputUnwritable(systemError: number), at: .local, running)
        case .inputFailed(let error):
            let problem = (error as? Fault)?.event ?? .usage(field: "standard input", problem: "it cannot be read: \(error)")
            return failed(problem, at: .local, running)
        case nil: return judged(running)
        }
    }

    private func judged(_ running: Running) -> RunOutcome.End {
        let end = running.process.end
        let status = end.flatMap { $0.signal == nil ? $0.status : nil }
        if status == 0 { return .ended(.exited(0), nil) }
        // ssh reports the connection's end only on standard error (clientloop.c: quit_message).
        let last =
            status == 255 ? running.watch.tails.errors.split(whereSeparator: \.isNewline).last.map { "\($0)\r\n" } ?? "" : ""
        let text = running.watch.text
        let verdict = StandInVerdict(
            status: status, signal: end?.signal, ssh: running.ssh, words: running.words,
            trace: text + (Self.isEnding(last) ? last : ""), tellsClose: running.tellsClose)
        if verdict.ending == .remote, let status {
            let error = SSHFailureClassifier.classify(evidence(.commandEnded, .command, running, status))
            return .ended(.exited(status), error)
        }
        if verdict.error?.code == .hostKeyUnknown, !running.watch.progress.isCarried, let key = ChangedHostKeyCheck.shown(text) {
            return unknown(key, running)
        }
        guard let error = verdict.error else { return .unforeseen("ssh exited with status \(status ?? -1) and printed nothing") }
        return .failed(complete(error, running))
    }

    /// The verdict on an unknown host key in bridge-ssh's own words, which name the key and the command to type.
    private func unknown(_ key: (type: String, fingerprint: String), _ running: Running) -> RunOutcome.End {
        var evidence = evidence(.hostKeyRejected, .hostKey, running)
        (evidence.command, evidence.hostKeyReceived) = (nil, true)
        evidence.hostKey = SSHHostKeyEvidence(
            algorithm: key.type, fingerprint: key.fingerprint, verdict: .unknown(skippedLines: 0, certificateAuthority: nil),
            policy: route.policy)
        return .failed(SSHFailureClassifier.classify(evidence))
    }

    private func unanswered(_ question: OpenSSHQuestion, _ running: Running) -> RunOutcome.End {
        var login = running.watch.progress.login
        login.passwordChangeRequested = question.wantsNewPassword
        let isRefused = login.attempts.contains { $0.outcome == .refused && $0.method != "publickey" }
        var evidence = evidence(
            isRefused || question.wantsNewPassword
                ? .credentialsExhausted : .promptUnanswerable(prompt: question.words.oneLine(200)), .authentication, running)
        (evidence.command, evidence.authentication) = (nil, login)
        return .failed(SSHFailureClassifier.classify(evidence))
    }

    private static func isEnding(_ line: String) -> Bool {
        ["Connection to ", "Read from remote host ", "Timeout, server ", "Write failed: ", "client_loop: "].contains {
            line.hasPrefix($0)
        }
    }

    private func failed(_ event: SSHEvidence.Event, at stage: SSHStage, _ running: Running) -> RunOutcome.End {
        .failed(SSHFailureClassifier.classify(evidence(event, stage, running)))
    }

    /// The evidence of bridge-ssh itself, without ssh's messages.
    private func evidence(
        _ event: SSHEvidence.Event, _ stage: SSHStage, _ running: Running, _ status: Int? = nil
    ) -> SSHEvidence {
        let progress = running.watch.progress
        var evidence = SSHEvidence(event: event, stage: stage)
        var command = SSHCommandEvidence(command: request.text)
        command.progress = progress.isAccepted ? .accepted : progress.isSent ? .sent : .notSent
        command.exitStatus = status
        (command.endOfOutput, command.channelClosed) = (status != nil, status != nil)
        if running.watch.interruption != nil, progress.isSent { command.teardown = .channelClosed }
        (command.standardOutputTail, command.standardErrorTail) = running.watch.tails
        evidence.command = command
        place(&evidence)
        return known.masking(evidence)
    }

    private func place(_ evidence: inout SSHEvidence) {
        (evidence.host, evidence.port, evidence.user) = (route.endpoint.host, route.endpoint.port, route.endpoint.user)
        (evidence.name, evidence.options) = (route.endpoint.name, route.reachOptions)
        evidence.elapsedSeconds = timeline.elapsed
    }

    /// Completes a verdict from the log with bridge-ssh's own evidence.
    private func complete(_ error: SSHError, _ running: Running) -> SSHError {
        var evidence = error.evidence
        // With a jump host or a ProxyCommand, another host may have failed.
        let isNamed = [route.endpoint.host, route.named].contains(evidence.host) && evidence.port == route.endpoint.port
        let isOurs = !running.watch.progress.isCarried || isNamed
        if isOurs { place(&evidence) }
        evidence.elapsedSeconds = timeline.elapsed
        if case .command = request, evidence.command != nil || running.watch.progress.isAuthenticated {
            var command = evidence.command ?? SSHCommandEvidence(command: request.text)
            command.command = request.text
            let progress = running.watch.progress
            if command.progress != .refused {
                command.progress = progress.isAccepted ? .accepted : progress.isSent ? .sent : .notSent
            }
            (command.standardOutputTail, command.standardErrorTail) = running.watch.tails
            evidence.command = command
        }
        if isOurs, var login = evidence.authentication, !running.watch.progress.isCarried {
            let aside = running.watch.aside
            if !aside.all.isEmpty { login.banner = login.banner ?? aside.all }
            if !aside.behindOffer.isEmpty { login.bannerAfterAttempt = login.bannerAfterAttempt ?? aside.behindOffer }
            if credentials.password != nil, !login.methodsHeld.contains("password") { login.methodsHeld.append("password") }
            evidence.authentication = login
            if evidence.event == .streamEnded { evidence.awaitedSeconds = running.watch.pause }
        }
        // The log's verdict may depend on messages that its evidence does not contain.
        let plain = SSHFailureClassifier.classify(error.evidence)
        if isOurs, plain.code == error.code, plain.message == error.message {
            return SSHFailureClassifier.classify(known.masking(evidence))
                .weakened(to: error.confidence, adding: error.alternatives)
        }
        return SSHError(
            code: error.code, message: error.message, hint: error.remedyText, confidence: error.confidence,
            alternatives: error.alternatives, retry: error.retry, cause: error.cause, evidence: known.masking(evidence))
    }
}
