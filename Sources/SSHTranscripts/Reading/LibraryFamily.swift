/// Families of SSH libraries. A network error of such a language is about SSH only if text of an SSH library is near it.
enum LibraryFamily: String, Sendable, CaseIterable {
    case java, node, ruby, go, dotnet, php, erlang, twisted, rust

    /// Words that identify an SSH library, with the library. A line that contains one is read.
    var words: [(text: String, client: String)] {
        switch self {
        case .java:
            [
                ("net.schmizz.sshj", "sshj"), ("com.jcraft.jsch", "jsch"), ("JSchException", "jsch"),
                ("com.trilead.ssh2", "trilead"), ("ch.ethz.ssh2", "ganymed"),
                ("org.apache.sshd", "mina sshd"), ("com.jetbrains.gateway.ssh", "sshj"), ("com.intellij.ssh", "sshj"),
                ("c.i.s.i.s.sshj", "sshj"), ("jenkins.plugins.publish_over", "jsch"), ("hudson.plugins.ssh", "trilead"),
                ("[SSH] ", "trilead"), ("sshslaves", "trilead"), ("eclipse.jgit", "jgit"),
            ]
        case .node:
            [
                ("node_modules/ssh2", "ssh2 (node)"), ("node_modules\\ssh2", "ssh2 (node)"), ("ssh2-sftp-client", "ssh2 (node)"),
                ("node-ssh", "ssh2 (node)"), ("client-socket", "ssh2 (node)"), ("client-timeout", "ssh2 (node)"),
                ("SSH service connection", "ssh2 (node)"), ("getConnection: ", "ssh2 (node)"),
            ]
        case .ruby:
            [
                ("Net::SSH", "net-ssh"), ("net-ssh", "net-ssh"), ("net/ssh", "net-ssh"), ("SSHKit", "net-ssh"),
                ("sshkit", "net-ssh"), ("net.ssh.transport", "net-ssh"), ("Oxidized::SSH", "net-ssh"),
                ("Exception while executing on host", "net-ssh"), ("cap aborted!", "net-ssh"),
            ]
        case .go:
            [
                ("timeout - last error: ", "go x/crypto"), ("ssh: handshake failed", "go x/crypto"),
                ("TCP connection to SSH", "go x/crypto"), ("sshutil.go", "go x/crypto"),
                ("libmachine: Error dialing", "go x/crypto"), ("NewSession: new client", "go x/crypto"),
                ("drone-scp", "go x/crypto"), ("drone-ssh", "go x/crypto"),
            ]
        case .dotnet:
            [("Renci.SshNet", "ssh.net"), ("New-SSHSession", "ssh.net"), ("New-SFTPSession", "ssh.net"), ("Posh-SSH", "ssh.net")]
        case .php:
            [
                ("phpseclib", "phpseclib"), ("Net/SSH2", "phpseclib"), ("flysystem", "phpseclib"),
                ("League\\Flysystem", "phpseclib"),
            ]
        case .twisted: [("twisted.conch", "conch"), ("twisted/conch", "conch")]
        case .rust:
            [
                ("russh", "russh"), ("async_ssh2", "russh"), ("async-ssh2", "russh"), ("thrussh", "russh"),
                ("NoCommonAlgo", "russh"),
            ]
        case .erlang: [(":ssh.", "erlang"), ("ssh_connection_handler", "erlang"), ("ssh:connect", "erlang")]
        }
    }

    /// The client for a line that names no library.
    var unknownClient: String {
        switch self {
        case .java: "java"
        case .node: "ssh2 (node)"
        case .ruby: "net-ssh"
        case .go: "go x/crypto"
        case .dotnet: "ssh.net"
        case .php: "phpseclib"
        case .erlang: "erlang"
        case .twisted: "conch"
        case .rust: "russh"
        }
    }

    /// The library that a line names; nil if it names none.
    func client(in line: String) -> String? {
        words.first { line.mentions($0.text) }?.client
    }

    /// Whether a line alone shows that it is about SSH.
    func speaks(in line: String) -> Bool {
        if client(in: line) != nil { return true }
        let hints: [String] =
            switch self {
            case .node: [":22 ", ":2222"]
            case .go: [":22:", ":2222:", "ssh:", "ssh ", "SSH", "sftp", "ssh://"]
            case .java: ["ssh://", "SSH Connection failed"]
            default: []
            }
        return hints.contains { line.mentions($0) } || self == .node && line.hasSuffix(":22")
            || self == .ruby && line.mentions("connect(2) for") && (line.mentions(":22") || line.mentions("port 22"))
    }

    /// Whether only the line itself counts, and no line near it. A Go program with SSH uses other protocols too.
    var countsInLineOnly: Bool { self == .go }
}

/// The exceptions of SSH libraries whose messages no other row has. The class shows that SSH failed, and common English words in the
/// message give a guess.
enum LibraryExceptions {
    static let all: [TranscriptFormat] = classes.map { client, names in
        TranscriptFormat(client, names.map { row($0) })
    }

    private static let classes: [(client: String, names: [String])] = [
        ("jsch", ["JSchException:", "com.jcraft.jsch.SftpException:"]),
        ("jgit", ["org.eclipse.jgit.api.errors.TransportException:", "org.eclipse.jgit.errors.TransportException:"]),
        (
            "sshj",
            [
                "net.schmizz.sshj.userauth.UserAuthException: ", "net.schmizz.sshj.transport.TransportException: ",
                "net.schmizz.sshj.connection.ConnectionException: ", "net.schmizz.sshj.common.SSHException: ",
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
    ]

    private static func row(_ name: String) -> TranscriptRow {
        .library("…\(name){text}", "the class of the exception") { found, facts in
            let text = (found["text"] ?? "").trimming(" ")
            // JGit has the same class for other protocols.
            if ["http://", "https://", "git://", "file:"].contains(where: { text.mentions($0) }) { return facts.decline() }
            let reading = UnknownClient.reading(ofReason: text) ?? unknown(text)
            // SSHJ's package for RFC 4254: the login was over.
            let isLater = name.hasPrefix("net.schmizz.sshj.connection.") && reading.evidence.stage == .banner
            return (isLater ? .lost(.closed, .guess) : reading).ranked(.ending)
        }
    }

    private static func unknown(_ text: String) -> TranscriptReading {
        .direct(.ending, .connectFailed, .guess, alternatives: ["the login was refused", "the session was refused or lost"]) {
            VerdictText(
                "The client of \($0.endpoint) failed with an unknown message: \"\(text.oneLine(160))\".",
                hint: "Run \(run: "ssh -v", .placeholders, isQuoted: false) to the host, and classify its output.")
        }
    }
}
