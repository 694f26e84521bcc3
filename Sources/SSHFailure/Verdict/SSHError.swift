public import ErrorCore

/// A failure of an SSH run: the verdict, and the evidence behind it.
///
/// Match it by code:
/// ```swift
/// do { … } catch SSHError.hostKeyChanged { … } catch let error as SSHError { show(error.appError) }
/// ```
/// The encoded form (`JSONEncoder`) has no text that looks like a secret, by the rule of `Redactor.standard`. A
/// command's output is encoded unchanged.
public struct SSHError: Error, Sendable, Hashable, Codable {
    /// The failure code, a stable string.
    public let code: Code
    /// The stage in the code. `evidence.stage` is the stage in which the failure happened, which differs for a cancellation.
    public let stage: SSHStage
    /// The event, in one or two plain sentences.
    public let message: String
    /// The remedy, in one or two sentences; empty if there is nothing to do.
    public var hint: String { remedyText.library }
    /// What can be typed, set or looked at, in the order of the ``hint``.
    public var remedies: [SSHRemedy] { remedyText.libraryRemedies }
    /// The hint in the command line's terms.
    package var remedy: String { remedyText.commandLine }
    /// The hint for both.
    package let remedyText: RemedyText
    /// The certainty of the verdict.
    public let confidence: Confidence
    /// Other possible causes, if the server hides the cause on purpose.
    public let alternatives: [String]
    /// Whether a retry can help, and after which delay. `isRetryable` says whether a program may retry on its own; it also
    /// considers whether the command may have run.
    public let retry: RetryAdvice
    /// Whether the remote command may have run.
    public let commandMayHaveRun: CommandMayHaveRun
    /// Why the remote command failed, if known.
    public let cause: SSHRemoteCause?
    /// The evidence.
    public var evidence: SSHEvidence { boxedEvidence.value }
    private let boxedEvidence: Boxed<SSHEvidence>
    /// The command's result, if its output was collected.
    public var result: SSHCommandResult?

    enum CodingKeys: String, CodingKey {
        case code, stage, message, hint, confidence, alternatives, retry, commandMayHaveRun, cause, evidence, result
        case remedyText = "remedy"
    }

    /// The certainty of a verdict.
    public enum Confidence: String, Sendable, Hashable, Codable, CaseIterable {
        /// The evidence has only one explanation.
        case exact
        /// One explanation is much more likely than the others.
        case likely
        /// One explanation of several.
        case guess

        /// The rank of the confidence: 0 is the most certain.
        package var rank: Int {
            switch self {
            case .exact: 0
            case .likely: 1
            case .guess: 2
            }
        }
    }

    /// Whether the remote command may have run.
    public enum CommandMayHaveRun: String, Sendable, Hashable, Codable, CaseIterable {
        /// It was not sent, or was refused.
        case no
        /// The command was sent, and no status came.
        case unknown
        /// A status came.
        case yes
    }

    /// The same failure with another confidence and other alternatives. Its texts are already inert.
    private init(_ other: SSHError, _ confidence: Confidence, _ alternatives: [String]) {
        code = other.code
        stage = other.stage
        message = other.message
        remedyText = other.remedyText
        self.confidence = confidence
        self.alternatives = alternatives
        retry = other.retry
        commandMayHaveRun = other.commandMayHaveRun
        cause = other.cause
        boxedEvidence = other.boxedEvidence
        result = other.result
    }

    /// The same failure with its confidence limited to `limit`.
    ///
    /// - Parameter more: additional possible causes.
    package func weakened(to limit: Confidence, adding more: [String]) -> SSHError {
        let rank = max(confidence.rank, limit.rank)
        let added = more.filter { !alternatives.contains($0) }
        if rank == confidence.rank, added.isEmpty { return self }
        return SSHError(self, rank == confidence.rank ? confidence : limit, alternatives + added.map(Self.inert))
    }

    private static func inert(_ text: String) -> String { TerminalText.inert(text, limit: TextExtent.sentence.limit) }

    package init(
        code: Code, message: String, hint: RemedyText, confidence: Confidence, alternatives: [String] = [],
        retry: RetryAdvice, cause: SSHRemoteCause? = nil, evidence: SSHEvidence
    ) {
        self.code = code
        self.stage = code.stage
        self.message = Self.inert(message)
        remedyText = hint.changed(Self.inert)
        self.confidence = confidence
        self.alternatives = alternatives.map(Self.inert)
        self.retry = retry
        self.commandMayHaveRun = evidence.commandMayHaveRun
        self.cause = cause
        boxedEvidence = Boxed(evidence.inert)
    }
}

extension SSHEvidence {
    /// `no` before the exec request is sent and after it is refused; `unknown` until a status comes; then `yes`.
    public var commandMayHaveRun: SSHError.CommandMayHaveRun {
        guard let command else { return .no }
        switch command.progress {
        case .notSent, .refused: return .no
        // Neither a shell's end nor its prompt shows whether the typed command succeeded.
        case .sent where command.shell != nil, .accepted where command.shell != nil: return .unknown
        case .sent, .accepted: return command.exitStatus == nil && command.exitSignal == nil ? .unknown : .yes
        }
    }
}

extension SSHError {
    /// A failure code: `ssh.<stage>.<what>`. Codes are stable: new ones may be added, but none is renamed.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The string, such as `ssh.auth.key-rejected`.
        public let rawValue: String
        /// Makes the definition next to the code; nil for a code that was read as a string.
        let written: (@Sendable () -> FailureDefinition)?

