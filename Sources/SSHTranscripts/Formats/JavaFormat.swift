/// Java's libraries: JSch and its forks, JGit, SSHJ, Trilead (Jenkins), Apache MINA. Sources: the named classes.
enum JavaFormat {
    static let all = [
        TranscriptFormat("jsch", JSchRows.rows), TranscriptFormat("sshj", sshj), TranscriptFormat("trilead", trilead),
        TranscriptFormat("mina sshd", mina), TranscriptFormat("java", network),
    ]

    private static let sshj: [TranscriptRow] = [
        .library("…Exhausted available authentication methods", "SSHClient.java") { _, facts in
            facts.dialog = .sshj
            return .refused("publickey", .guess, alternatives: Otherwise.login)
        },
        .library("…at net.schmizz.sshj.SSHClient.authPassword(", "the stack of the exception") { _, facts in
            facts.dialog == .sshj ? .refused("password", .likely) : nil
        },
        .library("…at net.schmizz.sshj.SSHClient.authPublickey(", "the stack of the exception") { _, facts in
            facts.dialog == .sshj ? .refused("publickey", .likely) : nil
        },
        TranscriptRow("…Client identity string: SSH-2.0-SSHJ_{version}", "TransportImpl.java") { found, facts in
            facts.noteVersion((found["version"] ?? "").replacing("_", with: "."), of: "sshj")
            return nil
        },
        .library(
            "…Could not verify `{type}` host key with fingerprint `{fingerprint}` for `{host}` on port {port}",
            "KeyExchanger.java"
        ) { _, _ in .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) },
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
        .says("…UserAuthException: Timeout expired", "Promise.java", .timedOut(.authentication, .likely)),
    ]

    /// What kind of algorithm a list has.
    private static func code(ofList list: String) -> SSHError.Code {
        if list.mentions("hmac") || list.mentions("umac") { return .kexNoCommonMAC }
        if list.mentions("-ctr") || list.mentions("-cbc") || list.mentions("-gcm") { return .kexNoCommonCipher }
        let exchanges = ["curve25519", "diffie-hellman", "ecdh-"]
        return exchanges.contains { list.mentions($0) } ? .kexNoCommonKex : .kexNoCommonHostKeyAlgorithm
    }

    private static let trilead: [TranscriptRow] = [
        .says(
            "…Key exchange was not finished, connection is closed", "KexManager.java",
            .ended(.ending, .closed, at: .keyExchange, .guess, alternatives: ["the host key was not accepted"])),
        .says(
            "…Cannot negotiate, proposals do not match", "KexManager.java",
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
        TranscriptRow("…Failed to authenticate as {user} with credential", "ssh-credentials") { _, _ in
            .refused("password", .guess, alternatives: ["the key was refused"]).ranked(.plain)
        },
        .library("…SSH Connection failed with IOException: \"{reason}", "ssh-slaves: SSHLauncher") { found, _ in
            .unconnected(ReasonWords.systemError(found["reason"] ?? ""), .likely)
        },
        .recovers("…[SSH] Authentication successful.", "ssh-slaves: SSHLauncher"),
    ]

    private static let mina: [TranscriptRow] = [
        .says(
            "…No more authentication methods available", "ClientUserAuthService.java",
            .refused("publickey", .guess, alternatives: Otherwise.login)),
        .says(
            "…Server key did not validate", "AbstractClientSession.java",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("…Unable to negotiate key exchange for {kind} (", "AbstractSession.java") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .says(
            "…Future[{x}]: Failed to get operation result within specified timeout", "DefaultConnectFuture.java",
            .timedOut(.connect, .guess, alternatives: ["the server was slow in key exchange or the login"])),
        .says("…Detected AuthTimeout after", "AbstractSession.java", .timedOut(.authentication, .likely)),
        .says("…Detected IdleTimeout after", "AbstractSession.java", .silent()),
    ]

    /// Java's own exceptions, where a library's words stand near.
    private static let network: [TranscriptRow] = [
        .library("…java.net.ConnectException: {reason}", "java.net") { found, _ in
            .unconnected(ReasonWords.systemError(found["reason"] ?? ""), .likely).near(.java)
        },
        .says(
            "…java.net.NoRouteToHostException", "java.net",
            .unconnected(ReasonWords.systemError("no route to host"), .likely).near(.java)),
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
            if reason.mentions("reset") || reason.mentions("closed") || reason.mentions("Broken pipe") {
                return .ended(.telling, .reset, at: .banner, .guess, alternatives: ["it was lost later"]).near(.java)
            }
            return .unconnected(ReasonWords.systemError(reason), .likely).near(.java)
        },
        .library("…TransportException: ssh://{address}: Connection refused", "jgit: TransportGitSsh") { _, _ in
            .unconnected(ReasonWords.systemError("connection refused"), .likely)
        },
    ]
}

