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
                ("org.apache.sshd", "mina sshd"), ("DefaultConnectFuture[", "mina sshd"), ("com.jetbrains.gateway.ssh", "sshj"),
                ("com.intellij.ssh", "sshj"),
                ("c.i.s.i.s.sshj", "sshj"), ("jenkins.plugins.publish_over", "jsch"), ("hudson.plugins.ssh", "trilead"),
                ("[SSH] ", "trilead"), ("sshslaves", "trilead"), ("eclipse.jgit", "jgit"), ("Can't initialize tunnel", "java"),
                ("vfs2.provider.sftp", "jsch"), ("com.hierynomus.sshj", "sshj"), ("OpenSSHKnownHosts", "sshj"),
            ]
        case .node:
            [
                ("node_modules/ssh2", "ssh2 (node)"), ("node_modules\\ssh2", "ssh2 (node)"), ("ssh2-sftp-client", "ssh2 (node)"),
                ("node-ssh", "ssh2 (node)"), ("SFTPStream.", "ssh2 (node)"), ("client-socket", "ssh2 (node)"),
                ("client-timeout", "ssh2 (node)"),
                ("SSH service connection", "ssh2 (node)"), ("getConnection: ", "ssh2 (node)"),
                ("Connection :: connect", "ssh2 (node)"), ("Running \"sftp", "ssh2 (node)"), ("Running \"sshexec", "ssh2 (node)"),
                ("Client :: ready", "ssh2 (node)"),
                ("ERR_GENERIC_CLIENT", "ssh2 (node)"), ("client-authentication", "ssh2 (node)"), ("_put: Write", "ssh2 (node)"),
                ("uploadDir->", "ssh2 (node)"), ("downloadDir->", "ssh2 (node)"), ("list: _list: ", "ssh2 (node)"),
                ("get: _get: ", "ssh2 (node)"), ("put: _put: ", "ssh2 (node)"),
                ("Error resolving authority", "ssh2 (node)"),
            ]
        case .ruby:
            [
                ("Net::SSH", "net-ssh"), ("Net::SFTP", "net-ssh"), ("net-ssh", "net-ssh"), ("net/ssh", "net-ssh"),
                ("SSHKit", "net-ssh"),
                ("sshkit", "net-ssh"), ("net.ssh.transport", "net-ssh"), ("net.ssh.authentication", "net-ssh"),
                ("Oxidized::SSH", "net-ssh"),
                ("Exception while executing on host", "net-ssh"), ("cap aborted!", "net-ssh"), ("Kitchen::", "net-ssh"),
                ("Train::", "net-ssh"), ("connection failed for: ", "net-ssh"), ("/net-scp-", "net-ssh"),
            ]
        case .go:
            [
                ("timeout - last error: ", "go x/crypto"), ("ssh: handshake failed", "go x/crypto"),
                ("TCP connection to SSH", "go x/crypto"), ("sshutil.go", "go x/crypto"),
                ("libmachine: Error dialing", "go x/crypto"), ("NewSession: new client", "go x/crypto"),
                ("drone-scp", "go x/crypto"), ("drone-ssh", "go x/crypto"),
                ("Podman socket: failed to connect", "go x/crypto"),
            ]
        case .dotnet:
            [
                ("Renci.SshNet", "ssh.net"), ("New-SSHSession", "ssh.net"), ("New-SFTPSession", "ssh.net"),
                ("Posh-SSH", "ssh.net"), ("Invoke-SSHCommand", "ssh.net"), ("Invoke-SSHStream", "ssh.net"),
                ("-SFTPItem", "ssh.net"), ("-SCPItem", "ssh.net"), ("-SFTPFile", "ssh.net"), ("-SCPFile", "ssh.net"),
            ]
        case .php:
            [
                ("phpseclib", "phpseclib"), ("Net/SSH2", "phpseclib"), ("Net\\SSH2", "phpseclib"), ("Net\\SFTP", "phpseclib"),
                ("flysystem", "phpseclib"),
                ("League\\Flysystem", "phpseclib"),
            ]
        case .twisted: [("twisted.conch", "conch"), ("twisted/conch", "conch")]
        case .rust:
            [
                ("russh", "russh"), ("async_ssh2", "russh"), ("async-ssh2", "russh"), ("thrussh", "russh"),
                ("NoCommonAlgo", "russh"), ("libssh-rs", "libssh"),
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
            case .node: [":22 ", ":22]", ":2222"]
            case .go: [":22:", ":2222:", ":3022:", "ssh:", "ssh ", "SSH", "sftp", "ssh://"]
            case .java: ["ssh://", "SSH Connection failed", "(port 22)"]
            default: []
            }
        return hints.contains { line.mentions($0) } || self == .node && line.hasSuffix(":22")
            || self == .ruby && line.mentions("connect(2) for") && (line.mentions(":22") || line.mentions("port 22"))
    }

    /// Whether only the line itself counts, and no line near it. A Go program with SSH uses other protocols too.
    var countsInLineOnly: Bool { self == .go }
}
