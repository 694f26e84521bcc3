extension Fault {
    /// The SFTP server has ended, and the session has not.
    ///
    /// - Parameter exitStatus: what the server ended with; nil where it is unknown.
    package static func sftpServerEnded(exitStatus: Int?) -> Fault {
        let detail = exitStatus.map { "its exit status was \($0)" } ?? ""
        return Fault(.fileFailed(SSHFileProblem(.connectionLost, .remote, operation: "read", detail: detail)), stage: .sftp)
    }
}
