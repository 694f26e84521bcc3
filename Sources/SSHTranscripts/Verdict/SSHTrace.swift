/// What one ssh's own log proves of its run, at `-v` or above.
package struct SSHTrace: Sendable {
    /// The verdict; nil where nothing failed.
    package let error: SSHError?
    /// What the remote command ended with, as ssh reports it; nil where it reports nothing.
    package let remoteStatus: Int?
    /// Whether a session may have been asked for, so that a command may have run and input been read.
    package let mayHaveSession: Bool
    /// Whether the connection of another ssh was used.
    package let usesMaster: Bool
    /// How far the connection had come; nil where no line tells.
    package let stage: SSHStage?

    private let reader: TranscriptReader

    /// Reads a log.
    ///
    /// - Parameter tellsClose: whether it has a line for each channel that the server closes (nchan.c: chan_rcvd_oclose).
    package init(_ transcript: SSHTranscript, tellsClose: Bool = false) {
        reader = TranscriptReader(transcript.standardError)
        let trace = reader.facts.trace
        let verdict = transcript.exitStatus == 0 ? nil : TranscriptVerdict(transcript, reader).error
        // What ssh says of the connection's end stands on standard error alone (clientloop.c: quit_message).
        let isLost =
            tellsClose && transcript.exitStatus == 255 && verdict?.code == .commandOutcomeUnknown && !trace.isClosedByServer
            && trace.end.map { $0.status < 0 } == true
        error = isLost ? reader.verdict(.lost(.closed), limit: (.exact, [])) : verdict
        remoteStatus = trace.end.flatMap { $0.status >= 0 ? $0.status : nil }
        mayHaveSession = !trace.isPresent || trace.step >= .authenticated || trace.usesMaster
        usesMaster = trace.usesMaster
        stage = reader.facts.stage
    }

    /// The verdict where known_hosts has been looked at: the host has keys there, but none of the type that it shows.
    ///
    /// - Parameter types: those that it has.
    package func otherTypeKnown(_ types: [String], shown: String) -> SSHError {
        reader.verdict(TranscriptTrust.otherType(types, shown: shown), limit: (.exact, []))
    }
}
