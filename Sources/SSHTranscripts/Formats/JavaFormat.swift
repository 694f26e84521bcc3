/// Java's libraries: JSch and its forks, JGit, SSHJ, Apache MINA; Trilead is in JenkinsFormat. Sources: the named classes.
enum JavaFormat {
    static let all = [
        TranscriptFormat("jsch", JSchRows.rows), TranscriptFormat("sshj", sshj),
        TranscriptFormat("trilead", JenkinsFormat.trilead),
        TranscriptFormat("jgit", otherProtocols + jgit), TranscriptFormat("mina sshd", mina), TranscriptFormat("java", network),
    ]

    private static let sshj: [TranscriptRow] = [
        .library("…Exhausted available authentication methods", "SSHClient.java") { _, facts in
            facts.dialog = .sshj
            if let method = facts.methodRefused { return .refused(method, .likely) }
            return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…net.schmizz.sshj.SSHClient.authPassword(", "the stack of the exception") { _, facts in
            facts.dialog == .sshj ? .refused("password", .likely) : facts.decline()
        },
        .library("…net.schmizz.sshj.SSHClient.authPublickey(", "the stack of the exception") { _, facts in
            facts.dialog == .sshj ? .refused("publickey", .likely) : facts.decline()
        },
        .library("{before}`{method}` auth failed", "UserAuthImpl.java, DEBUG") { found, facts in
            guard let method = found["method"], method != "none", (found["before"] ?? "").mentions("UserAuthImpl") else {
                return nil
            }
            facts.methodRefused = method
            return TranscriptReading.refused(method, .guess, alternatives: SharedAlternatives.login).ranked(.ending)
        },
        TranscriptRow("…Client identity string: SSH-2.0-SSHJ_{version}", "TransportImpl.java") { found, facts in
            facts.noteVersion((found["version"] ?? "").replacing("_", with: "."), of: "sshj")
            return nil
        },
        .library(
            "…Could not verify `{type}` host key with fingerprint `{fingerprint}` for `{host}` on port {port}",
            "KeyExchanger.java"
        ) { _, _ in .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) },
        .library("…OpenFailException: Opening `{kind}` channel failed{text}", "OpenFailException.java") { _, _ in
            .known(.channelProhibited, .guess, or: ["too many sessions", "the server cannot reach the destination"])
        },
        .library("…Could not verify `{type}` host key with fingerprint{x}", "KeyExchanger.java, cut") { _, _ in
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])
        },
        .says(
            "…KeyExchange certificate check failed", "KeyExchanger.java: a host certificate",
            .hostKeyUnknown(.guess, alternatives: ["the certificate names other hosts, or has expired"])),
        .says(
            "…[HOST_KEY_NOT_VERIFIABLE]", "KeyExchanger.java", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])
        ),
        .library("…Unable to reach a settlement of {kind}: ", "Proposal.java") { found, _ in
            let kind = (found["kind"] ?? "").replacing("HostKey", with: "host key ")
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…Unable to reach a settlement: {lists}", "Proposal.java before 0.35") { found, _ in
            let code = code(ofList: found["lists"] ?? "")
            return .noCommon(code, "algorithm of a kind", .likely)
        },
        .says("…Broken transport; encountered EOF", "Reader.java", .lost(.closed, .guess)),
        .says(
            "…Server closed connection during identification exchange", "TransportImpl.java",
            .ended(.telling, .closed, at: .banner, .likely)),
        .says(
            "…TransportException: Timeout expired", "Promise.java",
            .timedOut(.keyExchange, .guess, alternatives: ["the server sent no identification"])),
        .says("…UserAuthException: Password change request received", "AuthPassword.java", .passwordExpired()),
        .says("…UserAuthException: Timeout expired", "Promise.java", .timedOut(.authentication, .likely)),
        .says(
            "…ConnectionException: Timeout expired", "Promise.java",
            .timedOut(.channel, .guess, alternatives: ["the server stopped answering"])),
        .library("…Received SSH_MSG_DISCONNECT (reason={reason}, msg={text})", "TransportImpl.java") { found, facts in
            OpenSSHSessionRows.disconnected(named: found["reason"] ?? "", found["text"] ?? "", facts)
        },
        .says("…Did not receive any keep-alive response", "KeepAliveRunner.java", .silent()),
        .library("…TransportException: [{reason}] {text}", "TransportImpl.java: gotDisconnect, and its own") { found, facts in
            let (reason, text) = (found["reason"] ?? "", found["text"] ?? "")
            if text.lowercased().mentions("too many auth") { return .tooManyAttempts(.likely) }
            switch reason {
            case "HOST_KEY_NOT_VERIFIABLE": return .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])
            case "PROTOCOL_VERSION_NOT_SUPPORTED":
                return TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)
            case "KEY_EXCHANGE_FAILED":
                if text.mentions("packet") { return .protocolBroken(at: .keyExchange) }
                if !text.mentions("verification failed") { return .noCommon(.kexNoCommonKex, "algorithm", .guess) }
                return .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, text)
            case "MAC_ERROR": return .call(.telling, "INVALID_MAC", at: .session, .guess, text)
            case "PROTOCOL_ERROR": return .protocolBroken(at: text.mentions("nonexistent channel") ? .session : .keyExchange)
            case "CONNECTION_LOST": return .cut()
            // The client's own end.
            case "BY_APPLICATION": return .lost(.closed, .guess).ranked(.consequence)
            case let name where name.allSatisfy({ $0.isUppercase || $0 == "_" }):
                return OpenSSHSessionRows.disconnected(named: name, text, facts)
            default: return facts.decline()
            }
        },
        .library("…net.schmizz.sshj.transport.TransportException: Socket closed", "TransportImpl.java") { _, facts in
            facts.dialog = .sshjClosed
            return .cut()
        },
        .library("…at net.schmizz.sshj.userauth.UserAuthImpl.authenticate(", "the stack of the exception") { _, facts in
            facts.dialog == .sshjClosed
                ? .ended(.telling, .closed, at: .authentication, .guess, alternatives: ["the account is refused"]) : nil
        },
        .says(
            "…sshj.connection.ConnectionException: Request failed", "SessionChannel.java",
            .request(.exec, .guess, or: ["a subsystem or a terminal was refused"])),
        .library("…Opening `{kind}` channel failed: {text}", "OpenFailException.java") { found, _ in
            // sshd's text for a forwarding that its settings prohibit (serverloop.c); otherwise it gives the network's error.
            if found["kind"] == "direct-tcpip" {
                return (found["text"] ?? "").mentions("open failed")
                    ? .known(.channelProhibited, .guess) : .known(.channelJumpTargetUnreachable, .guess)
            }
            return openFailed(found)
        },
        .library("…Opening a `{kind}` channel failed: {text}", "OpenFailException.java, older") { found, _ in openFailed(found) },
        .library("…sshj.sftp.SFTPException: {text}", "Response.java") { found, _ in
            // The server did not answer a request.
            if found["text"]?.hasPrefix("Timeout expired") == true { return .commandTimedOut(.guess) }
            return SFTPTexts.reading(of: found["text"] ?? "")
                ?? .known(.sftpConnectionLost, .guess, or: ["the server refused the operation"])
        },
        .says(
            "…sshj.connection.ConnectionException: Global request [", "ConnectionImpl.java", .known(.channelProhibited, .guess)),
        .says(
            "…sshj.connection.ConnectionException: [PROTOCOL_ERROR] Received ", "ConnectionImpl.java", .lost(.closed, .guess)),
        .says("…ConnectionException: Unexpected: SSH_MSG_", "ConnectionImpl.java", .protocolBroken(at: .session)),
        .says("…public key has changed!", "OpenSSHKnownHosts.java", TranscriptReading.hostKeyChanged().near(.java)),
        .says(
            "…This key is not in 'openssh-key-v1' format", "OpenSSHKeyV1KeyFile.java",
            TranscriptReading.key(.formatUnsupported, nil, "", .guess).near(.java)),
        .says(
            "…The checkInts differed", "OpenSSHKeyV1KeyFile.java",
            TranscriptReading.key(.passphraseWrong, nil, "", .guess).near(.java)),
        .says("…IOException: Invalid passphrase", "PuTTYKeyFile.java", TranscriptReading.key(.passphraseWrong).near(.java)),
        .says("…Cannot read key type ", "OpenSSHKeyV1KeyFile.java", TranscriptReading.key(.typeUnsupported).near(.java)),
        .says(
            "…java.util.concurrent.TimeoutException: Timeout expired", "Promise.java",
            TranscriptReading.timedOut(.keyExchange, .guess, alternatives: ["the server stopped answering"]).near(.java)),
        .says(
            "…KeyDecryptionFailedException", "userauth/keyprovider",
            .key(.passphraseWrong, nil, "", .guess, alternatives: ["it needs a passphrase"])),
        .says("…No provider available for Unknown key file", "SSHClient.java: loadKeys", .key(.formatInvalid, nil, "", .guess)),
        .says(
            "…Server does not support SSHv2, identified as:", "IdentificationStringParser.java",
            TranscriptReading(
                .telling, .identificationUnreadable, at: .banner, .guess)),
        .says(
            "…Incorrect identification", "IdentificationStringParser.java",
            TranscriptReading(
                .telling, .identificationUnreadable, at: .banner, .guess)),
        .says(
            "…signature verification failed for key", "KeyExchanger.java; MINA",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says(
            "…Buffer$BufferException: ", "Buffer.java: a packet or a key file",
            .call(.plain, "PROTO", at: .keyExchange, .guess, "a packet that is too short")),
        .says(
            "…SCPException: EOF while expecting response", "SCPEngine.java",
            .known(.sftpConnectionLost, .guess, or: ["the server has no scp"])),
        .library("…SCPRemoteException: Remote SCP command {what}: {text}", "SCPEngine.java") { found, _ in
            let text = (found["text"] ?? "").lowercased()
            if text.mentions("no such file") { return .known(.sftpNoSuchFile) }
            return text.mentions("denied") ? .known(.sftpPermissionDenied) : .known(.sftpWriteFailed, .guess)
        },
        .says(
            "…UserAuthException: Problem getting public key from", "UserAuthImpl.java",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"])),
    ]

    private static func openFailed(_ found: [String: String]) -> TranscriptReading {
        .channelRefused((found["text"] ?? "").mentions("open failed") ? 2 : 1, found["text"] ?? "", .guess)
    }

    /// The code for the kind of algorithm in a list.
    private static func code(ofList list: String) -> SSHError.Code {
        if list.mentions("hmac") || list.mentions("umac") { return .kexNoCommonMAC }
        if list.mentions("-ctr") || list.mentions("-cbc") || list.mentions("-gcm") { return .kexNoCommonCipher }
        let exchanges = ["curve25519", "diffie-hellman", "ecdh-"]
        return exchanges.contains { list.mentions($0) } ? .kexNoCommonKex : .kexNoCommonHostKeyAlgorithm
    }

    /// The addresses of JGit's other protocols. The causes after them are theirs.
    private static let otherProtocols: [TranscriptRow] = ["http://", "https://", "git://"].map { address in
        .noting("…TransportException: \(address)", "jgit: TransportHttp, TransportGitAnon") { _, facts in
            facts.isOtherProtocol = true
        }
    }

    /// JGit's transport over MINA. Source: SshdText.properties.
    private static let jgit: [TranscriptRow] = [
        .library("…TransportException: ssh://{url}: cannot execute{x}git-", "TransportGitSsh.java: the status 127") { _, _ in
            .known(.commandNotFound, .guess)
        },
        .says("…: no more keys to try", "authPubkeyExhausted", TranscriptReading.refused("publickey", .likely).near(.java)),
        .says("…: no keys to try", "authPubkeyNoKeys", TranscriptReading.noCredentials(.guess).ranked(.ending).near(.java)),
        .says("…: server refused (wrong password)", "authPasswordFailure", .refused("password", .likely)),
        .library("…publickey: server refused {type} key {key}", "authPubkeyFailure") { _, _ in .refused("publickey", .likely) },
        .says("…SSH authentication canceled: no password given", "authenticationCanceled", .known(.authInteractionRequired)),
        .library("…Given passphrase cannot read identity {path}", "identityFileCannotDecrypt") { found, _ in
            .key(.passphraseWrong, found["path"])
        },
        .library("…No keys found in identity {path}", "identityFileNoKey") { found, _ in .key(.formatInvalid, found["path"]) },
        .library("…Unsupported format in identity {path}", "identityFileUnsupportedFormat") { found, _ in
            .key(.formatUnsupported, found["path"])
        },
        .library("Host '{host}' sent a key that is marked as revoked", "knownHostsRevokedKeyMsg") { _, _ in
            .known(.hostKeyRevoked)
        },
        .says(
            "…Server identification is longer than", "serverIdTooLong",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.java)),
        .says(
            "…Server identification contains a NUL", "serverIdWithNul",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.java)),
        .says(
            "…No server identification received within ", "serverIdNotReceived",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.java)),
        .library("…HTTP Proxy connection to {name} failed with code", "proxyHttpFailure") { _, _ in
            TranscriptReading.known(.connectProxyFailed).near(.java)
        },
        .library("…SOCKS5 proxy {name}: {reason}", "proxySocksFailure") { _, _ in
            TranscriptReading.known(.connectProxyFailed).near(.java)
        },
        .library("…timed out after {n} seconds while opening the channel", "sshCommandTimeout") { _, _ in
            .timedOut(.channel, .likely)
        },
        .library("…Execution of ssh command '{command}' failed with error", "JGitText: sshCommandFailed") { _, _ in
            .known(.commandExitNonzero, .guess)
        },
        .library("…Execution of ssh command '{command}' timed out after", "JGitText: sshCommandTimeout") { _, _ in
            .commandTimedOut(.likely)
        },
    ]

    private static let mina: [TranscriptRow] = [
        .says("…SshChannelNotFoundException: ", "common/channel/exception", .lost(.closed, .guess)),
        .says(
            "…forwarding request denied by server", "DefaultForwarder.java",
            TranscriptReading.known(.channelProhibited).near(.java)),
        .library("…Unsupported remote server version: {version}", "ClientSessionImpl.java") { _, _ in
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely).near(.java)
        },
        .says(
            "…No password data for encrypted resource", "FilePasswordProvider",
            TranscriptReading.key(.passphraseRequired).near(.java)),
        .library("…mismatched keys presented by {host} for entry", "KnownHostsServerKeyVerifier.java") { _, _ in .hostKeyChanged()
        },
        .library("…RemoteException: Remote command failed ({status}): ", "ClientSession.java") { found, facts in
            found["status"].flatMap { Int($0) }.map { .commandEnded(status: $0).near(.java) } ?? facts.decline()
        },
        .library("…Failed ({kind}) to execute{x}", "DefaultSshFuture.java") { found, facts in
            let isBroken = ["ClassCastException", "NoClassDefFoundError", "NoSuchMethodError"].contains(found["kind"] ?? "")
            return isBroken ? TranscriptReading.known(.localLibraryFailure, .guess).near(.java) : facts.decline()
        },
        .says(
            "…No more authentication methods available", "ClientUserAuthService.java",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…Server key did not validate", "AbstractClientSession.java",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("…Unable to negotiate key exchange for {kind} (", "AbstractSession.java") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…Unable to negotiate key exchange for {kind}", "AbstractSession.java") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), "algorithm", .guess).near(.java)
        },
        .says(
            "…KeyExchange signature verification failed", "AbstractDHGClient.java",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says("…SshChannelClosedException", "common/channel/exception", .lost(.closed, .guess)),
        .says(
            "…SshException: Protocol error: expected packet", "KeyExchange classes",
            .call(.telling, "PROTO", at: .keyExchange, .guess, "an unexpected packet")),
        .library("…DefaultAuthFuture[{x}]: Failed to get operation result within specified timeout", "DefaultAuthFuture.java") {
            _, _ in
            .timedOut(.authentication, .likely)
        },
        .says(
            "…Future[{x}]: Failed to get operation result within specified timeout", "DefaultConnectFuture.java",
            .timedOut(.connect, .guess, alternatives: ["the server was slow in key exchange or the login"])),
        .says("…Detected AuthTimeout after", "AbstractSession.java", .timedOut(.authentication, .likely)),
        .says("…Detected IdleTimeout after", "AbstractSession.java", .silent()),
        .library("…exceptionCaught(ClientSessionImpl[{session}])[state={state}] {kind}Exception: {text}", "AbstractSession.java")
        {
            found, facts in
            let reading = CommonReasons.reading(of: found["text"] ?? "") ?? TranscriptReading.cut()
            // The login need not be over in this state, but the session lasts longer.
            return (found["state"] == "Opened" && reading.evidence.stage == .banner ? .lost(.reset, .guess) : reading).ranked(
                .ending)
        },
        .says("…SshException: Session is being closed", "AbstractSession.java", closed()),
        .says("…SshException: Channel is being closed", "DefaultSftpClient.java", .known(.sftpConnectionLost, .guess)),
        .says("…SshException: Session is closed", "AbstractSession.java", closed()),
        .says("…SshException: Session has been closed", "AbstractSession.java", closed()),
        .says("…IllegalStateException: Session is being closed", "AbstractSession.java", closed()),
        .says(
            "…SshException: Invalid packet length", "AbstractSession.java",
            .call(.telling, "PROTO", at: .keyExchange, .guess, "Invalid packet length")),
        .says(
            "…SshException: MAC Error", "AbstractSession.java", .call(.telling, "INVALID_MAC", at: .session, .guess, "MAC error")),
        .says("…UnresolvedAddressException", "java.nio", TranscriptReading.unresolved("not known", .likely).near(.java)),
        .says("…SshChannelOpenException", "AbstractClientChannel.java", .known(.channelProhibited, .guess)),
        .library("…: Cannot log in at {host}:{port}", "jgit: JGitClientSession, SshdText") { _, _ in
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .says("…SftpException: No such file", "SftpClient; JSch", .known(.sftpNoSuchFile)),
        .says("…jsch.SftpException: Failure", "ChannelSftp.java", .known(.sftpWriteFailed, .guess)),
        .says("…SftpException: Permission denied", "SftpClient; JSch", .known(.sftpPermissionDenied)),
        .says("…sftp.common.SftpException: ", "SftpClient", TranscriptReading.known(.sftpWriteFailed, .guess, .plain)),
    ]

    private static func closed() -> TranscriptReading {
        .ended(
            .telling, .closed, at: .authentication, .guess,
            alternatives: ["it was closed in key exchange", "it was lost later", "the host key was refused"])
    }

    /// Java's own exceptions. These texts count only near text of an SSH library.
    private static let network: [TranscriptRow] =
        [
            .says(
                "…Connection refused (Connection refused)", "java.net, the message alone",
                TranscriptReading.unconnected("connection refused", .likely).near(.java)),
            .says(
                "…Connection refused: connect", "java.net on Windows, the message alone",
                TranscriptReading.unconnected("connection refused", .likely).near(.java)),
            .says(
                "…Connection timed out: connect", "java.net on Windows, the message alone",
                TranscriptReading.timedOut(.connect, .likely).near(.java)),
            .says(
                "…Connection timed out (Connection timed out)", "java.net, the message alone",
                TranscriptReading.timedOut(.connect, .likely).near(.java)),
            .says(
                "…No route to host (Host unreachable)", "java.net, the message alone",
                TranscriptReading.unconnected("no route to host", .likely).near(.java)),
            .library("…java.net.ConnectException: {reason}", "java.net") { found, _ in
                .unconnected(found["reason"] ?? "", .likely).near(.java)
            },
            .says(
                "…java.net.NoRouteToHostException", "java.net",
                .unconnected("no route to host", .likely).near(.java)),
            .library("…java.net.UnknownHostException: {name}", "java.net") { found, facts in
                let name = (found["name"] ?? "").prefix { $0 != ":" && $0 != " " }
                if facts.speakers[.java] != nil { facts.host = String(name) }
                return .unresolved("not known", .likely).near(.java)
            },
            .library("…java.net.SocketTimeoutException: {reason}", "java.net") { found, _ in
                let stage: SSHStage = (found["reason"] ?? "").lowercased().mentions("connect timed out") ? .connect : .banner
                return .timedOut(stage, stage == .connect ? .likely : .guess).near(.java)
            },
            .library("…java.net.SocketException: {reason}", "java.net") { found, _ in
                let reason = found["reason"] ?? ""
                // The exceptions around it may tell the stage.
                if reason.mentions("Broken pipe") { return .lost(.reset, .guess).ranked(.ending).sayingLittle.near(.java) }
                if reason.mentions("reset") || reason.mentions("closed") {
                    return .ended(.ending, .reset, at: .banner, .guess, alternatives: ["it was lost later"]).sayingLittle.near(
                        .java)
                }
                return .unconnected(reason, .likely).near(.java)
            },
            .library("…TransportException: ssh://{address}: Connection refused", "jgit: TransportGitSsh") { _, _ in
                .unconnected("connection refused", .likely)
            },
            .says("…java.lang.NoClassDefFoundError: ", "java.lang", unable()),
            .says("…java.lang.NoSuchMethodError: ", "java.lang", unable()),
            .says("…java.lang.UnsatisfiedLinkError: ", "java.lang", unable()),
            .says("…java.lang.ExceptionInInitializerError", "java.lang", unable()),
            .says(
                "…Could not change to work directory \"", "commons-vfs2: SftpFileSystem.java",
                .known(.sftpNoSuchFile, .guess, or: ["no permission", "the session was lost"])),
            .says("…Could not connect to SFTP server at \"", "commons-vfs2: SftpFileProvider.java", .notReached()),
            .says("…Can't initialize tunnel", "dbeaver: DataSourceDescriptor.java", .notReached()),
            .says("…GenericFileOperationFailedException: Cannot connect to sftp://", "camel: SftpOperations.java", .notReached()),
            .says("…no such algorithm: ", "java.security, of a provider of algorithms", unable()),
            .says("…NoSuchAlgorithmException: ", "java.security", unable()),
            .says("…NoSuchProviderException: ", "java.security", unable()),
            .says("…InvalidKeyException: Illegal key size", "javax.crypto", unable()),
            .says(
                "…exception using cipher - please check password and data", "org.bouncycastle.openssl",
                TranscriptReading.key(.passphraseWrong).near(.java)),
            .says(
                "…org.bouncycastle.openssl.PEMException: ", "org.bouncycastle.openssl",
                TranscriptReading.key(.formatInvalid, nil, "", .guess).near(.java)),
            .says(
                "…IllegalStateException: Not connected", "SSHClient.java: the program's order of calls",
                TranscriptReading.known(.localClosed, .guess, .ending, or: ["the connection was lost"]).near(.java)),
            .library("…java.{name}Exception: {text}", "an exception of another kind, in common English") { found, facts in
                CommonReasons.reading(of: found["text"] ?? "")?.ranked(.wrapper).sayingLittle.near(.java) ?? facts.decline()
            },
        ]
        + [
            ("jsch", "com.jcraft.jsch.Session.connect("), ("sshj", "net.schmizz.sshj.SSHClient.connect("),
            ("sshj", "net.schmizz.sshj.SocketClient.connect("), ("trilead", "com.trilead.ssh2.Connection.connect("),
            ("ganymed", "ch.ethz.ssh2.Connection.connect("),
        ].map { LibraryFrames.outermost("…at \($0.1)", of: $0.0) }

    private static func unable() -> TranscriptReading {
        TranscriptReading.known(.localLibraryFailure, .guess, .plain, or: ["the client and the server share no algorithm"]).near(
            .java)
    }
}
