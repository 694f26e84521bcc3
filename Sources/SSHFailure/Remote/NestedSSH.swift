import ErrorCore

/// Failures of an `ssh` that the remote command ran itself, perhaps through git, scp, rsync or ansible. They have the fixed
/// messages of OpenSSH's client. They are a cause of the command's failure, never of this connection's.
enum NestedSSH {
    /// Messages that only OpenSSH prints count from any command; messages that other programs share count only if the command
    /// runs ssh.
    static let cause: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        words(failure, isCarrier: failure.first(carriers) != nil)
    }

    private static let carriers: Set<String> = [
        "ssh", "scp", "sftp", "rsync", "git", "ansible", "ansible-playbook", "sshfs", "autossh", "svn",
    ]

    /// The cause for the last line that is a message of OpenSSH's client.
    static func words(_ failure: RemoteFailure, isCarrier: Bool) -> SSHRemoteCause? {
        for row in rows where isCarrier || row.isOpenSSHOnly {
            if let line = failure.lines.last(where: { row.says($0.lowercased()) }) {
                let cause = SSHRemoteCause(
                    "ssh-\(row.name)", row.appError(line), "An ssh that ran on the server failed: \(line.oneLine())", .likely)
                return failure.isDoubtful(line) ? cause.with(.guess) : cause
            }
        }
        return nil
    }

    private struct Row: Sendable {
        let words: String
        /// The C library's message that the line must contain, in any language.
        let reason: RemoteTrouble?
        let unless: String?
        let name: String
        /// Whether only OpenSSH prints this message.
        let isOpenSSHOnly: Bool
        let appError: @Sendable (String) -> AppError
        init(
            _ words: String, _ name: String, telling: Bool = false, reason: RemoteTrouble? = nil, unless: String? = nil,
            _ appError: @escaping @Sendable (String) -> AppError
        ) {
            self.words = words
            self.reason = reason
            self.unless = unless
            self.name = name
            isOpenSSHOnly = telling
            self.appError = appError
        }

        /// Whether a line, in lower case, contains the message outside a quoted name.
        func says(_ line: String) -> Bool {
            guard let range = line.firstPlace(of: words) else { return false }
            if let reason, RemoteWording.match(in: RemoteLine(line))?.trouble != reason { return false }
            if let unless, line.mentions(unless) { return false }
            return !"'\"‘“".contains(line[..<range.lowerBound].last ?? " ")
        }
    }

    /// Specific messages come first: `Permission denied` and `Connection closed` often follow them.
    private static let rows: [Row] = [
        Row("remote host identification has changed", "host-key-changed", telling: true) { .sshHostKeyMismatch(host: host($0)) },
        Row("revoked host key", "host-key-revoked", telling: true) { .sshHostKeyMismatch(host: host($0)) },
        Row("host key verification failed", "host-key-rejected", telling: true) { .sshHostKeyMismatch(host: host($0)) },
        Row("could not resolve hostname", "name-unknown", telling: true) { .dnsError(host: word(after: "hostname ", in: $0)) },
        Row("connection timed out during banner exchange", "timed-out", telling: true) { _ in .sshTimeout(seconds: 0) },
        Row("timeout, server ", "timed-out") { _ in .sshTimeout(seconds: 0) },
        Row("ssh: connect to host", "timed-out", telling: true, reason: .timedOut) { _ in .sshTimeout(seconds: 0) },
        Row("ssh: connect to host", "connection-failed", telling: true) {
            .sshConnectionFailed(host: word(after: "connect to host ", in: $0), reason: $0.oneLine())
        },
        Row("unable to negotiate with", "no-common-algorithm", telling: true) {
            .sshConnectionFailed(host: word(after: "negotiate with ", in: $0), reason: $0.oneLine())
        },
        Row("unprotected private key file", "key-invalid", telling: true) { .sshKeyInvalid(reason: $0.oneLine()) },
        Row("incorrect passphrase supplied", "key-invalid") { .sshKeyInvalid(reason: $0.oneLine()) },
        Row("load key \"", "key-invalid") { .sshKeyInvalid(reason: $0.oneLine()) },
        Row("too many authentication failures", "too-many-attempts") { _ in .sshAuthenticationFailed(method: "publickey") },
        Row("permission denied (publickey", "authentication-failed", telling: true) {
            .sshAuthenticationFailed(method: methods($0))
        },
        Row("permission denied (password", "authentication-failed", telling: true) {
            .sshAuthenticationFailed(method: methods($0))
        },
        Row("permission denied (keyboard-interactive", "authentication-failed", telling: true) {
            .sshAuthenticationFailed(method: methods($0))
        },
        Row("permission denied (gssapi", "authentication-failed", telling: true) {
            .sshAuthenticationFailed(method: methods($0))
        },
        Row("permission denied (hostbased", "authentication-failed", telling: true) {
            .sshAuthenticationFailed(method: methods($0))
        },
        Row("permission denied, please try again", "authentication-failed") { _ in .sshAuthenticationFailed(method: "password") },
        Row("kex_exchange_identification", "connection-failed", telling: true) {
            .sshConnectionFailed(host: "", reason: $0.oneLine())
        },
        Row("ssh_exchange_identification", "connection-failed", telling: true) {
            .sshConnectionFailed(host: "", reason: $0.oneLine())
        },
        Row("connection closed by", "connection-failed") {
            .sshConnectionFailed(host: word(after: " by ", in: $0), reason: $0.oneLine())
        },
        Row("connection reset by ", "connection-failed", unless: "by peer") {
            .sshConnectionFailed(host: word(after: " by ", in: $0), reason: $0.oneLine())
        },
        Row("received disconnect from", "connection-failed") {
            .sshConnectionFailed(host: word(after: " from ", in: $0), reason: $0.oneLine())
        },
        Row("closed by remote host", "connection-failed") { .sshConnectionFailed(host: "", reason: $0.oneLine()) },
        Row("send disconnect: broken pipe", "connection-failed") { .sshConnectionFailed(host: "", reason: $0.oneLine()) },
    ]

    private static func word(after words: String, in line: String) -> String {
        guard let range = line.firstPlace(of: words) else { return "" }
        return String(line[range.upperBound...].prefix { !$0.isWhitespace && $0 != ":" })
    }

    /// The host in `Host key for web2 has changed` or `No ED25519 host key is known for web2 and …`.
    private static func host(_ line: String) -> String {
        word(after: " for ", in: line)
    }

    /// The methods in `Permission denied (publickey,password)`.
    private static func methods(_ line: String) -> String {
        guard let open = line.lastIndex(of: "("), let close = line[open...].firstIndex(of: ")") else { return "" }
        return String(line[line.index(after: open)..<close])
    }
}
