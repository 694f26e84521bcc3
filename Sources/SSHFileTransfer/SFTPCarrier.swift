/// What an SFTP client needs of what it runs over: a channel of this process's connection, or one that another process has.
package protocol SFTPCarrier: Sendable {
    /// Sends requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether they are sent although the task is cancelled. Then the wait has an end of its own.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: ``SSHError``.
    func exchange(_ requests: [SFTPRequest], isCleanup: Bool) async throws -> [SFTPReply]

    /// The connection's error for a fault of the transfer.
    func error(of fault: Fault) async -> SSHError

    /// Runs a script of a POSIX shell over a channel of its own, and returns what it writes to standard output.
    ///
    /// - Parameters:
    ///   - outputLimit: the most bytes that are kept.
    ///   - patience: how long it may take.
    func output(ofShellScript script: String, outputLimit: Int, patience: Duration) async throws -> String
}