/// JSch. Sources: Session.java, Util.java, KeyPair.java, Channel.java of 0.1.55 and of the fork at 0.2.
enum JSchRows {
    static let rows: [TranscriptRow] = progress + login + trust + reaching + keys

    private static let progress: [TranscriptRow] = [
        TranscriptRow("…Local version string: SSH-2.0-JSCH_{version}", "Session.java, INFO") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "jsch")
            return nil
        }
    ]

    private static let login: [TranscriptRow] = [
        .library("…Auth fail for methods '{methods}'", "Session.java, 0.2") { found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map(String.init)
            guard methods.count > 1 else { return .refused(methods.first ?? "publickey", .likely) }
            return .refused(
                methods.contains("publickey") ? "publickey" : methods[0], .guess,
                alternatives: methods.dropFirst().map { "\($0) was refused" })
        },
        .library("{before}Auth fail{rest}", "Session.java, 0.1") { found, facts in
            let (before, rest) = (found["before"] ?? "", found["rest"] ?? "")
            guard before.hasSuffix(": ") || before.hasSuffix(". ") || before.hasSuffix("[") || before.isEmpty,
                rest.isEmpty || ["]", "\"", "'", ".", ")", " at "].contains(where: { rest.hasPrefix($0) })
            else { return facts.decline() }
            return .refused("publickey", .guess, alternatives: Otherwise.login)
        },
        .says(
            "…JSchException: Auth cancel", "Session.java",
            .known(.authInteractionRequired, .guess, or: ["the password was refused"])),
        .says(
            "…JSchException: USERAUTH fail", "Session.java: a key that wants a passphrase",
            .key(.passphraseRequired, nil, "", .guess, alternatives: ["the passphrase is wrong"])),
        .library("…SSH_MSG_DISCONNECT: {reason} {text}", "Session.java") { found, facts in
            TranscriptSession.disconnected(found, facts)
        },
    ]

    private static let trust: [TranscriptRow] = [
        .library("…UnknownHostKey: {host}. {x}", "Session.java: checkHost") { _, _ in .hostKeyUnknown(.likely) },
        .library("…reject HostKey: {host}", "Session.java: checkHost") { _, _ in .hostKeyUnknown(.likely) },
        .library("…HostKey has been changed: {host}", "Session.java: checkHost") { _, _ in .known(.hostKeyChanged) },
        .library("…HostKey has been changed", "Session.java: checkHost") { _, _ in .known(.hostKeyChanged) },
        .library("…revoked HostKey: {host}", "Session.java: checkHost") { _, _ in .known(.hostKeyRevoked) },
        .says("…JSchException: verify: false", "Session.java", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
    ]

    private static let reaching: [TranscriptRow] = [
        .library("…Algorithm negotiation fail: algorithmName=\"{kind}\"", "JSchAlgoNegoFailException.java") { found, _ in
            let kind = (found["kind"] ?? "").replacing("_", with: " ")
            return .noCommon(TranscriptReading.algorithmCode(kind), "algorithm for \(kind)")
        },
        .says(
            "…Algorithm negotiation fail", "Session.java",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess).ranked(.plain)),
        .says("…timeout: socket is not established", "Util.java", .timedOut(.connect, .likely)),
        .says(
            "…connection is closed by foreign host", "Session.java",
            .ended(.telling, .closed, at: .banner, .guess, alternatives: Otherwise.closedEarly)),
        .says(
            "…Session.connect: java.net.SocketTimeoutException", "Session.java",
            .timedOut(.banner, .guess, alternatives: ["key exchange stood still"])),
        .says(
            "…Session.connect: java.net.SocketException", "Session.java",
            .ended(.telling, .reset, at: .banner, .guess, alternatives: ["it was reset in key exchange"])),
        .says(
            "…Session.connect: java.io.IOException: End of IO Stream Read", "Session.java",
            .ended(.telling, .closed, at: .keyExchange, .guess)),
        .says(
            "…JSchException: channel is not opened", "Channel.java", .known(.channelProhibited, .guess, or: ["too many sessions"])
        ),
        .says("…JSchException: session is down", "Session.java", .lost(.closed, .guess)),
        .says("…JSchException: Packet corrupt", "Session.java", .call(.telling, "PROTO", at: .keyExchange, .guess, "")),
    ]

    private static let keys: [TranscriptRow] = [
        .says(
            "…JSchException: invalid privatekey", "KeyPair.java",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it has OpenSSH's format, which JSch 0.1 cannot read"])),
        .library("…JSchException: java.io.FileNotFoundException: {path} (", "KeyPair.java") { found, _ in
            .key(.notFound, found["path"])
        },
    ]
}
