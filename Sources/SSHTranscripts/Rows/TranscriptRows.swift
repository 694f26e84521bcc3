/// The messages that are known.
enum TranscriptRows {
    /// All rows; the first that fits a line reads it.
    static let all: [TranscriptRow] =
        TranscriptVerbose.rows + TranscriptAnsible.rows + TranscriptReach.rows + TranscriptTrust.rows + TranscriptLogin.rows
        + TranscriptSession.rows + TranscriptLocal.rows + TranscriptParamiko.rows + TranscriptAsyncSSH.rows
        + TranscriptParallelSSH.rows + TranscriptLibSSH.rows + TranscriptPython.rows
}
