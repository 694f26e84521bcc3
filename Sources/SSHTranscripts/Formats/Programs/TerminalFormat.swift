/// Graphical programs: Xshell, SecureCRT, Bitvise, Termius, JetBrains, Visual Studio Code. Sources: their manuals and support
/// pages, which quote the messages; microsoft/vscode-remote-release.
enum TerminalFormat {
    static let all = [
        TranscriptFormat("xshell", xshell), TranscriptFormat("securecrt", secureCRT), TranscriptFormat("bitvise", bitvise),
        TranscriptFormat("termius", termius), TranscriptFormat("vs code", code), TranscriptFormat("jetbrains", jetBrains),
        TranscriptFormat("zed", zed), TranscriptFormat("tabby", tabby),
    ]

    private static let zed: [TranscriptRow] = [
        .says(
            "…proxy process terminated unexpectedly", "zed: remote_client.rs",
            TranscriptReading.known(.commandExitNonzero, .guess, .wrapper, or: ["the connection was lost"])),
        .says("…Timed out pinging remote client", "zed: remote_client.rs", .lostByWrapper()),
    ]

    private static let tabby: [TranscriptRow] = [
        .says(
            "X  Authentication rejected", "tabby: ssh.ts", .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "X  NotAuthenticated", "tabby, with russh's name",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says("X  KexInit", "tabby, with russh's name", .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
    ]

    private static let xshell: [TranscriptRow] = [
        .says("…The selected user key is not registered on the remote host", "Xshell", .refused("publickey", .likely)),
        .says("…SSH server has rejected the password", "Xshell", .refused("password", .likely)),
        .says("…The SSH server rejected the password", "Xshell", .refused("password", .likely)),
        .library("…Could not connect to '{host}' (port {port}): {reason}", "Xshell") { found, _ in
            let reason = (found["reason"] ?? "").lowercased()
            return reason.mentions("connection failed")
                ? .notReached(.guess, .plain) : .unconnected(reason, .guess)
        },
        .library("…Could not resolve hostname '{host}'", "Xshell") { _, _ in .unresolved("not known", .likely) },
        .says(
            "…No matching outgoing encryption algorithm found", "Xshell", .noCommon(.kexNoCommonCipher, "cipher")),
        .says("…No matching key exchange algorithm", "Xshell", .noCommon(.kexNoCommonKex, "key exchange method")),
        .says("…Server responded \"Algorithm negotiation failed\"", "Xshell", .noCommon(.kexNoCommonKex, "algorithm", .guess)),
    ]

    private static let secureCRT: [TranscriptRow] = [
        .says(
            "…The remote system refused the connection", "SecureCRT",
            .unconnected("connection refused", .likely)),
        .says("…Password authentication failed. Please verify", "SecureCRT", .refused("password", .likely)),
        .says("…Public-key authentication with the server", "SecureCRT", .refused("publickey", .likely)),
        .says("…No compatible key-exchange method", "SecureCRT", .noCommon(.kexNoCommonKex, "key exchange method")),
        .says("…No compatible key exchange method", "SecureCRT", .noCommon(.kexNoCommonKex, "key exchange method")),
        .says("…No compatible hostkey", "SecureCRT", .noCommon(.kexNoCommonHostKeyAlgorithm, "host key algorithm")),
        .says("…No compatible cipher", "SecureCRT", .noCommon(.kexNoCommonCipher, "cipher")),
        .says("…No compatible MAC", "SecureCRT", .noCommon(.kexNoCommonMAC, "MAC")),
        .library("…The client has disconnected from the server. Reason: {text}", "SecureCRT") { found, _ in
            let text = found["text"] ?? ""
            if text.mentions("host key failed to verify") {
                return .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")
            }
            return CommonReasons.reading(of: text) ?? .cut(at: .keyExchange, .plain)
        },
        .library("…The server has disconnected with an error. Server message reads: {text}", "SecureCRT") { found, facts in
            OpenSSHSessionRows.disconnected(["text": found["text"] ?? ""], facts)
        },
    ]

    private static let bitvise: [TranscriptRow] = [
        TranscriptRow("…Attempting {method} authentication.", "Bitvise SSH Client") { found, facts in
            facts.methodRefused = found["method"]
            return nil
        },
        .library("…Authentication failed. The server's remaining methods: '{methods}'", "Bitvise SSH Client") { found, facts in
            if let method = facts.methodRefused { return .refused(method, .likely) }
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" '.") }
            return .refused(methods.first ?? "publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .says(
            "…Failed to connect to target address. Windows error 10061", "Bitvise SSH Client",
            .unconnected("connection refused", .likely)),
        .says("…Failed to connect to target address. Windows error 10060", "Bitvise SSH Client", .timedOut(.connect, .likely)),
        .says("…Failed to connect to target address", "Bitvise SSH Client", .notReached(.guess, .plain)),
        .says("…FlowSocketReader: Error receiving bytes", "Bitvise SSH Client", .cut(.reset)),
        .library("…Error class: RemoteSshDisconn, code: {name}", "Bitvise SSH Client: RFC 4253 section 11.1") { found, facts in
            let parts = (found["name"] ?? "").split(separator: ",", maxSplits: 1).map { String($0).trimming(" .") }
            return OpenSSHSessionRows.disconnected(named: parts.first ?? "", parts.count > 1 ? parts[1] : "", facts)
        },
        .library("…Authentication failed. The following methods are supported: {methods}", "Bitvise SSH Client") {
            found, facts in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" '.") }
            return .refused(facts.methodRefused ?? methods.first ?? "publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .says("…The SSH2 session has been terminated with error", "Bitvise SSH Client", .cut(.closed, at: .banner, .wrapper)),
    ]

    private static let termius: [TranscriptRow] = [
        .library("…Connection failed: {reason}", "Termius: the connection's log") { found, facts in
            let reason = (found["reason"] ?? "").lowercased()
            guard facts.dialog == .termius else { return facts.decline() }
            if reason.mentions("authentication") { return .refused("publickey", .guess, alternatives: SharedAlternatives.login) }
            if reason.mentions("resol") { return .unresolved("not known", .likely) }
            return .unconnected(reason, .guess)
        },
        .library("…Connection failed : {reason} : No more addresses to try", "Termius") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…Connection to \"{host}\" closed with error: {reason}", "Termius: the connection's log") { found, facts in
            guard facts.dialog == .termius else { return facts.decline() }
            return .cut(found["reason"]?.mentions("reset") == true ? .reset : .closed)
        },
        .noting("…Starting a new connection to", "Termius: the connection's log") { _, facts in facts.dialog = .termius },
        .noting("…Starting address resolution of", "Termius: the connection's log") { _, facts in facts.dialog = .termius },
    ]

