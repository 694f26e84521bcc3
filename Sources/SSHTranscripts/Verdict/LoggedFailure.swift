import Synchronization

/// A failure in a log.
package struct LoggedFailure: Sendable {
    private let failure: RunFailure
    /// The time of the log entry; nil if the log has no times.
    package let time: LogTime?
    /// The process, pod or job that wrote it; empty if the log names none.
    package let source: String
    /// The exit status of the run, if the log gives it.
    package let exitStatus: Int?

    init(_ failure: RunFailure, _ status: Int?, _ source: String, _ time: LogTime?) {
        self.failure = failure
        (exitStatus, self.source, self.time) = (status, source, time)
    }

    package var error: SSHError { failure.verdict.error }
    /// The error's JSON. Failures that are alike share it.
    package var errorJSON: JSONValue { failure.verdict.json }
    /// The client that reported the failure, if known: `openssh 9.2`.
    package var client: String? {
        // The log names the process before the text.
        failure.client == "openssh" && source.hasPrefix("sshd") ? "sshd" : failure.client
    }
    /// The host's name in the inventory, if the log has one.
    package var inventoryHost: String { failure.inventoryHost }
    /// The host's name for people: the inventory's name, if there is one.
    package var host: String { failure.host }
}

/// The failure of a run, without its place in the log.
struct RunFailure: Sendable {
    let verdict: SharedVerdict
    let client: String?
    let inventoryHost: String
    let host: String
    /// Whether the message may repeat another, and how specific it is.
    let mayRepeat: Bool
    let rank: TranscriptReading.Rank?
    /// The number of lines after the one that gave the verdict.
    let linesSince: Int
    /// Whether it ended before the line that showed its end, so that the line's time is not its own.
    let endedBefore: Bool

    /// Returns nil if the lines report no failure.
    init?(_ reader: TranscriptReader, endedBefore: Bool = false) {
        guard let error = TranscriptVerdict(reader).error else { return nil }
        verdict = SharedVerdict(error.weakened(to: .likely, adding: []))
        (client, inventoryHost) = (reader.client, reader.facts.inventoryHost)
        host = inventoryHost.isEmpty ? error.evidence.host : inventoryHost
        mayRepeat = reader.isLibrary || reader.facts.mayRepeat
        (rank, linesSince, self.endedBefore) = (reader.reading?.rank, reader.linesSinceReading, endedBefore)
    }
}

/// A verdict with its JSON, which is made when it is first asked for.
final class SharedVerdict: Sendable {
    let error: SSHError
    private let made = Mutex<JSONValue?>(nil)

    init(_ error: SSHError) { self.error = error }

    var json: JSONValue {
        made.withLock {
            let json = $0 ?? error.json
            $0 = json
            return json
        }
    }
}

extension TranscriptVerdict {
    private static let logged = SSHTranscript(standardError: "", exitStatus: nil)
    private static let anyClient = LocalClient(logged)

    /// The verdict on a run in a log, whose command line and exit status are not known.
    fileprivate init(_ reader: TranscriptReader) {
        (transcript, self.reader, client) = (Self.logged, reader, Self.anyClient)
    }
}

/// The failures of a text that were reported. A program that runs another one often prints the other's words again, and people
/// paste both.
package struct ReportedFailures: Sendable {
    private struct Failure: Hashable {
        let code: SSHError.Code
        let message: String
        let host: String
        let source: String
    }

    /// The time of the last report in seconds; 0 if the text has no times.
    private var times: [Failure: Double] = [:]
    private static let maximumCount = 1024
    /// How much later the words may come again, if the text has times.
    private static let maximumSeconds = 2.0

    package init() {}

    /// Whether this is no failure that was reported already. A text without times tells the same failure once; in a log with times
    /// a later one is another.
    package mutating func isNew(_ failure: LoggedFailure) -> Bool {
        let same = Failure(
            code: failure.error.code, message: failure.error.message, host: failure.host, source: failure.source)
        let time = failure.time?.seconds ?? 0
        if let before = times[same], abs(time - before) <= Self.maximumSeconds { return false }
        if times.count >= Self.maximumCount { times.removeAll() }
        times[same] = time
        return true
    }
}
