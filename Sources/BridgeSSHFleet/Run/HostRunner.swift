internal import BridgeSSH
internal import ErrorCore
package import SSHRun
internal import Synchronization

/// Does a run's work on one host: over SSH, or simulated in a test.
package protocol HostRunner: Sendable {
    /// Makes one attempt. The report contains every failure.
    func perform(_ attempt: HostAttempt) async -> AttemptReport
}

/// One attempt on a host, as its work receives it.
package struct HostAttempt: Sendable {
    /// The host as the run names it.
    package let host: String
    /// The number of the attempt, from 1.
    package let number: Int
    /// Ends the attempt in order.
    package let control: RunControl
    /// The executor of the attempt's connection and of its task.
    package let executor: LoopExecutor
    /// The receive window: how many bytes the server may send before they are read.
    package let window: Int
    /// The files that earlier attempts on the host finished; nil if nothing is copied or no host is retried.
    let finished: SFTPFinishedFiles?
    let output: HostOutput
    let error: HostOutput
    let coordinator: FleetCoordinator
    let index: Int

    /// The sinks for the command's standard output and standard error.
    package var sinks: (any OutputSink, any OutputSink) { (output, error) }

    /// Takes a piece of the command's output.
    ///
    /// - Throws: `OutputFailure`.
    package func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
        try await (stream == .standardOutput ? output : error).write(bytes)
    }

    /// Reports that the host has accepted the login.
    package func loggedIn() async { await coordinator.post(.loggedIn(host: index)) }

    /// Returns once the journal has durably recorded that the command may be sent.
    ///
    /// - Throws: what the journal throws; the command must not be sent then.
    package func arm() async throws { try await coordinator.arm(index) }

    /// Whether the password may be offered; waits for the host's turn.
    ///
    /// An offer counts as refused if it is neither answered nor withdrawn with ``left(_:)`` by the end of the attempt.
    ///
    /// - Returns: nil if the attempt is over.
    package func turn(_ use: PasswordUse) async -> PasswordTurn? { await coordinator.turn(use, of: index) }

    /// Reports that the password was not sent after all.
    package func left(_ use: PasswordUse) async { await coordinator.post(.passwordUnused(host: index, use)) }

    /// Reports that the host has accepted or refused the password.
    package func answered(_ use: PasswordUse, accepted: Bool) async {
        await coordinator.post(.passwordAnswered(host: index, use, accepted: accepted))
    }
}

package struct AttemptReport: Sendable {
    package var end: RunOutcome.End
    /// The destination's endpoint; nil if it was never known.
    package var endpoint: SSHEndpoint?
    package var timings = SSHStageTimings()
    /// Whether the attempt failed only because a password that an earlier attempt sent was not sent again. That attempt's failure
    /// is then the host's.
    package var repeatsEarlier = false
    /// Whether the task was only to log in.
    package var isLoginOnly = false
    /// The direction in which files were to be copied; nil if none were.
    package var direction: HostTransfer.Direction?
    /// The copied files, as far as is known.
    package var copied: SFTPCopyResult?
    /// The device's shell that the command was typed into.
    package var shell: SSHShellEvidence?
    /// The server's offer of post-quantum key exchange; nil if it is not known.
    package var postQuantum: PostQuantumOffer?
    /// What became of the host keys that the server announced; nil if known_hosts had them all.
    package var hostKeyUpdate: HostKeyUpdate?
    /// The job's variables that the host refused to set.
    package var refusedVariables: [String] = []

    package init(_ end: RunOutcome.End, endpoint: SSHEndpoint? = nil, timings: SSHStageTimings = SSHStageTimings()) {
        self.end = end
        self.endpoint = endpoint
        self.timings = timings
    }
}

