/// .NET's SSH.NET. Sources: SSH.NET 2012–2024, Session.cs, ClientAuthentication.cs, PrivateKeyFile.cs, Security/KeyExchange.cs,
/// Abstractions/SocketAbstraction.cs, Sftp/SftpSession.cs.
enum DotNetFormat {
    static let all = [TranscriptFormat("ssh.net", poshSSH + dotnet)]

    /// Posh-SSH's commands. PowerShell prints their names before the exception's message, since version 7 without a blank.
    private static let poshSSH: [TranscriptRow] = [
        "New-SSHSession", "New-SFTPSession", "Invoke-SSHCommand", "Invoke-SSHCommandStream", "Invoke-SSHStreamShellCommand",
        "Invoke-SSHStreamExpectAction", "New-SSHShellStream", "New-SSHLocalPortForward", "New-SSHRemotePortForward",
        "Get-SFTPItem", "Set-SFTPItem", "Get-SFTPFile", "Set-SFTPFile", "Get-SFTPChildItem", "New-SFTPItem", "Remove-SFTPItem",
        "Get-SCPItem", "Set-SCPItem", "Get-SCPFile", "Set-SCPFile", "Get-SCPFolder", "Set-SCPFolder", "Move-SFTPItem",
    ].map { name in
        TranscriptRow.library("\(name){gap}: {reason}", "Posh-SSH: its commands") { found, facts in
            guard (found["gap"] ?? "").allSatisfy({ $0 == " " }) else { return facts.decline() }
            return reading(of: found["reason"] ?? "", by: name) ?? facts.decline()
        }
    }

