public import ErrorCore
import Synchronization

/// Turns evidence into a verdict. It is pure and total, and works by tables: the event selects a table, and the first row that
/// applies gives the verdict. The last row of every table always applies.
public enum SSHFailureClassifier {
    /// The verdict on the evidence. Every input has one: if no other row applies, it is `ssh.local.library-failure`.
    public static func classify(_ evidence: SSHEvidence) -> SSHError {
        let rule = table(for: evidence).first { $0.applies(evidence) } ?? LocalRules.unforeseen
        let words = rule.words(evidence)
        return SSHError(
            code: rule.code, message: place(rule.code, evidence, words.message) + words.message, hint: words.hint,
            confidence: rule.confidence,
            alternatives: words.alternatives, retry: .advice(for: rule.code, evidence),
            cause: rule.code == .commandExitNonzero ? remoteCause(evidence) : nil, evidence: evidence)
    }

    /// A prefix that names the jump host that failed, with its address if the message does not have it.
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

    /// The deadline for connecting spans several stages; the code names the stage in which it passed.
    private static func deadlineTable(_ kind: SSHDeadline.Kind, _ stage: SSHStage) -> [FailureRule] {
        // A hop's own limit (ConnectTimeout) covers some of the same stages.
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

    /// The table for a failed library call or an ended stream: the meaning depends on the stage.
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

    /// With a terminal, standard error arrives on standard output.
    private static func remoteCause(_ evidence: SSHEvidence) -> SSHRemoteCause? {
        guard let command = evidence.command, let status = command.exitStatus else { return nil }
        let cause = SSHRemoteCauseClassifier.cause(
            exitStatus: status, command: command.command,
            standardError: command.hasPTY ? command.standardOutputTail : command.standardErrorTail)
        return cause ?? LoginShellTexts.execDenialCause(evidence)
    }
}

extension SSHError {
    /// An error like one thrown by a connection, for tests of code that catches it. Values that are not given come from the
    /// code's definition.
    ///
    /// ```swift
    /// server.on("uptime", throws: SSHError(.sessionConnectionLost, host: "web1", commandMayHaveRun: .unknown))
    /// ```
    /// - Parameters:
    ///   - code: the failure code.
    ///   - message: what happened.
    ///   - hint: the remedy.
    ///   - host: the host in its evidence.
    ///   - commandMayHaveRun: whether the command may have run.
    ///   - result: the collected output and termination of the command.
    public init(
        _ code: Code, message: String? = nil, hint: String? = nil, host: String = "", retry: RetryAdvice? = nil,
        commandMayHaveRun: CommandMayHaveRun = .no, result: SSHCommandResult? = nil
    ) {
        self.init(
            code, message: message, remedy: hint.map { RemedyText($0) }, host: host, retry: retry,
            commandMayHaveRun: commandMayHaveRun, result: result)
    }

    package init(
        _ code: Code, message: String?, remedy: RemedyText?, host: String = "", retry: RetryAdvice? = nil,
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
            code: code, message: message, hint: remedy ?? definition.remedy, confidence: .exact,
            retry: retry ?? definition.retry,
            evidence: evidence)
        self.result = result
    }
}