        /// A code with this string. This version need not know it.
        public init(rawValue: String) {
            self.rawValue = rawValue
            written = nil
        }

        /// A code of this version with its definition. The definition is made only when it is needed, so that comparing codes
        /// costs no more than comparing strings.
        init(_ rawValue: String, _ definition: @autoclosure @escaping @Sendable () -> FailureDefinition) {
            self.rawValue = rawValue
            written = definition
        }

        /// The string.
        public var description: String { rawValue }

        /// Whether two codes have the same string.
        public static func == (one: Code, other: Code) -> Bool { one.rawValue == other.rawValue }

        /// Hashes the string.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}

extension SSHError: SSHFailureCodes {}

extension SSHError.Code: SSHFailureCodes {}

extension SSHError.Code {
    /// Whether an error is an `SSHError` of this code, for `catch SSHError.hostKeyChanged`.
    public static func ~= (code: SSHError.Code, error: any Error) -> Bool {
        (error as? SSHError)?.code == code
    }
}

extension SSHError {
    /// Decodes what ``encode(to:)`` has written, in this version or an earlier one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        stage = try container.decode(SSHStage.self, forKey: .stage)
        message = try container.decode(String.self, forKey: .message)
        remedyText = try RemedyText(from: container, text: .hint, parts: .remedyText)
        confidence = try container.decode(Confidence.self, forKey: .confidence)
        alternatives = try container.decode([String].self, forKey: .alternatives)
        retry = try container.decode(RetryAdvice.self, forKey: .retry)
        commandMayHaveRun = try container.decode(CommandMayHaveRun.self, forKey: .commandMayHaveRun)
        cause = try container.decodeIfPresent(SSHRemoteCause.self, forKey: .cause)
        boxedEvidence = Boxed(try container.decode(SSHEvidence.self, forKey: .evidence))
        result = try container.decodeIfPresent(SSHCommandResult.self, forKey: .result)
    }

    /// Encodes the error. Anything that looks like a secret in the command, the server's texts or the proxy's output is masked.
    public func encode(to encoder: any Encoder) throws {
        let mask = Redactor.standard.text
        var evidence = evidence
        evidence.change(MaskedTexts())
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(stage, forKey: .stage)
        try container.encode(mask(message), forKey: .message)
        try remedyText.changed(mask).encode(to: &container, text: .hint, parts: .remedyText)
        try container.encode(confidence, forKey: .confidence)
        try container.encode(alternatives.map(mask), forKey: .alternatives)
        try container.encode(retry, forKey: .retry)
        try container.encode(commandMayHaveRun, forKey: .commandMayHaveRun)
        try container.encodeIfPresent(cause, forKey: .cause)
        try container.encode(evidence, forKey: .evidence)
        try container.encodeIfPresent(result?.masked, forKey: .result)
    }
}

extension SSHCommandResult {
    fileprivate var masked: SSHCommandResult {
        var origin = origin
        origin?.change(MaskedTexts())
        return SSHCommandResult(
            command: Redactor.standard.text(command), termination: termination, standardOutput: standardOutput,
            standardError: standardError, durationSeconds: durationSeconds, origin: origin)
    }
}

/// Masks all texts except names, such as those of algorithms, which are not secret.
private struct MaskedTexts: EvidenceTexts {
    func transformPeerText(_ text: inout String, _ extent: TextExtent) { transformLocalText(&text, extent) }
    func transformLocalText(_ text: inout String, _ extent: TextExtent) {
        if extent != .name { text = Redactor.standard.text(text) }
    }
}

/// The failure codes by name, for `SSHError.Code` and, in a `catch`, for `SSHError`.
public protocol SSHFailureCodes {}

/// ``SSHFailureCodes``.
@available(*, deprecated, renamed: "SSHFailureCodes")
public typealias FailureCodes = SSHFailureCodes

/// Everything that is true of all failures with one code. It is written next to the code, in `Codes/`.
package struct FailureDefinition: Sendable, Hashable {
    /// The `AppError` case for the failure.
    package let appCase: AppError.Kind
    /// Who or what must act.
    package let category: ErrorCategory
    package let severity: ErrorSeverity
    /// Whether a retry can help. For `…disconnected`, the server's message decides instead.
    package let retry: RetryAdvice
    /// The command line's exit status if no remote status came.
    package let exitStatus: SSHExitStatus
    /// One to four words.
    package let title: String
    /// One sentence that is true of every failure with this code.
    package let meaning: String
    /// The next step, independent of the evidence.
    package let remedy: RemedyText
    /// A situation that causes it.
    package let example: String

    init(
        _ appCase: AppError.Kind, _ category: ErrorCategory, severity: ErrorSeverity = .error, retry: RetryAdvice,
        exit exitStatus: SSHExitStatus, title: String, meaning: String, remedy: RemedyText, example: String
    ) {
        self.appCase = appCase
        self.category = category
        self.severity = severity
        self.retry = retry
        self.exitStatus = exitStatus
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
        self.example = example
    }
}

extension SSHError.Code {
    /// The stage, which is the second part of the code.
    package var stage: SSHStage {
        guard rawValue.hasPrefix("ssh.") else { return .local }
        let family = rawValue.dropFirst("ssh.".count).prefix { $0 != "." }
        return switch family {
        case "kex": .keyExchange
        case "host-key": .hostKey
        case "agent", "auth": .authentication
        default: SSHStage(rawValue: String(family)) ?? .local
        }
    }
}
