import ErrorCore

/// An `ssh` that the remote command ran (git, scp, rsync and ansible run one too) has its own failures, in the fixed words
/// of OpenSSH's client. They are the command's cause and never ours.
enum NestedSSH {
    /// With status 255, which ssh(1) keeps for its own failures, or from a program that passes its words on.
    static let cause: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        let carriers: Set<String> = [
            "ssh", "scp", "sftp", "rsync", "git", "ansible", "ansible-playbook", "sshfs", "autossh", "svn",
        ]
        guard failure.status == 255 || RemoteProgram.first(carriers, in: failure.command) != nil else { return nil }
        return words(failure)
    }

    /// What the last line of OpenSSH's words stands for.
    static func words(_ failure: RemoteFailure) -> RemoteCause? {
        for row in rows {
            if let line = failure.lines.last(where: { $0.lowercased().contains(row.words) }) {
                return RemoteCause(
                    "ssh-\(row.name)", row.appError(line), "An ssh that ran on the server failed: \(line.oneLine())", .likely)
            }
        }
        return nil
    }

    private struct Row: Sendable {
        let words: String
        let name: String
        let appError: @Sendable (String) -> AppError
        init(_ words: String, _ name: String, _ appError: @escaping @Sendable (String) -> AppError) {
            self.words = words
            self.name = name
            self.appError = appError
        }
    }

    /// The telling words first; `Permission denied` and `Connection closed` often follow them.
    private static let rows: [Row] = [
        Row("remote host identification has changed", "host-key-changed") { .sshHostKeyMismatch(host: host($0)) },
        Row("revoked host key", "host-key-revoked") { .sshHostKeyMismatch(host: host($0)) },
        Row("host key verification failed", "host-key-rejected") { .sshHostKeyMismatch(host: host($0)) },
        Row("could not resolve hostname", "name-unknown") { .dnsError(host: word(after: "hostname ", in: $0)) },
        Row("connection timed out during banner exchange", "timed-out") { _ in .sshTimeout(seconds: 0) },
        Row("timed out", "timed-out") { _ in .sshTimeout(seconds: 0) },
        Row("timeout, server ", "timed-out") { _ in .sshTimeout(seconds: 0) },
        Row("ssh: connect to host", "connection-failed") {
            .sshConnectionFailed(host: word(after: "connect to host ", in: $0), reason: $0.oneLine())
        },
        Row("unable to negotiate with", "no-common-algorithm") {
            .sshConnectionFailed(host: word(after: "negotiate with ", in: $0), reason: $0.oneLine())
        },
        Row("unprotected private key file", "key-invalid") { .sshKeyInvalid(reason: $0.oneLine()) },
        Row("incorrect passphrase supplied", "key-invalid") { .sshKeyInvalid(reason: $0.oneLine()) },
        Row("load key \"", "key-invalid") { .sshKeyInvalid(reason: $0.oneLine()) },
        Row("too many authentication failures", "too-many-attempts") { _ in .sshAuthenticationFailed(method: "publickey") },
        Row("permission denied (", "authentication-failed") { .sshAuthenticationFailed(method: methods($0)) },
        Row("permission denied, please try again", "authentication-failed") { _ in .sshAuthenticationFailed(method: "password") },
        Row("kex_exchange_identification", "connection-failed") { .sshConnectionFailed(host: "", reason: $0.oneLine()) },
        Row("ssh_exchange_identification", "connection-failed") { .sshConnectionFailed(host: "", reason: $0.oneLine()) },
        Row("connection closed by", "connection-failed") {
            .sshConnectionFailed(host: word(after: " by ", in: $0), reason: $0.oneLine())
        },
        Row("connection reset by ", "connection-failed") {
            .sshConnectionFailed(host: word(after: " by ", in: $0), reason: $0.oneLine())
        },
        Row("received disconnect from", "connection-failed") {
            .sshConnectionFailed(host: word(after: " from ", in: $0), reason: $0.oneLine())
        },
        Row("closed by remote host", "connection-failed") { .sshConnectionFailed(host: "", reason: $0.oneLine()) },
        Row("broken pipe", "connection-failed") { .sshConnectionFailed(host: "", reason: $0.oneLine()) },
    ]

    private static func word(after words: String, in line: String) -> String {
        guard let range = line.firstRange(of: words) else { return "" }
        return String(line[range.upperBound...].prefix { !$0.isWhitespace && $0 != ":" })
    }

    /// `Host key for web2 has changed`, `No ED25519 host key is known for web2 and …`.
    private static func host(_ line: String) -> String {
        word(after: " for ", in: line)
    }

    /// `(publickey,password)` of `Permission denied`.
    private static func methods(_ line: String) -> String {
        guard let open = line.lastIndex(of: "("), let close = line[open...].firstIndex(of: ")") else { return "" }
        return String(line[line.index(after: open)..<close])
    }
}
