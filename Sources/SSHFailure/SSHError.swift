public import ErrorCore

/// A failure of an SSH run: the verdict, and the evidence behind it.
///
/// Match it by code:
/// ```swift
/// do { … } catch SSHError.hostKeyChanged { … } catch let error as SSHError { show(error.appError) }
/// ```
public struct SSHError: Error, Sendable, Hashable, Codable {
    /// What failed, as a stable string.
    public let code: Code
    /// The stage named by the code; `evidence.stage` is where it was seen, which for a cancellation is another.
    public let stage: Stage
    /// What happened, in one or two plain sentences.
    public let message: String
    /// The remedy; empty if there is none.
    public let hint: String
    /// How certain the verdict is.
    public let confidence: Confidence
    /// Other possible causes, where the server hides the cause on purpose.
    public let alternatives: [String]
    /// Whether a retry can help, and after which delay. Whether a program may retry by itself is `isRetryable`, which also
    /// considers whether the command may have run.
    public let retry: RetryAdvice
    /// Whether the remote command may have run.
    public let commandMayHaveRun: CommandMayHaveRun
    /// Why the remote command failed, if known.
    public let cause: RemoteCause?
    /// The evidence.
    public var evidence: Evidence { seen.value }
    private let seen: Boxed<Evidence>
    /// The command's output, if it was collected.
    public var result: CommandResult?

    private enum CodingKeys: String, CodingKey {
        case code, stage, message, hint, confidence, alternatives, retry, commandMayHaveRun, cause, result
        case seen = "evidence"
    }

    /// How certain a verdict is.
    public enum Confidence: String, Sendable, Hashable, Codable, CaseIterable {
        /// The evidence allows only one reading.
        case exact
        /// One reading is much more likely than the others.
        case likely
        /// One reading among several.
        case guess
    }

    /// Whether the remote command may have run.
    public enum CommandMayHaveRun: String, Sendable, Hashable, Codable, CaseIterable {
        /// It was not sent, or was refused.
        case no
        /// It was sent and no status came.
        case unknown
        /// A status came.
        case yes
    }

    package init(
        code: Code, message: String, hint: String, confidence: Confidence, alternatives: [String] = [],
        retry: RetryAdvice, cause: RemoteCause? = nil, evidence: Evidence
    ) {
        self.code = code
        self.stage = FailureCatalogue.row(code).stage
        func inert(_ text: String) -> String { TerminalText.inert(text, limit: TextExtent.sentence.limit) }
        self.message = inert(message)
        self.hint = inert(hint)
        self.confidence = confidence
        self.alternatives = alternatives.map(inert)
        self.retry = retry
        self.commandMayHaveRun = evidence.commandMayHaveRun
        self.cause = cause
        seen = Boxed(evidence.inert)
    }

    /// A failure code: `ssh.<stage>.<what>`, stable for ever. New ones may be added; none is renamed.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code itself, such as `ssh.auth.key-rejected`.
        public let rawValue: String

        /// A code of this spelling; it need not be one of those that this version knows.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code itself.
        public var description: String { rawValue }
    }
}

extension SSHError.Code {
    /// Whether an error is an `SSHError` of this code, for `catch SSHError.hostKeyChanged`.
    public static func ~= (code: SSHError.Code, error: any Error) -> Bool {
        (error as? SSHError)?.code == code
    }
}

extension Evidence {
    /// `no` until the exec request was sent and again once it was refused; `unknown` until a status came; `yes` after that.
    public var commandMayHaveRun: SSHError.CommandMayHaveRun {
        guard let command else { return .no }
        switch command.progress {
        case .notSent, .refused: return .no
        case .sent, .accepted: return command.exitStatus == nil && command.exitSignal == nil ? .unknown : .yes
        }
    }
}

/// Why a remote command failed, read from its exit status and standard error. Advisory: a program can print anything.
public struct RemoteCause: Sendable, Hashable, Codable {
    /// The cause as an app sees it.
    public var appError: AppError
    /// A stable code, such as `remote.file-not-found`.
    public var code: String
    /// One sentence for a person.
    public var message: String
    /// How certain it is.
    public var confidence: SSHError.Confidence
    /// The cause of this cause, such as the name that could not be resolved when a clone failed.
    public var reason: RemoteCause? {
        get { reasons.first }
        set { reasons = newValue.map { [$0] } ?? [] }
    }
    /// At most one: a value cannot hold itself but in an array.
    private var reasons: [RemoteCause] = []

    /// A cause.
    public init(appError: AppError, code: String, message: String, confidence: SSHError.Confidence) {
        self.appError = appError
        self.code = code
        self.message = message
        self.confidence = confidence
    }
}