extension AttemptReport {
    /// - Parameter wasArmed: whether the command may have been sent.
    func conclusion(wasArmed: Bool) -> AttemptConclusion {
        var conclusion = conclusionOfCommand(wasArmed: wasArmed)
        guard direction != nil, let error = conclusion.error else { return conclusion }
        // When a copy breaks off, the host may have some of the files. A host that is only read from is unchanged.
        conclusion.outcome = error.isOfFile ? .failed : wasArmed && mayHaveWritten ? .unknown : .error
        conclusion.termination = nil
        return conclusion
    }

    /// Whether a copy may have changed anything on its host.
    private var mayHaveWritten: Bool {
        guard let copied else { return true }
        return copied.files + copied.directories + copied.symbolicLinks > 0 || !copied.partialFiles.isEmpty
    }

    private func conclusionOfCommand(wasArmed: Bool) -> AttemptConclusion {
        switch end {
        case .ended(let termination, nil): return AttemptConclusion(.ok, isLoginOnly ? nil : termination)
        case .ended(.unknown, let error?): return AttemptConclusion(.unknown, .unknown, error)
        case .ended(let termination, let error?): return AttemptConclusion(.failed, termination, error)
        case .failed(let error): return AttemptConclusion(error)
        case .outputClosed, .cancelled(nil): return AttemptConclusion(local(.cancelled(signal: nil)))
        case .cancelled(let signal): return AttemptConclusion(local(.cancelled(signal: signal)))
        case .unforeseen(let problem):
            var conclusion = AttemptConclusion(local(.internalFailure(problem: problem)))
            if wasArmed { conclusion.outcome = .unknown }
            return conclusion
        }
    }

    private func local(_ event: SSHEvidence.Event) -> SSHError {
        guard let endpoint else { return SSHFailureClassifier.classify(SSHEvidence(local: event, stage: .local)) }
        return SSHFailureClassifier.classify(SSHEvidence(local: event, endpoint: endpoint))
    }
}

extension SSHError {
    /// Whether one file could not be copied although the connection was intact.
    fileprivate var isOfFile: Bool {
        guard case .fileFailed = evidence.event else { return false }
        return category == .file
    }
}

/// The result of an attempt for its host.
struct AttemptConclusion {
    var outcome: FleetHostOutcome
    var termination: SSHTermination?
    var error: SSHError?

    init(_ outcome: FleetHostOutcome, _ termination: SSHTermination? = nil, _ error: SSHError? = nil) {
        self.outcome = outcome
        self.termination = termination
        self.error = error
    }

    /// An SSH failure. The outcome depends on whether the command ran.
    init(_ error: SSHError) {
        self.error = error
        let command = error.evidence.command
        if let signal = command?.exitSignal { termination = .signalled(signal) }
        if let status = command?.exitStatus { termination = .exited(status) }
        switch error.commandMayHaveRun {
        case .no: outcome = .error
        case .unknown: outcome = .unknown
        // The command ended by itself. With status 0 some output is missing, so its success is not certain.
        case .yes: outcome = command?.exitStatus == 0 ? .unknown : .failed
        }
    }

    /// The facts about it that the engine needs.
    var attemptEnd: AttemptEnd {
        AttemptEnd(
            outcome, code: error?.code.rawValue, isElevationRefused: error?.cause?.code == Self.elevationRefused,
            retry: error?.retry ?? .never, sharedProblem: error.flatMap(Self.sharedProblem),
            reason: error.map(LoginWait.reason) ?? .other)
    }

    private static let elevationRefused = "remote.sudo-refused"

    /// The problem beyond its own host that a failure indicates; nil for none.
    private static func sharedProblem(_ error: SSHError) -> AttemptEnd.SharedProblem? {
        switch error.code {
        case .bannerServerBusy, .bannerSourcePenalised: return .serverBusy
        case .connectTimedOut, .bannerTimedOut, .kexTimedOut, .authTimedOut: return .timedOut
        case .connectLocalResources: return .shortage(reason: "this machine has run out of descriptors, ports or memory")
        case .agentUnavailable: return .local(reason: "the SSH agent is gone")
        case .resolveTemporaryFailure: return .unresolved(reason: "names cannot be resolved")
        case .connectNetworkUnreachable:
            // A host with only IPv6 addresses proves nothing about the network: this machine may lack IPv6.
            let isOther = error.evidence.addresses.contains { !$0.address.hasPrefix("[") }
            return isOther ? .local(reason: "the network is unreachable") : nil
        default: return nil
        }
    }
}

