/// The exceptions of SSH libraries whose messages no other row has. The class shows that SSH failed, and common English words in the
/// message give a guess.
enum LibraryExceptions {
    static let all: [TranscriptFormat] = classes.map { client, names in
        TranscriptFormat(client, names.map { row($0) })
    }

    private static let classes: [(client: String, names: [String])] = [
        ("jsch", ["JSchException:", "jsch.SftpException:"]),
        ("jgit", ["org.eclipse.jgit.api.errors.TransportException:", "org.eclipse.jgit.errors.TransportException:"]),
        (
            "sshj",
            [
                "net.schmizz.sshj.userauth.UserAuthException: ", "net.schmizz.sshj.transport.TransportException: ",
                "net.schmizz.sshj.connection.ConnectionException: ", "net.schmizz.sshj.common.SSHException: ",
                "net.schmizz.sshj.common.SSHRuntimeException: ", "net.schmizz.sshj.xfer.scp.SCPException: ",
                "com.intellij.ssh.SshTransportException: ", "com.intellij.ssh.SshException: ",
            ]
        ),
        ("mina sshd", ["org.apache.sshd.common.SshException: ", "org.apache.sshd.common.RuntimeSshException: "]),
        ("net-ssh", ["Net::SSH::Exception: ", "SSHKit::Runner::ExecuteError: Exception while executing "]),
        ("paramiko", ["paramiko.ssh_exception.SSHException: ", "paramiko.SSHException: "]),
        (
            "phpseclib",
            [
                "phpseclib3\\Exception\\UnableToConnectException: ", "phpseclib3\\Exception\\ConnectionClosedException: ",
            ]
        ),
        (
            "ssh.net",
            [
                "Renci.SshNet.Common.SshConnectionException: ", "Renci.SshNet.Common.SshException: ",
                "Renci.SshNet.Common.SshAuthenticationException: ",
            ]
        ), ("russh", ["russh::Error: "]),
        ("maverick", ["com.maverick.ssh.SshException: ", "com.sshtools.ssh.SshException: "]),
        ("rebex", ["Rebex.Net.SshException: ", "Rebex.Net.SftpException: "]),
        ("winscp", ["WinSCP.SessionRemoteException: ", "WinSCP.SessionLocalException: "]),
        ("junos-eznc", ["jnpr.junos.exception.ConnectError: ", "jnpr.junos.exception.ConnectClosedError: "]),
        ("ncclient", ["ncclient.transport.errors.SSHError: ", "ncclient.transport.errors.TransportError: "]),
        ("asyncssh", ["asyncssh.misc.DisconnectError: ", "asyncssh.misc.ChannelOpenError: ", "asyncssh.misc.ConnectionLost: "]),
        ("parallel-ssh", ["pssh.exceptions.SSHException: ", "pssh.exceptions.SessionError: ", "pssh.exceptions.SFTPError: "]),
        ("libssh2", ["ssh2.exceptions.SSH2Error: ", "ssh2.exceptions.SocketDisconnectError: "]),
        ("libssh", ["ssh.exceptions.OtherError: ", "pylibsshext.errors.LibsshSessionException: "]),
        ("scrapli", ["scrapli.exceptions.ScrapliConnectionError: ", "scrapli.exceptions.ScrapliTransportPluginError: "]),
        ("net-ssh", ["Kitchen::Transport::SshFailed: ", "Train::Transports::SSHFailed: ", "Train::ClientError: "]),
    ]

    private static func row(_ name: String) -> TranscriptRow {
        .library("…\(name){text}", "the class of the exception") { found, facts in
            let text = (found["text"] ?? "").trimming(" ")
            // JGit has the same class for other protocols.
            if ["http://", "https://", "git://", "file:"].contains(where: { text.mentions($0) }) { return facts.decline() }
            // The connection was good, and what came by it was not.
            if ["rejecting the pack", "Missing delta base", "Nothing to "].contains(where: { text.mentions($0) }) {
                return facts.decline()
            }
            facts.isOtherProtocol = false
            facts.hasKnownFrame = false
            guard let reading = CommonReasons.reading(of: text) else { return unknown(text) }
            // SSHJ's package for RFC 4254: the login was over.
            let isLater = name.hasPrefix("net.schmizz.sshj.connection.") && reading.evidence.stage == .banner
            return isLater ? .lost(.closed, .guess).ranked(.plain) : reading.ranked(.ending)
        }
    }

    private static func unknown(_ text: String) -> TranscriptReading {
        // The frames of the stack say more.
        let reading = TranscriptReading.direct(
            .wrapper, .connectFailed, .guess, alternatives: ["the login was refused", "the session was refused or lost"]
        ) {
            VerdictText(
                "The client of \($0.endpoint) failed with an unknown message: \"\(text.oneLine(160))\".",
                hint: "Run \(run: "ssh -v", .placeholders, isQuoted: false) to the host, and classify its output.")
        }
        return reading.sayingLittle
    }
}
