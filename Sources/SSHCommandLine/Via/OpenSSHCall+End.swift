import BridgeSSH
import ErrorCore
import SSHRun

extension OpenSSHCall {
    /// The outcome of a run of ssh that is over.
    func end(_ running: RunningSSH) -> RunOutcome.End {
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

    /// The verdict on a command that sshd did not start because logins are closed: the same as `SSHConnection.loginsClosed`,
    /// with a second ssh for the command that does nothing.
    ///
    /// - Returns: nil if the status and the output are the command's own.
    func closedLogins(_ running: RunningSSH, _ end: RunOutcome.End) async -> SSHError? {
        guard case .ended(.exited(SSHConnection.nologin), _) = end, case .command(let text, _) = request,
            AccountTexts.speaks(AccountTexts.closed, in: [running.watch.tails.errors])
        else { return nil }
        if text != "true" {
            var other = OpenSSHCall(
                route: route, request: .command("true", []), timeline: Timeline(observer: nil, secrets: known),
                control: RunControl(), log: log, credentials: credentials, known: known)
            other.options.timeout = .seconds(10)
            let (end, watch) = await other.observe(Streams(output: .collecting(limit: 64 << 10)))
            guard case .failed(let error) = end, error.code == .authLoginsClosed,
                watch?.tails.errors == running.watch.tails.errors
            else { return nil }
        }
        var evidence = evidence(.commandEnded, .command, running, SSHConnection.nologin)
        evidence.command?.progress = .refused
        return SSHFailureClassifier.classify(evidence)
    }

    private func judged(_ running: RunningSSH) -> RunOutcome.End {
        let end = running.process.end
        let status = end.flatMap { $0.signal == nil ? $0.status : nil }
        if status == 0 { return .ended(.exited(0), nil) }
        // ssh reports the connection's end only on standard error (clientloop.c: quit_message).
        let last =
            status == 255 ? running.watch.tails.errors.split(whereSeparator: \.isNewline).last.map { "\($0)\r\n" } ?? "" : ""
        let text = running.watch.text
        let verdict = StandInVerdict(
            status: status, signal: end?.signal, ssh: running.ssh, words: running.words,
            trace: text + (Self.isFinalMessage(last) ? last : ""), isLog: false, logsClose: running.logsClose)
        if verdict.ending == .remote, let status {
            let error = SSHFailureClassifier.classify(evidence(.commandEnded, .command, running, status))
            return .ended(.exited(status), error)
        }
        if verdict.error?.code == .hostKeyUnknown, !running.watch.progress.isCarried, let key = ChangedHostKeyCheck.shown(text) {
            let verdict = SSHHostKeyVerdict.unknown(skippedLines: 0, certificateAuthority: nil)
            return .failed(
                refusal(
                    of: SSHHostKeyEvidence(
                        algorithm: key.type, fingerprint: key.fingerprint, verdict: verdict, policy: route.policy)))
        }
        guard let error = verdict.error else { return .unforeseen("ssh exited with status \(status ?? -1) and printed nothing") }
        return .failed(complete(error, running))
    }

    private func unanswered(_ question: OpenSSHQuestion, _ running: RunningSSH) -> RunOutcome.End {
        var login = running.watch.progress.login
        login.passwordChangeRequested = question.wantsNewPassword
        let isRefused = login.attempts.contains { $0.outcome == .refused && $0.method != "publickey" }
        var evidence = evidence(
            isRefused || question.wantsNewPassword
                ? .credentialsExhausted : .promptUnanswerable(prompt: question.text.oneLine(200)), .authentication, running)
        (evidence.command, evidence.authentication) = (nil, login)
        return .failed(SSHFailureClassifier.classify(evidence))
    }

    private static func isFinalMessage(_ line: String) -> Bool {
        // After every terminal session ssh says `Connection to web1 closed.`
        if line.hasSuffix(" closed.\r\n") { return false }
        return ["Connection to ", "Read from remote host ", "Timeout, server ", "Write failed: ", "client_loop: "].contains {
            line.hasPrefix($0)
        }
    }

    private func failed(_ event: SSHEvidence.Event, at stage: SSHStage, _ running: RunningSSH) -> RunOutcome.End {
        .failed(SSHFailureClassifier.classify(evidence(event, stage, running)))
    }

    /// The evidence of bridge-ssh itself, without ssh's messages.
    private func evidence(
        _ event: SSHEvidence.Event, _ stage: SSHStage, _ running: RunningSSH, _ status: Int? = nil
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

    func place(_ evidence: inout SSHEvidence) {
        (evidence.host, evidence.port, evidence.user) = (route.endpoint.host, route.endpoint.port, route.endpoint.user)
        (evidence.name, evidence.options) = (route.endpoint.name, route.reachOptions)
        evidence.elapsedSeconds = timeline.elapsed
    }

    /// Completes a verdict from the log with bridge-ssh's own evidence.
    private func complete(_ error: SSHError, _ running: RunningSSH) -> SSHError {
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
            let otherOutput = running.watch.otherOutput
            if !otherOutput.all.isEmpty { login.banner = login.banner ?? otherOutput.all }
            if !otherOutput.behindOffer.isEmpty { login.bannerAfterAttempt = login.bannerAfterAttempt ?? otherOutput.behindOffer }
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
        // The log shows only that a banner came, not its words.
        if isOurs, error.code == .authAccountDenied, evidence.event == .streamEnded,
            evidence.authentication?.bannerAfterAttempt?.isEmpty == false
        {
            return SSHFailureClassifier.classify(known.masking(evidence))
        }
        return SSHError(
            code: error.code, message: known.masking(error.message), hint: error.remedyText,
            confidence: error.confidence, alternatives: error.alternatives.map(known.masking), retry: error.retry,
            cause: error.cause.map(known.masking), evidence: known.masking(evidence))
    }
}