    private static func reading(of reason: String, by command: String) -> TranscriptReading? {
        if reason.hasPrefix("Permission denied (") {
            return .refused(String(reason.dropFirst("Permission denied (".count).prefix { $0 != ")" && $0 != "," }), .likely)
        }
        let refusedKeys = ["Key exchange negotiation failed", "ingerprint mismatch", "ost key could not be verified"]
        if refusedKeys.contains(where: { reason.mentions($0) }) {
            return .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])
        }
        if reason.mentions("Client not connected") || reason.mentions("disposed object") { return .lost(.closed, .guess) }
        if reason.mentions("Command '"), reason.mentions("timed out") { return .commandTimedOut(.likely) }
        if command.mentions("-SFTP") || command.mentions("-SCP"), !command.hasSuffix("Session") {
            return SFTPTexts.reading(of: reason) ?? CommonReasons.reading(of: reason)
        }
        return CommonReasons.reading(of: reason)
    }

    private static let dotnet: [TranscriptRow] = [
        .says(
            "…identification string. The connection to the remote server was closed before any data was received",
            "ProtocolVersionExchange.cs", .ended(.telling, .closed, at: .banner, .likely)),
        .says(
            "The connection to the remote server was closed before any data was received", "ProtocolVersionExchange.cs",
            .ended(.telling, .closed, at: .banner, .likely)),
        .library("…esponse does not contain an SSH identification string{rest}", "ProtocolVersionExchange.cs") { found, _ in
            // With a full stop, the next line says that nothing came; with a colon, the bytes that came follow.
            TranscriptReading(found["rest"] == "." ? .plain : .telling, .identificationUnreadable, at: .banner, .guess)
        },
        .says(
            "…esponse does not contain SSH protocol identification", "Session.cs before 2020",
            .ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)),
        .library("…SshAuthenticationException: Permission denied ({methods})", "ClientAuthentication.cs") { found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            return .refused(methods.first ?? "password", methods.count == 1 ? .likely : .guess)
        },
        .library("…Permission denied ({methods})", "ClientAuthentication.cs, the message alone") { found, facts in
            // The method that was refused. OpenSSH writes the methods that the server still accepts.
            guard let method = found["methods"], !method.contains(",") else { return facts.decline() }
            return TranscriptReading.refused(method, .likely).ranked(.telling).near(.dotnet)
        },
        .says(
            "…SshAuthenticationException: Permission denied", "ClientAuthentication.cs",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .library("…No suitable authentication method found to complete authentication ({methods})", "ClientAuthentication.cs") {
            found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            return .methodNotOffered(methods, .likely)
        },
        .says(
            "…No suitable authentication method found to complete authentication", "ClientAuthentication.cs before 2016",
            .known(.authMethodNotOffered, .likely)),
        .library("…Message type {n} is not {rest}", "Session.cs") { found, facts in
            let rest = found["rest"] ?? ""
            return ["valid", "supported in the current context", "allowed during strict"].contains { rest.hasPrefix($0) }
                ? TranscriptReading.protocolBroken(at: .keyExchange).near(.dotnet) : facts.decline()
        },
        .says("…SshException: Failure", "SftpSession.cs: SSH_FX_FAILURE", failure()),
        .says("…\"Failure\"}", "SftpSession.cs: SSH_FX_FAILURE, in a debugger", failure().near(.dotnet)),
        .says(
            "…Tamir.SharpSsh.jsch.SftpException", "SharpSSH, before SSH.NET",
            .known(.sftpWriteFailed, .guess, or: ["no permission", "no such file"])),
        .says("…Could not load file or assembly 'Renci.SshNet", ".NET", .known(.localLibraryFailure)),
        .says("…The type initializer for 'Renci.SshNet", ".NET", .known(.localLibraryFailure)),
        .says(
            "…System.NullReferenceException: ", ".NET",
            TranscriptReading.known(.localLibraryFailure, .guess, .ending).near(.dotnet)),
        .library("Message: Permission denied ({method})", "a debugger's view of the exception") { found, facts in
            guard let method = found["method"], !method.contains(",") else { return facts.decline() }
            return .refused(method, .guess, alternatives: SharedAlternatives.login)
        },
        .library("…argument(s): \"Permission denied ({method})", "PowerShell, of a method of .NET") { found, facts in
            guard let method = found["method"], !method.contains(",") else { return facts.decline() }
            return .refused(method, .likely)
        },
        .library("…FullyQualifiedErrorId : SSH.New{command}", "Posh-SSH, of PowerShell") { _, _ in
            .notReached(.guess, .wrapper, or: ["the login was refused", "a parameter is wrong"])
        },
        .says(
            "…openssh key does not contain the 'openssh-key-v1'", "PrivateKeyFile.OpenSSH.cs",
            .key(.formatUnsupported, nil, "", .guess)),
        .says("…only a single private key in the openssh key", "PrivateKeyFile.OpenSSH.cs", .key(.formatUnsupported)),
        .says(
            "…Padding of openssh key format contained wrong byte", "PrivateKeyFile.OpenSSH.cs",
            .key(.passphraseWrong, nil, "", .guess)),
        .says(
            "…MAC verification failed for PuTTY key file", "PrivateKeyFile.PuTTY.cs",
            .key(.passphraseWrong, nil, "", .guess, alternatives: ["the file is damaged"])),
        .says("…PuTTY key file version not supported", "PrivateKeyFile.PuTTY.cs", .key(.formatUnsupported)),
        .says("…SshException: Invalid passphrase", "PrivateKeyFile.SSHCOM.cs", .key(.passphraseWrong)),
        .library("…Cipher '{name}' is not supported for an OpenSSH key", "PrivateKeyFile.OpenSSH.cs") { _, _ in
            .key(.cipherUnsupported)
        },
        .library("…OpenSSH key type '{name}' is not supported", "PrivateKeyFile.OpenSSH.cs") { _, _ in .key(.typeUnsupported) },
        .library("…FileNotFoundException: Could not find file '{path}'", ".NET: a file here") { found, facts in
            let path = found["path"] ?? ""
            return ["/.ssh/", "\\.ssh\\", ".pem", ".ppk", "id_rsa", "id_ed25519", ".key"].contains { path.mentions($0) }
                ? TranscriptReading.key(.notFound, path, "", .guess).near(.dotnet) : facts.decline()
        },
        .says("…decryption algorithm not found", "KeyExchange.cs before 2024", .noCommon(.kexNoCommonCipher, "cipher")),
        .library("…SshConnectionException: Bad Q_{x} length", "KeyExchangeECDH.cs") { _, _ in .protocolBroken(at: .keyExchange) },
        .says(
            "…SshOperationTimeoutException: Operation timed out", "SftpSession.cs",
            .known(.sftpConnectionLost, .guess, or: ["the server stopped answering"])),
        .says(
            "…SSH identification string must be no longer than", "ProtocolVersionExchange.cs",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.dotnet)),
        .says(
            "…erver response contains a null character", "ProtocolVersionExchange.cs",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely).near(.dotnet)),
        .says(
            "…pseudo-terminal request was not accepted by the server", "ShellStream.cs, SshCommand.cs",
            .request(.pty, .likely)),
        .says("…request to start a shell was not accepted by the server", "ShellStream.cs, Shell.cs", .request(.shell, .likely)),
        .says("…Secure copy execution request was rejected by the server", "ScpClient.cs", .request(.exec, .likely)),
        .library("…Port forwarding for '{name}' port '{n}' failed to start", "ForwardedPortRemote.cs") { _, _ in
            .known(.channelProhibited)
        },
        .library("…Common.SftpException: {text}", "SftpSession.cs") { found, _ in
            SFTPTexts.reading(of: found["text"] ?? "") ?? .known(.sftpWriteFailed, .guess)
        },
        .library("…Server SFTP version {n} is not supported", "SftpSession.cs") { _, _ in .known(.sftpVersionUnsupported) },
        .library("…ObjectDisposedException: Cannot access a disposed object{rest}", ".NET: an object of the library") {
            found, _ in
            TranscriptReading.lost(.closed, .guess).ranked(.ending).near(.dotnet)
        },
        .says("…SshException: Channel was closed", "SubsystemSession.cs, ChannelSession.cs", .lost(.closed, .guess)),
        .says("…Connection failed to establish within ", "SocketAbstraction.cs", .timedOut(.connect, .likely)),
        .says(
            "…Socket read operation has timed out after", "SocketAbstraction.cs",
            TranscriptReading.timedOut(.banner, .guess, alternatives: ["key exchange stalled"]).near(.dotnet)),
        .says("…SshOperationTimeoutException: Command '{command}' timed out", "SshCommand.cs", .commandTimedOut(.likely)),
        .library("…Exception: Command '{command}' has timed out", "SshCommand.cs") { _, _ in .commandTimedOut(.likely) },
        .library("…SshException: Channel '{kind}' open failure: ", "ChannelSession.cs") { _, _ in
            .known(.channelProhibited, .guess, or: ["too many sessions"])
        },
        .says(
            "…SshConnectionException: Server response contains null character", "ProtocolVersionExchange.cs",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
        .says(
            "…SshConnectionException: An established connection was aborted by the software", "Session.cs", .lost(.reset, .guess)),
        .says("…Session operation has timed out", "Session.cs", TranscriptReading.commandTimedOut(.guess).near(.dotnet)),
        .library("…Failed to negotiate {kind} algorithm", "KeyExchange.cs") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
        },
        .library("…SshConnectionException: No matching {kind} algorithm", "KeyExchange.cs, 2024") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
        },
        .says(
            "…SshConnectionException: Key exchange negotiation failed", "KeyExchange.cs",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed", "key exchange failed"])),
        .says(
            "…Key exchange negotiation failed", "KeyExchange.cs, the message alone",
            TranscriptReading.hostKeyUnknown(.guess, alternatives: ["the host key has changed", "key exchange failed"]).near(
                .dotnet)),
        .says("…Host key could not be verified", "KeyExchange.cs", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .library("…The connection was closed by the server: {text}", "Session.cs: SSH_MSG_DISCONNECT") { found, facts in
            // The name of the reason stands in the last brackets; the server's own text may have others.
            let parts = (found["text"] ?? "").split(separator: " (", omittingEmptySubsequences: false)
            guard let name = parts.last?.split(separator: ")", omittingEmptySubsequences: false).first, parts.count > 1 else {
                return facts.decline()
            }
            return OpenSSHSessionRows.disconnected(named: String(name), parts.dropLast().joined(separator: " ("), facts)
        },
        .says(
            "…Failed to open a channel after ", "ChannelSession.cs", .known(.channelProhibited, .guess, or: ["too many sessions"])
        ),
        .says(
            "…Reached authentication attempt limit for method (", "ClientAuthentication.cs",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says("…Server HMAC algorithm not found", "KeyExchange.cs before 2024", .noCommon(.kexNoCommonMAC, "MAC")),
        .says("…encryption algorithm not found", "KeyExchange.cs before 2024", .noCommon(.kexNoCommonCipher, "cipher")),
        .says(
            "…Server host key algorithm not found", "KeyExchange.cs before 2024",
            .noCommon(.kexNoCommonHostKeyAlgorithm, "host key algorithm")),
        .says(
            "…compression algorithm not found", "KeyExchange.cs before 2024", .noCommon(.kexNoCommonCompression, "compression")),
        .says(
            "…Bad packet length: ", "Session.cs",
            TranscriptReading.protocolBroken(at: .keyExchange).near(.dotnet)),
        .says(
            "…SshConnectionException: MAC error", "Session.cs", .call(.telling, "INVALID_MAC", at: .session, .guess, "MAC error")),
        .says(
            "…SshException: Packet decryption failed", "Session.cs",
            .call(.telling, "INVALID_MAC", at: .session, .guess, "decryption")),
        .library("…The random check bytes of the OpenSSH key do not match", "PrivateKeyFile.cs") { _, _ in .key(.passphraseWrong)
        },
        .says("…openssh key type ", "PrivateKeyFile.cs", TranscriptReading.key(.typeUnsupported).near(.dotnet)),
        .library("…Private key cipher \"{name}\" is not supported", "PrivateKeyFile.cs") { _, _ in .key(.cipherUnsupported) },
        .library("…Key '{name}' is not supported", "PrivateKeyFile.cs") { _, _ in .key(.formatUnsupported, nil, "", .guess) },
        .says("…SftpPermissionDeniedException", "SftpSession.cs", .known(.sftpPermissionDenied)),
        .says("…SftpPathNotFoundException", "SftpSession.cs", .known(.sftpNoSuchFile)),
        .says(
            "…Subsystem 'sftp' could not be requested", "SubsystemSession.cs",
            TranscriptReading(.telling, .requestRefused(.subsystem), at: .channel, .likely)),
        .library("…Renci.SshNet.Common.ScpException{text}", "ScpClient.cs") { found, _ in
            let text = found["text"] ?? ""
            // A debugger names the class, and prints the message below.
            let rank = text.isEmpty ? TranscriptReading.Rank.wrapper : .plain
            return SFTPTexts.reading(of: text) ?? .known(.sftpNoSuchFile, .guess, rank, or: ["no permission"])
        },
        .library("…Server version '{version}' is not supported", "Session.cs") { found, _ in
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely) {
                $0.identification = "SSH-\((found["version"] ?? "1.5"))-"
            }
        },
        .says(
            "…SshOperationTimeoutException", "Session.cs",
            TranscriptReading.timedOut(.connect, .guess, alternatives: ["a command took too long"]).ranked(.plain)),
        .says("…SshConnectionException: An existing connection was forcibly closed", "Session.cs", .cut(.reset)),
        .says(
            "…SshConnectionException: Cannot complete operation because client is disconnected", "Session.cs",
            .lost(.closed, .guess)),
        .says(
            "…SshException: User cannot be authenticated", "ClientAuthentication.cs",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .library("…SshAuthenticationException: {text}", "ClientAuthentication.cs: words of a server") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
        .says("SOCKS4: ", "Connection, the message alone", TranscriptReading.known(.connectProxyFailed).near(.dotnet)),
        .says("SOCKS5: ", "Connection, the message alone", TranscriptReading.known(.connectProxyFailed).near(.dotnet)),
        .says(
            "…Socket write operation has timed out", "SocketAbstraction.cs",
            TranscriptReading.known(.sessionKeepaliveTimedOut, .guess).near(.dotnet)),
        .library("…Renci.SshNet.Common.ProxyException: {text}", "Connection") { found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: "", exitStatus: nil, standardError: found["text"] ?? ""), at: .connect,
                .likely)
        },
        .says("…An established connection was aborted by the server", "Session.cs, in key exchange too", .lost(.closed, .guess)),
        .says("…SshConnectionException: Client not connected", "BaseClient.cs", .lost(.closed, .guess)),
        .says("…Private key is encrypted but passphrase is empty", "PrivateKeyFile.cs", .key(.passphraseRequired)),
        .says("…SshException: Invalid private key file", "PrivateKeyFile.cs", .key(.formatInvalid)),
        .library("…Session : Permission denied ({methods})", "Posh-SSH, of PowerShell") { found, _ in
            TranscriptReading.refused(
                (found["methods"] ?? "").split(separator: ",").first.map(String.init) ?? "password", .likely
            ).near(.dotnet)
        },
        .says(
            "…No such host is known", "System.Net.Sockets, the message alone",
            TranscriptReading.unresolved("no such host", .likely).near(.dotnet)),
        .says("…target machine actively refused it", "System.Net.Sockets", socket("actively refused")),
        .says("…did not properly respond after a period of time", "System.Net.Sockets", socket("properly respond")),
        .library("{before}SocketException ({n}): {reason}", "System.Net.Sockets") { found, _ in
            socket("\(found["reason"] ?? "") (\(found["n"] ?? ""))")
        },
        .library("{before}SocketException: {reason}", "System.Net.Sockets") { found, facts in
            // Java's class has the same name.
            found["before"]?.hasSuffix("java.net.") == true ? facts.decline() : socket(found["reason"] ?? "")
        },
        .says(
            "…Client not connected.", "BaseClient.cs, the message alone", TranscriptReading.lost(.closed, .guess).near(.dotnet)),
        .says(
            "…User cannot be authenticated", "ClientAuthentication.cs, the message alone",
            TranscriptReading.refused("password", .guess, alternatives: SharedAlternatives.login).near(.dotnet)),
        .says(
            "…Invalid private key file", "PrivateKeyFile.cs, the message alone",
            TranscriptReading.key(.formatInvalid).near(.dotnet)),
        .library("Message: Permission {word}", "SftpSession.cs, the message alone") { found, facts in
            (found["word"] ?? "").lowercased().trimming(".") == "denied"
                ? TranscriptReading.known(.sftpPermissionDenied).near(.dotnet) : facts.decline()
        },
        .library("…Exception calling \"{method}\" with \"{n}\" argument(s): \"{reason}", "PowerShell, of a method of .NET") {
            found, facts in CommonReasons.reading(of: found["reason"] ?? "")?.near(.dotnet) ?? facts.decline()
        },
        .library("…System.{name}Exception: {text}", "an exception of another kind, in common English") { found, facts in
            CommonReasons.reading(of: found["text"] ?? "")?.ranked(.wrapper).sayingLittle.near(.dotnet) ?? facts.decline()
        },
        LibraryFrames.outermost("…at Renci.SshNet.BaseClient.Connect", of: "ssh.net"),
        LibraryFrames.outermost("…at Renci.SshNet.Session.Connect", of: "ssh.net"),
    ]

    private static func failure() -> TranscriptReading { .known(.sftpWriteFailed, .guess, or: ["the file cannot be read"]) }

    private static func socket(_ reason: String) -> TranscriptReading {
        if reason.mentions("No such host") || reason.mentions("not known") || reason.mentions("name resolution") {
            return .unresolved(reason.lowercased(), .likely).near(.dotnet)
        }
        if reason.mentions("11002") { return .unresolved("temporary failure", .likely).near(.dotnet) }
        if reason.mentions("forcibly closed") { return TranscriptReading.cut(.reset).near(.dotnet) }
        if reason.mentions("11001") || ForeignText.resolverFailure(reason) == .notFound {
            return .unresolved("not known", .likely).near(.dotnet)
        }
        let number = SystemErrorTexts.systemError(reason)
        return .unconnected(number, number == 0 ? .guess : .likely).near(.dotnet)
    }
}
