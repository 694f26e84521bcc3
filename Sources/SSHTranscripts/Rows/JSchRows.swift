/// JSch. Sources: Session.java, Util.java, KeyPair.java, Channel.java of 0.1.55 and of the fork at 0.2.
enum JSchRows {
    static let rows: [TranscriptRow] = progress + login + trust + reaching + keys + messages + files + ant + publishOver

    private static let progress: [TranscriptRow] = [
        TranscriptRow("…Local version string: SSH-2.0-JSCH_{version}", "Session.java, INFO") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "jsch")
            return nil
        },
        step("…INFO: SSH_MSG_KEXINIT sent", .keyExchange), step("…INFO: SSH_MSG_NEWKEYS received", .authentication),
        step("…INFO: SSH_MSG_SERVICE_ACCEPT received", .authentication), step("…INFO: Authentication succeeded (", .session),
        next("…INFO: Next authentication method: {method}"), next("Next authentication method: {method}"),
        // JSch gives the reason in an exception, which a log need not have.
        TranscriptRow("…INFO: Disconnecting from ", "Session.java, INFO") { _, facts in
            guard facts.stage == .authentication, let method = facts.methodRefused else { return nil }
            return TranscriptReading.refused(method, .guess, alternatives: SharedAlternatives.login).ranked(.ending)
        },
    ]

    /// Rundeck prints the log without the levels.
    private static func next(_ words: String) -> TranscriptRow {
        TranscriptRow(words, "Session.java, INFO") { found, facts in
            facts.methodRefused = found["method"].map { String($0.prefix { $0.isLetter || $0 == "-" }) }
            return nil
        }
    }

    private static func step(_ words: String, _ stage: SSHStage) -> TranscriptRow {
        TranscriptRow(words, "Session.java, INFO") { _, facts in
            facts.stage = stage
            return nil
        }
    }

    private static let login: [TranscriptRow] = [
        .says("…PortForwardingL: local port ", "PortWatcher.java", .known(.connectLocalResources)),
        .says("…SftpException: Can't change directory", "ChannelSftp.java", .known(.sftpNoSuchFile, .guess)),
        .library("…Auth fail for methods '{methods}'", "Session.java, 0.2") { found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map(String.init)
            guard methods.count > 1 else { return .refused(methods.first ?? "publickey", .likely) }
            return .refused(
                methods.contains("publickey") ? "publickey" : methods[0], .guess,
                alternatives: methods.dropFirst().map { "\($0) was refused" })
        },
        .library("{before}Auth fail{rest}", "Session.java, 0.1") { found, facts in
            let (before, rest) = (found["before"] ?? "", found["rest"] ?? "")
            guard
                before.hasSuffix(": ") || before.hasSuffix(". ") || before.hasSuffix("[") || before.isEmpty
                    // Clojure's map of an exception.
                    || before == ":cause ",
                rest.isEmpty
                    || ["]", "\"", "'", ".", ")", " at ", " for methods", " - ", " : "].contains(where: { rest.hasPrefix($0) })
            else { return facts.decline() }
            return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        cancelled("{before}Auth cancel{rest}"), cancelled("{before}Auth Cancel{rest}"),
        .library("…JSchPartialAuthException: {methods}", "Session.java") { found, _ in
            .moreFactors((found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }, .likely)
        },
        .says(
            "…USERAUTH fail", "UserAuthPublicKey.java: a key that wants a passphrase",
            .key(.passphraseRequired, nil, "", .guess, alternatives: ["the passphrase is wrong"])),
        .says("…Login trial exceeds", "Session.java: MaxAuthTries", .attemptsExhausted(.likely)),
        .library("…SSH_MSG_DISCONNECT: {reason} {text}", "Session.java") { found, facts in
            Int(found["reason"] ?? "") == nil ? facts.decline() : OpenSSHSessionRows.disconnected(found, facts)
        },
    ]

    private static func cancelled(_ text: String) -> TranscriptRow {
        .library(text, "Session.java") { found, facts in
            let before = (found["before"] ?? "").trimming(" ")
            let isNamed = before.mentions("JSch") || before.mentions("eclipse.jgit")
            guard before.hasSuffix(":") && isNamed || before.hasSuffix("[") else {
                return facts.decline()
            }
            return .known(.authInteractionRequired, .guess, or: ["the password was refused"])
        }
    }

    private static let trust: [TranscriptRow] = [
        .library("…UnknownHostKey: {host}. {x}", "Session.java: checkHost") { _, _ in .hostKeyUnknown(.likely) },
        .library("…reject HostKey: {host}", "Session.java: checkHost") { _, _ in .hostKeyUnknown(.likely) },
        .says("…reject HostKey", "Session.java, without the host", .hostKeyUnknown(.guess)),
        .library("…HostKey has been changed: {host}", "Session.java: checkHost") { _, _ in .known(.hostKeyChanged) },
        .library("…HostKey has been changed", "Session.java: checkHost") { _, _ in .known(.hostKeyChanged) },
        .library("…revoked HostKey: {host}", "Session.java: checkHost") { _, _ in .known(.hostKeyRevoked) },
        .says(
            "…ClassNotFoundException: com.jcraft.jsch.", "Session.java: the class of an algorithm",
            TranscriptReading.known(.localLibraryFailure, .guess, or: ["the release is not made for this Java"])),
        .says("…JSchException: verify: false", "Session.java", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says("…[verify: false]", "Session.java", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
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
            .ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)),
        .says(
            "…Session.connect: java.net.SocketTimeoutException", "Session.java",
            .timedOut(.banner, .guess, alternatives: ["key exchange stalled"])),
        .says(
            "…Session.connect: java.net.SocketException", "Session.java",
            .ended(.telling, .reset, at: .banner, .guess, alternatives: ["it was reset in key exchange"])),
        .library("…Session.connect: java.io.IOException: End of IO Stream Read", "Session.java") { _, facts in
            .ended(.telling, .closed, at: facts.stage ?? .keyExchange, .guess, alternatives: ["the account is refused"])
        },
        .says(
            "…JSchException: channel is not opened", "Channel.java", .known(.channelProhibited, .guess, or: ["too many sessions"])
        ),
        .says("…JSchException: session is down", "Session.java", .lost(.closed, .guess)),
        .library("{before}session is down{rest}", "Session.java, printed by the program") { found, facts in
            (found["before"] ?? "").isEmpty && (found["rest"] ?? "").isEmpty ? .lost(.closed, .guess) : facts.decline()
        },
        .library("…TransportException: {url}: session is down", "JGit, of JSch's Session.java") { _, _ in .lost(.closed, .guess)
        },
        .says("…JSchException: timeout in waiting for rekeying", "Session.java", .timedOut(.keyExchange, .likely)),
        .says("…JSchException: timeout", "Session.java", .timedOut(.connect, .guess)),
        .says(
            "…invalid server's version string", "Session.java",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
        .says("…JSchException: failed to send sftp request", "RequestSftp.java", .request(.subsystem, .guess)),
        .whole("Connection Failed: failed to send sftp request", "SharpSsh, in Duplicati", .request(.subsystem, .guess)),
        .says("…JSchException: failed to send channel request", "Request.java", .request(.exec, .guess)),
        .library("…ProxyHTTP: {text}", "ProxyHTTP.java") { found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: "", exitStatus: nil, standardError: found["text"] ?? ""),
                at: .connect, .likely)
        },
        .library("…ProxySOCKS{kind}: {text}", "ProxySOCKS5.java") { found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: "", exitStatus: nil, standardError: found["text"] ?? ""),
                at: .connect, .likely)
        },
        .says("…Received message is too long: ", "ChannelSftp.java", .known(.sftpProtocolError)),
        .says("…inputstream is closed", "ChannelSftp.java", TranscriptReading.known(.sftpConnectionLost, .guess).near(.java)),
        .says("…java.io.IOException: Pipe closed", "Channel.java", TranscriptReading.lost(.closed, .guess).near(.java)),
        .says("…java.io.IOException: End of IO Stream Read", "IO.java", TranscriptReading.cut().near(.java)),
        .says("…JSchException: Packet corrupt", "Session.java", .protocolBroken(at: .keyExchange)),
    ]

    private static let keys: [TranscriptRow] = [
        .says(
            "…invalid privatekey: [B@", "KeyPair.java: the message alone, with an array's name in Java",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it has OpenSSH's format, which JSch 0.1 cannot read"])),
        .says("…JSchException: failed to parse decrypted key", "KeyPair.java", .key(.passphraseWrong, nil, "", .guess)),
        .says(
            "…JSchException: invalid privatekey", "KeyPair.java",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it has OpenSSH's format, which JSch 0.1 cannot read"])),
        .library("…JSchException: java.io.FileNotFoundException: {path} (", "KeyPair.java") { found, _ in
            .key(.notFound, found["path"])
        },
    ]

    /// The other messages of JSchException, by what they mean.
    private static let messages: [TranscriptRow] =
        packets + calls + damaged + ciphers + [
            .says("…JSchException: We don't support having more than 1 key", "KeyPair.java", .key(.formatUnsupported)),
            .says(
                "…JSchAuthCancelException: ", "Session.java",
                .known(.authInteractionRequired, .guess, or: ["the password was refused"])),
            .says("…JSchException: USERAUTH cancel", "Session.java", .known(.authInteractionRequired, .guess)),
            .says("…JSchException: USERAUTH KI is not supported", "Session.java", .known(.authInteractionRequired, .guess)),
            .says("…JSchStrictKexException: ", "Session.java", .protocolBroken(at: .keyExchange)),
            .says("…JSchException: Invalid DHGEX sizes", "DHGEX.java", .protocolBroken(at: .keyExchange)),
            .says(
                "…JSchException: Session.connect: java.lang.IllegalArgumentException", "of Java's own",
                .protocolBroken(at: .keyExchange)),
            .says(
                "…JSchException: NONE Cipher should not be chosen", "Session.java",
                .noCommon(.kexNoCommonCipher, "cipher", .guess)),
            .says("…JSchException: channel is down", "Channel.java", .lost(.closed, .guess)),
            .says("…JSchException: key is encrypted", "KeyPair.java", .key(.passphraseRequired)),
            .library("…JSchException: key type {type} is not supported", "KeyPair.java") { _, _ in .key(.typeUnsupported) },
            .says("…JSchProxyException: ", "Proxy.java", .known(.connectProxyFailed)),
            .says(
                "…com.jcraft.jsch.AgentProxyException: ", "AgentProxyException.java", .agent(.unavailable, "it cannot be used")),
            .says("…JSchException: channel is broken", "Session.java", .lost(.closed, .guess)),
            .says("…IOException: channel is broken", "Channel.java, Session.java", .lost(.closed, .guess)),
            .says("…JSchException: session is not available", "Channel.java", .lost(.closed, .guess)),
            .says("…JSchException: channel request: timeout", "Request.java", .timedOut(.channel, .likely)),
            .says("…JSchException: remote port forwarding failed", "Session.java", .known(.channelProhibited, .guess)),
            .says("…JSchException: PortForwardingR: ", "ChannelForwardedTCPIP.java", .known(.channelProhibited, .guess)),
            .says("…JSchException: Password must be changed", "UserAuthPassword.java", .passwordExpired()),
            .says("…JSchException: privatekey: invalid key ", "KeyPair.java", .key(.formatInvalid)),
            .says("…JSchException: unknown privatekey format: ", "KeyPair.java", .key(.formatUnsupported)),
            .library("…JSchException: privatekey: {cipher} is not available", "KeyPair.java") { _, _ in .key(.cipherUnsupported)
            },
            .library("…JSchException: The cipher '{cipher}' is required", "KeyPair.java") { _, _ in .key(.cipherUnsupported) },
            .says("…JSchException: KnownHosts: invalid format", "KnownHosts.java", .known(.hostKeyKnownHostsUnreadable)),
            .library("…JSchException: proxy error: {text}", "ProxyHTTP.java") { found, _ in
                TranscriptReading(
                    .telling, .proxyFailed(command: "", exitStatus: nil, standardError: found["text"] ?? ""),
                    at: .connect, .likely)
            },
            .says(
                "…JSchException: There are not any available ciphers", "Session.java",
                .noCommon(.kexNoCommonCipher, "cipher", .guess)),
            .says(
                "…JSchException: There are not any available kexes", "Session.java",
                .noCommon(.kexNoCommonKex, "algorithm", .guess)),
            .says("…JSchException: There are not any available macs", "Session.java", .noCommon(.kexNoCommonMAC, "MAC", .guess)),
            .says(
                "…JSchException: There are not any available sig", "Session.java",
                .noCommon(.kexNoCommonHostKeyAlgorithm, "host key algorithm", .guess)),
        ]

    private static let damaged: [TranscriptRow] = [
        "Invalid openssh v1 format", "failed to parse", "fromBase64: ", "Invalid argon2", "pubkeyblob type", "invalid key type",
    ].map { (words: String) -> TranscriptRow in .says("…JSchException: \(words)", "KeyPair.java", .key(.formatInvalid)) }

    private static let ciphers: [TranscriptRow] = [
        "cipher {name} is not available", "cipher {name} is not supported", "kdf {name} is not available",
        "unsupported {kind} oid: ", "unsupported cipher function", "'{name}' is required, but it is not", "argon2 unavailable",
        "scrypt unavailable",
    ].map { (words: String) -> TranscriptRow in
        .library("…JSchException: \(words)", "KeyPairDeferred.java, of 0.2") { _, _ in .key(.cipherUnsupported, nil, "", .guess) }
    }

    private static let packets: [TranscriptRow] = ["invalid protocol", "Unknown SSH message type", "MAC Error"].map {
        (words: String) -> TranscriptRow in
        .says("…JSchException: \(words)", "Session.java", .protocolBroken(at: .keyExchange))
    }

    private static let calls: [TranscriptRow] = [
        "username is not given", "username must not be null", "host must not be null", "session is already connected",
        "invalid timeout value", "parseForwarding: ", "PortForwardingL: invalid address", "MaxAuthTries: ",
    ].map { (words: String) -> TranscriptRow in .says("…JSchException: \(words)", "JSch.java", .known(.localUsage)) }

    /// SftpException, and IOException of its streams. Java prints the former as the status's number and its text.
    private static let files: [TranscriptRow] =
        [
            "2: No such file", "3: Permission denied", "4: Failure", "5: Bad message", "7: Connection lost",
            "8: Operation unsupported",
        ]
        .map { words in
            TranscriptRow.library(words, "SftpException.java: toString") { _, facts in
                SFTPTexts.reading(ofStatus: Int(words.prefix(1)) ?? 4)?.near(.java) ?? facts.decline()
            }
        } + [
            .says(
                "…SftpException: The channel is not connected", "ChannelSftp.java", .known(.sftpConnectionLost, .guess)),
            .says("…SftpException: RequestQueue: ", "ChannelSftp.java", .known(.sftpProtocolError)),
            .says("…SftpException: ack error: ", "ChannelSftp.java", .known(.sftpProtocolError)),
            .says(
                "…SftpException: java.io.FileNotFoundException: ", "ChannelSftp.java: a file here", .known(.sftpLocalNoSuchFile)),
            .says("…SftpException: No such directory", "ChannelSftp.java", .known(.sftpNoSuchFile)),
            .says("…SftpException: Copying multiple files, but", "ChannelSftp.java", .known(.sftpNoSuchFile, .guess)),
            .says("…SftpException: failed to resume for", "ChannelSftp.java", .known(.sftpWriteFailed, .guess)),
            .library("…SftpException: {path} is a directory", "ChannelSftp.java") { _, _ in .known(.sftpIsADirectory) },
            .library("…SftpException: The remote sshd is too old to support {x}", "ChannelSftp.java") { _, _ in
                .known(.sftpUnsupported)
            },
            .library("…SftpException: {name}@openssh.com is not supported", "ChannelSftp.java") { _, _ in .known(.sftpUnsupported)
            },
            .says(
                "…java.io.IOException: channel is down", "ChannelSftp.java", TranscriptReading.lost(.closed, .guess).near(.java)),
        ]

    /// Ant's tasks sshexec and scp, which use JSch. Source: optional/ssh of 1.10.
    private static let ant: [TranscriptRow] = [
        .library("…Remote command failed with exit status {status}", "SSHExec.java") { found, facts in
            (found["status"]?.prefix { $0.isNumber }).flatMap { Int($0) }.map { .commandEnded(status: $0) } ?? facts.decline()
        },
        .says("…Timeout period exceeded, connection dropped.", "SSHBase.java", .commandTimedOut(.likely)),
        .library("…server indicated an error: {text}", "AbstractSshMessage.java") { found, facts in
            SFTPTexts.reading(of: found["text"] ?? "") ?? facts.decline()
        },
        .library("…JSchException: Could not {verb} '{path}' - {status}: {text}", "ScpFromMessageBySftp.java") { found, facts in
            (found["status"]?.suffix(1)).flatMap { Int($0) }.flatMap { SFTPTexts.reading(ofStatus: $0) } ?? facts.decline()
        },
        .says("…JSchException: failed to access remote dir", "ScpToMessageBySftp.java", .known(.sftpNoSuchFile, .guess)),
        .library(
            "…neither password nor keyfile for user {user} has been given", "SSHUserInfo", { _, _ in .noCredentials(.likely) }),
    ]

    /// Jenkins' publish-over-ssh, which uses JSch and prints its messages in brackets.
    private static let publishOver: [TranscriptRow] = [
        .library("…Channel #{n} finished with exit status {status}", "gradle-ssh-plugin, the older groovy-ssh") { found, facts in
            guard let status = (found["status"]?.prefix { $0.isNumber || $0 == "-" }).flatMap({ Int($0) }), status != 0 else {
                return facts.decline()
            }
            return status < 0 ? .known(.commandOutcomeUnknown, .guess) : .commandEnded(status: status)
        },
        .library("…BadExitStatusException: Command returned exit status {status}", "groovy-ssh") { found, _ in
            (found["status"]?.prefix { $0.isNumber }).flatMap { Int($0) }.map { .commandEnded(status: $0) }
        },
        .library("…BadExitStatusException: Command #{n} returned exit status {status}", "groovy-ssh 2.1") { found, _ in
            (found["status"]?.prefix { $0.isNumber }).flatMap { Int($0) }.map { .commandEnded(status: $0) }
        },
        .says(
            "…Exec exit status not zero. Status [", "publish-over-ssh: BapSshClient",
            TranscriptReading.known(.commandExitNonzero, .likely, .plain)),
        .says("…Exec timed out or was interrupted after", "publish-over-ssh: BapSshClient", .commandTimedOut(.likely)),
        .says(
            "…Failed to add SSH key. Message", "publish-over-ssh: BapSshHostConfiguration", .key(.formatInvalid, nil, "", .guess)),
        .says("…Failed to connect SFTP channel. Message", "publish-over-ssh", .request(.subsystem, .guess)),
        .says("…Failed to change to remote directory", "publish-over-ssh: BapSshClient", .known(.sftpNoSuchFile, .guess)),
        .library("…Failed to connect session for config [{name}]. Message [{text}", "publish-over-ssh") { found, _ in
            CommonReasons.reading(of: found["text"] ?? "") ?? .notReached()
        },
        .says("…Failed to connect session for config", "publish-over-ssh", .notReached()),
        .says(
            "…Exception when publishing, exception message [Failure]", "publish-over-ssh, and SFTP's status",
            .known(.sftpWriteFailed, .guess)),
        .says(
            "…Exception when publishing, exception message [null]", "publish-over-ssh: an exception without words",
            .known(.localLibraryFailure, .guess, .wrapper)),
        .library("…Could not write file. Message [{text}]", "publish-over-ssh: BapSshClient") { found, facts in
            SFTPTexts.reading(of: found["text"] ?? "") ?? facts.decline()
        },
        .library("…Exception when publishing, exception message [{text}]", "publish-over-ssh") { found, facts in
            CommonReasons.reading(of: found["text"] ?? "")?.ranked(.ending) ?? facts.decline()
        },
    ]
}
