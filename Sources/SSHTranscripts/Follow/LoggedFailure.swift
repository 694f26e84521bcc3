/// A failure in a log.
package struct LoggedFailure: Sendable {
    package let error: SSHError
    /// When it was logged; nil where the log has no times.
    package let time: LogTime?
    /// The process, pod or job that wrote it; empty where the log names none.
    package let source: String
    /// The client whose words told of it, where they name it: `openssh 9.2`.
    package let client: String?
    /// The host by the inventory's name, where the log has one.
    package let inventoryHost: String
    /// The status that the log gives for the run.
    package let exitStatus: Int?

    init?(_ reader: TranscriptReader, _ status: Int?, _ source: String, _ time: LogTime?) {
        guard let error = TranscriptVerdict(SSHTranscript(standardError: "", exitStatus: nil), reader).error else { return nil }
        self.error = error.weakened(to: .likely, adding: [])
        (exitStatus, self.source, self.time) = (status, source, time)
        (client, inventoryHost) = (reader.client, reader.facts.inventoryHost)
    }

    /// The host as the log's reader knows it.
    package var host: String { inventoryHost.isEmpty ? error.evidence.host : inventoryHost }
}
