/// Trilead, the library of Jenkins, and its plugins ssh-slaves and ssh-credentials. Sources: the named classes.
enum JenkinsFormat {
    static let trilead: [TranscriptRow] = connection + trileadEnds + trileadRequests

    /// The messages with which Trilead, and its ancestor Ganymed, end a connection.
    private static let trileadEnds: [TranscriptRow] = [
        "The connection is being shutdown", "Too late, this connection is closed", "This SSH2 channel is not open",
        "SSH channel is closed.", "Close requested by remote", "Cannot read full block, EOF reached",
        "Cannot fill buffer, EOF reached", "Cannot open session, you need to establish a connection first",
    ].map { (words: String) -> TranscriptRow in
        .says("…java.io.IOException: \(words)", "ChannelManager.java", TranscriptReading.lost(.closed, .guess).near(.java))
    }

    private static let trileadRequests: [TranscriptRow] =
        ["Illegal packet size! (", "Illegal padding_length in packet", "Remote sent corrupt MAC"].map { words in
            TranscriptRow.says(
                "…\(words)", "TransportConnection.java", TranscriptReading.protocolBroken(at: .keyExchange).near(.java))
        }
        + ["Illegal char in base64 code", "Expected DER ", "DER byte array: out of data", "Broken PEM, "].map { words in
            TranscriptRow.says("…IOException: \(words)", "PEMDecoder.java", TranscriptReading.key(.formatInvalid).near(.java))
        }
        + ["Unexpected end of sftp stream", "Remote scp terminated unexpectedly", "Remote scp terminated connection"].map {
            words in
            TranscriptRow.says(
                "…\(words)", "SFTPv3Client.java, SCPClient.java", TranscriptReading.known(.sftpConnectionLost, .guess).near(.java)
            )
        }
        + [
            .says(
                "…IOException: Illegal sftp packet len: ", "SFTPv3Client.java",
                TranscriptReading.known(.sftpProtocolError).near(.java)),
            .library("…IOException: Server version {n} is currently not supported", "SFTPv3Client.java") { _, _ in
                TranscriptReading.known(.sftpVersionUnsupported).near(.java)
            },
            .says(
                "…The server denied the request (did you enable port forwarding?)", "ChannelManager.java",
                TranscriptReading.known(.channelProhibited).near(.java)),
            .says("…HTTPProxyException: ", "HTTPProxyException.java", TranscriptReading.known(.connectProxyFailed).near(.java)),
            .says(
                "…Error in RSA signature, S is empty", "RSASHA1Verify.java",
                TranscriptReading.call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "").near(.java)),
            .says(
                "…Remote party uses incompatible protocol", "ClientServerHello.java",
                TranscriptReading.known(.bannerUnsupportedVersion).near(.java)),
            .says(
                "…The subsystem request failed", "ChannelManager.java", TranscriptReading.request(.subsystem, .likely).near(.java)
            ),
            .says(
                "…The server refused to open the channel", "ChannelManager.java",
                TranscriptReading.known(.channelProhibited, .guess).near(.java)),
            .says(
                "…Peer sent corrupt signature", "DSASHA1Verify.java",
                TranscriptReading.call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "").near(.java)),
            .says(
                "…Peer sent wrong signature format", "DSASHA1Verify.java",
                TranscriptReading.call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "").near(.java)),
            .says(
                "…The server sent a too long line", "ClientServerHello.java",
                TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.java)),
            .says(
                "…Malformed line sent by the server", "ClientServerHello.java",
                TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.java)),
            .says(
                "…Cannot open session, connection is not authenticated", "Connection.java",
                TranscriptReading.known(.localUsage, .guess, or: ["the login was refused"]).near(.java)),
            .says(
                "…Illegal State in KEX Exchange", "KexManager.java",
                TranscriptReading.protocolBroken(at: .keyExchange).near(.java)),
            .says(
                "…Unexpected KEX message", "KexManager.java",
                TranscriptReading.protocolBroken(at: .keyExchange).near(.java)),
        ]

    private static let connection: [TranscriptRow] = [
        .says(
            "…Key exchange was not finished, connection is closed", "KexManager.java",
            .ended(.ending, .closed, at: .keyExchange, .guess, alternatives: ["the host key was not accepted"])),
        .says(
            "…Cannot negotiate, proposal", "KexManager.java",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .library("…There was a problem while connecting to {host}:{port}", "Connection.java") { found, facts in
            facts.port = (found["port"]?.prefix { $0.isNumber }).flatMap { Int($0) }
            return .notReached(.guess, .consequence)
        },
        .says(
            "…No entry currently exists in the Known Hosts file for this host", "ssh-slaves: verifiers", .hostKeyUnknown(.likely)),
        .says(
            "…hostkey was not accepted by the verifier callback", "KexManager.java",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]).ranked(.plain)),
        .says("…has not been found on the instance console", "ec2-plugin", .hostKeyUnknown(.likely)),
        .says("…The SSH key for this host does not match", "ssh-slaves: verifiers", .known(.hostKeyChanged)),
        .says("…key presented by the remote host does not match", "ssh-slaves: verifiers", .known(.hostKeyChanged)),
        TranscriptRow("…Server rejected the {n} private key(s) for {user} (", "ssh-credentials: TrileadSSHPublicKeyAuthenticator")
        {
            _, _ in .refused("publickey", .likely).ranked(.telling)
        },
        TranscriptRow("…Failed to authenticate as {user}. Wrong password.", "ssh-credentials: TrileadSSHPasswordAuthenticator") {
            _, _ in .refused("password", .likely).ranked(.telling)
        },
        TranscriptRow("…Failed to authenticate as {user} with credential", "ssh-credentials") { _, _ in
            .refused("password", .guess, alternatives: ["the key was refused"]).ranked(.plain)
        },
        .library("…SSH Connection failed with IOException: \"{reason}\", retrying in", "ssh-slaves: SSHLauncher") { found, _ in
            // A later line has the reason of an ended exchange.
            let reason = found["reason"] ?? ""
            return reason.mentions("Key exchange")
                ? .ended(.ending, .closed, at: .keyExchange, .guess, alternatives: ["the host key was not accepted"])
                : .unconnected(reason, .likely)
        },
        .recovers("…[SSH] Authentication successful.", "ssh-slaves: SSHLauncher"),
        .says(
            "…[SSH] Authentication failed.", "ssh-slaves: SSHLauncher",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.ending)),
        .says(
            "…SSH connection reports a garbage before a command execution", "ssh-slaves: SSHLauncher", .known(.sftpProtocolError)),
        .library("…Peer sent DISCONNECT message (reason code {reason}): {text}", "TransportManager.java") { found, facts in
            OpenSSHSessionRows.disconnected(found, facts)
        },
        .says("…The kexTimeout (", "Connection.java", .timedOut(.keyExchange, .likely)),
        .says("…The connect timeout expired", "Connection.java", .timedOut(.connect, .likely)),
        .says("…Premature connection close", "ClientServerHello.java", .ended(.telling, .closed, at: .banner, .likely)),
        .library("…Authentication method {method} not supported by the server at this stage", "AuthenticationManager.java") {
            found, _ in
            .methodNotOffered([], refused: found["method"], .likely)
        },
        .says(
            "…Keyboard-interactive authentication failed", "AuthenticationManager.java",
            .refused("keyboard-interactive", .guess, alternatives: ["the connection was closed"])),
        .says("…connection is not authenticated", "Connection.java", TranscriptReading.refused("publickey", .guess).near(.java)),
        .says(
            "…Hostkey signature sent by remote is wrong", "KexManager.java",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says(
            "…There was no line starting with 'SSH-' amongst the first 50 lines", "ClientServerHello.java",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
        .says(
            "…Server uses incompatible protocol, it is not SSH-2 compatible", "ClientServerHello.java",
            .known(.bannerUnsupportedVersion)),
        .says("…The connect() operation on the socket timed out", "Connection.java", .timedOut(.connect, .likely)),
        .says("…The subsystem request failed", "ChannelManager.java", TranscriptReading.request(.subsystem, .likely).near(.java)),
        .says("…The execute request failed", "ChannelManager.java", TranscriptReading.request(.exec, .likely).near(.java)),
        .says("…The shell request failed", "ChannelManager.java", TranscriptReading.request(.shell, .likely).near(.java)),
        .says("…PTY request failed", "ChannelManager.java", TranscriptReading.request(.pty, .likely).near(.java)),
        .says("…Sorry, this connection is closed", "TransportManager.java", TranscriptReading.cut().near(.java)),
        .says("…Decrypted PEM has wrong padding", "PEMDecoder.java", .key(.passphraseWrong)),
        .says("…Cannot decrypt PEM structure, unknown cipher", "PEMDecoder.java", .key(.cipherUnsupported)),
        .says("…Unknown private key type returned by the PEM decoder", "AuthenticationManager.java", .key(.typeUnsupported)),
        .says("…Invalid PEM structure", "PEMDecoder.java", .key(.formatInvalid)),
        .says("…PEM problem: it is of unknown type", "PEMDecoder.java", .key(.formatUnsupported, nil, "", .guess)),
        .says(
            "…[SSH] No Known Hosts file was found at", "ssh-slaves: KnownHostsFileKeyVerificationStrategy",
            .known(.hostKeyKnownHostsUnreadable, .likely, or: ["the host key is not known"])),
        .says(
            "…Missing password provider for encrypted resource", "mina sshd: FilePasswordProvider",
            .key(.passphraseRequired, nil, "", .likely)),
        .library("{logger}ProxyCommand - End of Process[pid={pid}, exitValue={status}]", "IntelliJ's platform") { found, facts in
            guard found["status"] != "0" else { return facts.decline() }
            return TranscriptReading(
                .telling, .proxyFailed(command: "", exitStatus: nil, standardError: ""), at: .connect, .guess)
        },
        .says("…PEM is encrypted, but no password was specified", "PEMDecoder.java", .key(.passphraseRequired)),
        .says(
            "…Publickey authentication failed", "AuthenticationManager.java",
            .refused("publickey", .guess, alternatives: ["the key cannot be read", "the connection was closed"])),
        .says(
            "…Password authentication failed", "AuthenticationManager.java",
            .refused("password", .guess, alternatives: ["the connection was closed"])),
        .library("…The server refused to open the channel ({reason}, '{text}')", "ChannelManager.java") { found, _ in
            (found["reason"] ?? "").mentions("PROHIBITED")
                ? .channelRefused(1, found["text"] ?? "", .likely) : .channelRefused(2, found["text"] ?? "", .guess)
        },
        .says("…The server denied the request.", "ChannelManager.java", .request(.exec, .guess, or: ["a subsystem was refused"])),
        .says("…Could not open channel (", "ChannelManager.java", TranscriptReading.known(.channelProhibited, .guess, .plain)),
        .says(
            "…IOException: Unexpected termination of the channel", "remoting: Channel.java, within an agent's SSH",
            TranscriptReading.lost(.closed, .guess).near(.java)),
        .says("…has not reported exit code before the socket was lost", "ssh-slaves: SSHLauncher", .lost(.closed, .guess)),
        .says(
            "…Couldn't figure out the Java version of ", "ssh-slaves: JavaVersionChecker",
            .known(.commandNotFound, .guess, .plain)),
        .library("…SFTPException: {text} (SSH_FX_{name}: ", "SFTPException.java") { found, _ in
            switch found["name"] ?? "" {
            case "PERMISSION_DENIED": return .known(.sftpPermissionDenied)
            case "NO_SUCH_FILE", "NO_SUCH_PATH": return .known(.sftpNoSuchFile)
            default: return .known(.sftpWriteFailed, .guess)
            }
        },
        .says(
            "…Cannot read full block, EOF reached", "CipherInputStream.java",
            TranscriptReading.cut(.closed, at: .authentication).near(.java)),
        .library("{before}IOException: The connection is closed", "TransportManager.java") { found, _ in
            // The exception that it caused tells at which stage.
            let isCause = found["before"]?.mentions("Caused by: ") == true
            return (isCause ? TranscriptReading.cut().ranked(.wrapper) : .cut()).near(.java)
        },
        .library("…JVM has terminated. Exit code={status}", "ssh-slaves: SSHLauncher") { found, facts in
            let status = (found["status"] ?? "").prefix(while: \.isNumber)
            // An agent that ends without a failure was stopped on purpose.
            if status == "0" { return facts.decline() }
            // The server's shell has this status for a program that it does not find.
            return status == "127" ? .known(.commandNotFound) : .known(.commandExitNonzero, .likely)
        },
        .says("…SSH Launch of ", "ssh-slaves: SSHLauncher", .notReached()),
        // The agent's launcher closes it, after a failure that it has told.
        ended("[SSH] Connection closed."), ended("…Launch failed - cleaning up connection"),
        .says(
            "…Couldn't find a Java version that is supported", "ssh-slaves: JavaVersionChecker",
            .known(.commandNotFound, .guess, .plain)),
    ]

    /// The last lines of the launcher, after any failure. A bug of the plugin's, such as a null pointer, is none of SSH.
    private static func ended(_ text: String) -> TranscriptRow {
        .library(text, "ssh-slaves: SSHLauncher") { _, facts in
            let isBug = facts.otherLines.last(40).contains { $0.mentions("java.lang.NullPointerException") }
            return isBug ? nil : .notReached()
        }
    }
}
