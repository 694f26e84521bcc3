/// What an SFTP server says of itself at the beginning (filexfer-02 section 4).
package struct SFTPVersion: Sendable {
    package let number: UInt32
    /// By name.
    package let extensions: [String: [UInt8]]

    /// Whether it has limits@openssh.com.
    package var hasLimits: Bool { extensions["limits@openssh.com"] != nil }

    /// A server answers with the lower of its version and ours; some answer with their own.
    package func check() throws(Fault) {
        guard (3...6).contains(number) else {
            let problem = SSHFileProblem(.versionUnsupported, .remote, operation: "begin", detail: "version \(number)")
            throw Fault(.fileFailed(problem), stage: .sftp)
        }
    }
}
