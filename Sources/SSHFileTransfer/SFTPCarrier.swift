/// What a file transfer needs of the connection that it runs over.
package protocol SFTPCarrier: Sendable {
    /// The session that has the SFTP channel.
    var session: Session { get }

    /// The connection's error for a fault, with what the connection knows of the server.
    func error(of fault: Fault, session: Session?) async -> SSHError

    /// Runs a script of a POSIX shell over a channel of its own, and returns what it writes to standard output.
    ///
    /// - Parameter outputLimit: the most bytes that are kept.
    func output(ofShellScript script: String, outputLimit: Int) async throws -> String
}