extension SSHCommandResult {
    /// This result, if the command exited with status 0.
    ///
    /// - Throws: `SSHError` with this result attached: `ssh.command.exit-nonzero`, `…not-found`, `…not-executable`,
    ///   `…killed-by-signal`, `…login-shell-denied`, or `…outcome-unknown` if neither a status nor a signal came.
    @discardableResult
    public func checked() throws -> SSHCommandResult {
        if termination.isSuccess { return self }
        var error = SSHFailureClassifier.classify(evidence)
        error.result = self
        throw error
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    public var standardOutputText: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    public var standardErrorText: String { String(decoding: standardError, as: UTF8.self) }

    /// The evidence of an ended command, with the end of its output.
    package var evidence: SSHEvidence {
        var evidence = origin ?? SSHEvidence(event: .commandEnded, stage: .command)
        evidence.event = .commandEnded
        evidence.stage = .command
        var ended = evidence.command ?? SSHCommandEvidence(command: command)
        ended.progress = .accepted
        ended.endOfOutput = true
        ended.channelClosed = true
        if origin?.command == nil {
            ended.standardOutputTail = String(decoding: standardOutput.suffix(2048), as: UTF8.self)
            ended.standardErrorTail = String(decoding: standardError.suffix(8192), as: UTF8.self)
        }
        switch termination {
        case .exited(let status): ended.exitStatus = status
        case .signalled(let signal): ended.exitSignal = signal
        case .unknown: break
        }
        evidence.command = ended
        return evidence
    }
}

/// Every failure code that this version can give. Each code has at least one rule.
package enum FailureCatalogue {
    /// All codes, in the order of the stages of a run.
    package static let codes: [SSHError.Code] = {
        var seen: Set<SSHError.Code> = []
        let given = SSHFailureClassifier.allRules.map(\.code).filter { seen.insert($0).inserted }
        let byStage = Dictionary(grouping: given, by: \.stage)
        return SSHStage.allCases.flatMap { byStage[$0] ?? [] }
    }()

    private static let bySpelling = Dictionary(codes.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    /// The definitions so far, by code. Each is made once: a log may have a million failures.
    private static let made = Mutex<[String: FailureDefinition]>([:])

    /// The definition of a code; for a code that this version does not know, that of an unclassified failure.
    package static func definition(of code: SSHError.Code) -> FailureDefinition {
        if let known = made.withLock({ $0[code.rawValue] }) { return known }
        guard let definition = (code.written ?? bySpelling[code.rawValue]?.written)?() else { return unknownCode }
        made.withLock { $0[code.rawValue] = definition }
        return definition
    }

    /// The definition of an unknown code, from another version. It promises nothing.
    private static let unknownCode = FailureDefinition(
        .internalError, .internal, retry: .never, exit: .unclassified,
        title: "SSH Failure", meaning: "An SSH failure that this version does not know.", remedy: "Update bridge-ssh.",
        example: "a code of a later version")
}

extension SSHError.Code {
    /// Every code that this version can give, in the order of the stages of a run.
    public static var known: [SSHError.Code] { FailureCatalogue.codes }
    /// One sentence that is true of every failure with this code.
    public var meaning: String { FailureCatalogue.definition(of: self).meaning }
    /// The kind of failure, in one to four words.
    public var title: String { FailureCatalogue.definition(of: self).title }
}

extension SSHError {
    var definition: FailureDefinition { FailureCatalogue.definition(of: code) }
}

extension RetryAdvice {
    /// The catalogue's retry advice for a code, or for a DISCONNECT the advice that follows from the server's message. It is
    /// `never` if the next attempt would offer a refused credential again.
    package static func advice(for code: SSHError.Code, _ evidence: SSHEvidence) -> RetryAdvice {
        let advice = unguarded(code, evidence)
        let wouldRepeatRefusal = evidence.login.repeatsRefusedOffer || evidence.hop?.earlierHopRefused == true
        return advice.allowsRetry && wouldRepeatRefusal ? .never : advice
    }

    private static let disconnects: Set<SSHError.Code> = [.kexDisconnected, .sessionDisconnected, .authConnectionDropped]

    private static func unguarded(_ code: SSHError.Code, _ evidence: SSHEvidence) -> RetryAdvice {
        if disconnects.contains(code), let message = evidence.disconnect { return DisconnectTexts.advice(message) }
        return FailureCatalogue.definition(of: code).retry
    }
}

extension SSHAuthenticationEvidence {
    /// Whether another login would repeat a refusal that counts against the account. Keys that were refused before another key
    /// was accepted do not count: trying an agent's keys works like this.
    package var repeatsRefusedOffer: Bool {
        let isAuthenticated = attempts.contains { $0.outcome == .accepted }
        return attempts.contains { $0.outcome == .refused && !($0.method == "publickey" && isAuthenticated) }
    }
}

extension SSHError {
    /// The exit status of `bridge-ssh run`, in the convention `bridge`.
    public var exitStatus: SSHExitStatus { exitStatus(.bridge) }

    /// The exit status of `bridge-ssh run`.
    ///
    /// A remote status that arrived is passed on with any verdict, unless a deadline, a cancellation, the output limit or a lost
    /// connection ended the run.
    ///
    /// - Parameter commands: what to do with a remote status.
    public func exitStatus(_ convention: SSHExitStatus.Convention, commands: SSHExitStatus.CommandStatus = .remote)
        -> SSHExitStatus
    {
        if passesRemoteStatus, let command = evidence.command,
            let status = SSHExitStatus.ended(command.termination, commands: commands)
        {
            return status
        }
        if convention == .ssh { return .unclassified }
        if code == .localCancelled, case .cancelled(let signal) = evidence.event {
            return .ended(by: signal)
        }
        return definition.exitStatus
    }

    /// Whether the verdict is about a command that ended on its own.
    var passesRemoteStatus: Bool {
        // The status was the server's own: logins were closed.
        if code == .authLoginsClosed { return false }
        // A shell's own status is not the command's.
        if evidence.command?.shell != nil { return false }
        if case .commandEnded = evidence.event {
            return stage != .session
        }
        return false
    }
}
