public import ErrorCore

/// Turns evidence into a verdict: pure, total, and by tables. The event selects a table, and its first row that applies is the
/// verdict; a row that always applies ends every table.
public enum SSHFailureClassifier {
    /// The verdict on the evidence. It never fails: evidence that no row matches becomes `ssh.local.library-failure`.
    public static func classify(_ evidence: SSHEvidence) -> SSHError {
        let rule = table(for: evidence).first { $0.applies(evidence) } ?? LocalRules.unforeseen
        let words = rule.words(evidence)
        return SSHError(
            code: rule.code, message: place(rule.code, evidence, words.message) + words.message, hint: words.hint,
            confidence: rule.confidence,
            alternatives: words.alternatives, retry: .advice(for: rule.code, evidence),
            cause: rule.code == .commandExitNonzero ? remoteCause(evidence) : nil, evidence: evidence)
    }

    /// The hop that the message is about; which host it is where the message does not name it.
    private static func place(_ code: SSHError.Code, _ evidence: SSHEvidence, _ message: String) -> String {
        guard let hop = evidence.hop, hop.isJumpHost, code != .localCancelled else { return "" }
        let name = message.contains(evidence.server) ? "" : " (\(evidence.endpoint))"
        return "Jump host \(hop.number) of \(hop.count - 1)\(name): "
    }

    /// Every row of every table, for tests.
    static var allRules: [FailureRule] {
        ResolveRules.all + ConnectRules.all + BannerRules.all + KeyExchangeRules.all + HostKeyRules.all + CredentialRules.all
            + AuthenticationRules.all + ChannelRules.all + SessionRules.all + ViolationRules.all + CommandRules.all
            + FileRules.all + LocalRules.all + LocalRules.deadlines
    }

    static func table(for evidence: SSHEvidence) -> [FailureRule] {
        switch evidence.event {
        case .hostNameInvalid: ResolveRules.name
        case .resolutionFailed: ResolveRules.lookup
        case .connectionFailed: ConnectRules.addresses
        case .proxyFailed: ConnectRules.proxy
        case .deadlinePassed(let deadline): deadlineTable(deadline.kind, evidence.stage)
        case .libraryFailed, .streamEnded: brokenTable(evidence.stage)
        case .protocolViolated: ViolationRules.all
        case .identificationUnreadable: BannerRules.unreadable
        case .hostKeyRejected: HostKeyRules.verdicts
        case .knownHostsUnreadable, .knownHostsUnwritable: HostKeyRules.files
        case .keyUnusable: CredentialRules.keys
        case .agentFailed: CredentialRules.agents
        case .credentialsExhausted: AuthenticationRules.exhausted
        case .promptUnanswerable: AuthenticationRules.prompts
        case .channelRefused: ChannelRules.openings
        case .requestRefused: ChannelRules.requests
        case .keepaliveUnanswered: SessionRules.keepalive
        case .helperEnded: SessionRules.helper
        case .commandEnded: CommandRules.endings
        case .outputLimitExceeded, .lineTooLong: CommandRules.limits
        case .fileFailed: FileRules.all
        case .outputUnwritable, .cancelled, .usage, .configurationInvalid, .configurationRefuses, .closed, .internalFailure:
            LocalRules.all
        }
    }

    /// The deadline on connecting runs through several stages, and the code names the one in which it passed.
    private static func deadlineTable(_ kind: SSHDeadline.Kind, _ stage: SSHStage) -> [FailureRule] {
        // A hop's own limit is a shorter one on the same stages.
        switch (kind == .reach ? .connect : kind, stage) {
        case (.command, _), (.idle, _): CommandRules.deadlines
        case (.prompt, _): ChannelRules.prompt
        case (.lease, _): LocalRules.deadlines
        case (.resolve, _), (.connect, .resolve), (.reach, _): ResolveRules.deadline
        case (.connect, .connect): ConnectRules.deadline
        case (.connect, .banner): BannerRules.deadline
        case (.connect, .keyExchange), (.connect, .hostKey): KeyExchangeRules.deadline
        case (.connect, .key), (.connect, .authentication): AuthenticationRules.deadline
        case (.connect, .channel), (.connect, .session), (.connect, .sftp), (.connect, .command), (.connect, .local):
            ChannelRules.deadline
        }
    }

    /// A library call failed or the stream ended: what that means depends on where.
    private static func brokenTable(_ stage: SSHStage) -> [FailureRule] {
        switch stage {
        case .resolve, .connect, .banner: BannerRules.broken
        case .keyExchange, .hostKey: KeyExchangeRules.broken
        case .authentication: AuthenticationRules.broken
        case .channel: ChannelRules.broken
        case .session, .sftp, .command: SessionRules.broken
        case .key, .local: LocalRules.all
        }
    }

    /// With a terminal, standard error comes on standard output.
    private static func remoteCause(_ evidence: SSHEvidence) -> SSHRemoteCause? {
        guard let command = evidence.command, let status = command.exitStatus else { return nil }
        let cause = SSHRemoteCauseClassifier.cause(
            exitStatus: status, command: command.command,
            standardError: command.hasPTY ? command.standardOutputTail : command.standardErrorTail)
        return cause ?? LoginShellTexts.execDenialCause(evidence)
    }
}

extension SSHError {
    /// An error as a connection would throw it, for tests of what catches it. Everything that is not given is as the code has
    /// it.
    ///
    /// ```swift
    /// server.on("uptime", throws: SSHError(.sessionConnectionLost, host: "web1", commandMayHaveRun: .unknown))
    /// ```
    /// - Parameters:
    ///   - code: what failed.
    ///   - message: what happened.
    ///   - hint: the remedy.
    ///   - host: the host in its evidence.
    ///   - commandMayHaveRun: whether the command may have run.
    ///   - result: what was collected of the command.
    public init(
        _ code: Code, message: String? = nil, hint: String? = nil, host: String = "", retry: RetryAdvice? = nil,
        commandMayHaveRun: CommandMayHaveRun = .no, result: SSHCommandResult? = nil
    ) {
        let definition = FailureCatalogue.definition(of: code)
        let message = message ?? definition.meaning
        var evidence = SSHEvidence(event: .internalFailure(problem: message), stage: code.stage, host: host)
        if code == .localCancelled { evidence.event = .cancelled(signal: nil) }
        if let result { evidence.command = result.evidence.command }
        if evidence.commandMayHaveRun != commandMayHaveRun {
            var command = SSHCommandEvidence(command: result?.command ?? "")
            command.progress = commandMayHaveRun == .no ? .notSent : .accepted
            command.exitStatus = commandMayHaveRun == .yes ? 1 : nil
            evidence.command = command
        }
        self.init(
            code: code, message: message, hint: hint ?? definition.remedy, confidence: .exact, retry: retry ?? definition.retry,
            evidence: evidence)
        self.result = result
    }
}