extension SFTPCopyResult {
    /// The most entries kept of each of a host's lists: a copy may have ten thousand.
    private static let maximumEntries = 100

    /// The same result with lists short enough to be kept for many hosts.
    var shortened: SFTPCopyResult {
        var result = self
        result.failures = Array(failures.prefix(Self.maximumEntries))
        result.notices = Array(notices.prefix(Self.maximumEntries))
        result.partialFiles = Array(partialFiles.prefix(Self.maximumEntries))
        return result
    }

    /// The first reason why a file could not be copied or verified, and how many there were. Nil if every file was copied.
    func failure(at endpoint: SSHEndpoint) -> SSHError? {
        if let first = failures.first {
            guard failureCount > 1 else { return first }
            return SSHError(
                code: first.code, message: "\(failureCount) files could not be copied; the first: \(first.message)",
                hint: first.remedyText, confidence: first.confidence, alternatives: first.alternatives, retry: first.retry,
                evidence: first.evidence)
        }
        let notice = notices.first ?? ""
        if leftOut > 0 {
            let count = leftOut == 1 ? "1 entry was" : "\(leftOut) entries were"
            return Self.incomplete(
                .sftpReadFailed, .readFailed, "\(count) not copied. \(notice)",
                "Leave it out, or copy its target under the target's own name.", endpoint)
        }
        guard unverifiedFiles > 0 else { return nil }
        let count = unverifiedFiles == 1 ? "1 file was" : "\(unverifiedFiles) files were"
        return Self.incomplete(
            .sftpUnsupported, .unsupported, "\(count) copied, but not verified. \(notice)",
            "Copy without \(setting: .checksum), or to hosts that run commands.", endpoint)
    }

    private static func incomplete(
        _ code: SSHError.Code, _ reason: SSHFileProblem.Reason, _ message: String, _ hint: RemedyText, _ endpoint: SSHEndpoint
    ) -> SSHError {
        var evidence = SSHEvidence(
            local: .fileFailed(SSHFileProblem(reason, .remote, operation: "copy", detail: message)), endpoint: endpoint)
        evidence.stage = .sftp
        return SSHError(code: code, message: message, hint: hint, confidence: .exact, retry: .afterFix, evidence: evidence)
    }
}

/// The files that were copied before a failure.
final class PartialCopyResult: Sendable {
    private let result = Mutex<SFTPCopyResult?>(nil)

    var value: SFTPCopyResult? { result.withLock { $0 } }
    func set(_ result: SFTPCopyResult) { self.result.withLock { $0 = result } }
}

extension SSHFileProblem {
    /// The problem of a local file, as the end of a sentence.
    var reasonText: String {
        if reason == .isDirectory { return "it is a directory" }
        return detail.isEmpty ? systemError.map { SystemError.text($0) } ?? "it cannot be used" : detail
    }
}

extension UsageProblem {
    /// The problem for a source that cannot be copied.
    init(source: String, _ problem: SSHFileProblem) {
        let place = problem.path == source || problem.path.isEmpty ? "" : "\(problem.path): "
        let text = "it cannot be copied, and no host was touched: \(place)\(problem.reasonText)"
        let isDirectory = problem.reason == .isDirectory
        self.init(
            field: source, problem: text + (isDirectory ? "; copy directories with --recursive (-r)" : ""),
            library: isDirectory ? "\(text); set SFTPCopyOptions.isRecursive to copy directories" : nil)
    }
}