    private static let code: [TranscriptRow] = [
        // The channels after it are no sessions.
        .noting("…Failed to set up socket for dynamic port forward", "vscode-remote") { _, facts in facts.dialog = .tunnel },
        .library("…Connecting with SSH timed out", "vscode-remote: resolver") { _, facts in
            // After the login it waits for its script, which the account's shell runs.
            facts.trace.step >= .authenticated
                ? .timedOut(.channel, .guess, alternatives: ["the account's shell did not run the script that was sent to it"])
                : .timedOut(.connect, .guess, alternatives: ["the login hung"])
        },
        .says(
            "…Error: Connecting via SSH timed out", "vscode-remote: resolver",
            .timedOut(.connect, .guess, alternatives: ["the login hung"])),
        .whole(
            "…Resolver error: Error: Could not resolve hostname", "vscode-remote: resolver",
            TranscriptReading.unresolved("not known", .guess).ranked(.ending)),
        .library("…Could not establish connection to \"{host}\"{reason}", "vscode-remote: its dialog") { found, facts in
            if found["host"]?.mentions("://") == true { return facts.decline() }
            // ssh has started it.
            if found["reason"]?.mentions("The VS Code Server failed to start") == true {
                return .known(.commandExitNonzero, .guess)
            }
            return CommonReasons.reading(of: found["reason"] ?? "")?.ranked(.ending) ?? .notReached()
        },
        .library(
            "…Resolver error: {kind}The process tried to write to a nonexistent pipe", "vscode-remote: resolver; Windows' EPIPE"
        ) { _, _ in .notReached() },
        .says(
            "…Got bad result from install script", "vscode-remote: resolver",
            TranscriptReading.known(.commandExitNonzero, .guess, .wrapper)),
        .says(
            "…Failed to install the VS Code Server", "vscode-remote",
            TranscriptReading.known(.commandExitNonzero, .guess, .wrapper)),
        .says(
            "…Failed to download VS Code Server", "vscode-remote",
            TranscriptReading.known(.commandExitNonzero, .guess, .wrapper)),
        .says(
            "…The VS Code Server failed to start", "vscode-remote", TranscriptReading.known(.commandExitNonzero, .guess, .wrapper)
        ),
        .says(
            "…Failed to find a non-windows ssh installed", "vscode-remote",
            .known(.localUsage, .guess, or: ["no ssh is installed"])),
        .says("…No ssh executable found", "vscode-remote", .missingProgram("ssh")),
        .recovers("…Running script with connection command: ", "vscode-remote: an ssh was found"),
        .says("…Failed to set up socket for dynamic port forward to remote port", "vscode-remote", .notReached()),
        .says("…TCP port forwarding is disabled on the remote", "vscode-remote", .known(.channelProhibited)),
        .says("…AllowTcpForwarding", "vscode-remote: its advice", TranscriptReading.known(.channelProhibited, .guess, .wrapper)),
        .says("…TCP forwarding appears to be disabled", "vscode-remote", .known(.channelProhibited, .guess)),
    ]

    private static let jetBrains: [TranscriptRow] = [
        .says(
            "…com.intellij.ssh.SshTransportException: Auth fail", "intellij: ssh",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…SshAuthException", "intellij: ssh",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.ending)),
        .says("…UnknownHostKeyException", "intellij: ssh", .hostKeyUnknown(.likely)),
        .says("…SshConnectionFailedException", "intellij: ssh", .notReached()),
        .says("…Remote host identification has changed", "intellij: ssh", .hostKeyChanged()),
    ]
}
