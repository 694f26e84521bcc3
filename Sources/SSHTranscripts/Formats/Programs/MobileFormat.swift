/// Libraries of apps for phones and of Swift: NMSSH, dartssh2, SwiftNIO SSH with Citadel. Sources: NMSSH, NMSSHSession.m; dartssh2,
/// ssh_errors.dart and ssh_client.dart; swift-nio-ssh, NIOSSHError.swift; Citadel, Errors.swift; Blink, SSHClient.swift.
enum MobileFormat {
    static let all = [
        TranscriptFormat("nmssh", nmssh), TranscriptFormat("dartssh2", dart), TranscriptFormat("swift-nio-ssh", swift),
    ]

    private static let nmssh: [TranscriptRow] = [
        .library("…NMSSH: Password authentication failed{reason}", "NMSSHSession.m") { found, _ in
            let reason = found["reason"] ?? ""
            // LIBSSH2_ERROR_TIMEOUT, LIBSSH2_ERROR_AUTHENTICATION_FAILED
            if reason.mentions("-9") { return .timedOut(.authentication, .guess) }
            return .refused("password", reason.mentions("-18") ? .likely : .guess)
        },
        .says("…NMSSH: Public key authentication failed", "NMSSHSession.m", .refused("publickey", .guess)),
        .says(
            "…NMSSH: Keyboard-interactive authentication failed", "NMSSHSession.m", .refused("keyboard-interactive", .guess)),
        .says("…NMSSH: Failed to find a valid identity for the agent", "NMSSHSession.m", .refused("publickey", .guess)),
        .says("…NMSSH: Could not initialize a new agent", "NMSSHSession.m", .agent(.unavailable, "it could not be used")),
        .says("…NMSSH: Failed connecting to agent", "NMSSHSession.m", .agent(.unavailable, "it could not be connected to")),
        .says("…NMSSH: Authentication by {method} not available for {account}", "NMSSHSession.m", .known(.authMethodNotOffered)),
        .says(
            "…NMSSH: Failure establishing SSH session", "NMSSHSession.m",
            TranscriptReading.cut(.closed, at: .keyExchange, .plain)),
        .says("…NMSSH: Failure establishing socket connection", "NMSSHSession.m", .notReached()),
        .library("…NMSSH: Socket connection to {host} on port {port} failed with reason {n}", "NMSSHSession.m") { found, _ in
            // CFSocketError has -2 for a timeout.
            found["n"]?.hasPrefix("-2") == true ? .timedOut(.connect, .guess) : .notReached(.guess, .plain)
        },
        .says("…NMSSH: Unable to init SFTP session", "NMSFTP.m", .request(.subsystem, .guess, or: ["the connection was lost"])),
        .library("…NMSSH: Could not open {kind} at path {path} (Error {n}: {text})", "NMSFTP.m") { _, _ in
            .known(.sftpReadFailed, .guess, .plain, or: ["it cannot be written", "it is not there"])
        },
        .library("…NMSSH: SFTP error {n}", "NMSFTP.m: the status") { found, facts in
            found["n"].flatMap { Int($0) }.flatMap(SFTPTexts.reading(ofStatus:)) ?? facts.decline()
        },
        .says("…NMSSH: Unable to read directory", "NMSFTP.m", .known(.sftpReadFailed, .guess, .plain)),
        .says("…NMSSH: Unable to open SCP session", "NMSSHChannel.m", .known(.sftpReadFailed, .guess, .ending)),
        .says("…NMSSH: Error resolving host", "NMSSHSession.m", .unresolved("not known", .likely)),
    ]

    private static let dart: [TranscriptRow] = [
        .says(
            "…SSHAuthFailError(", "ssh_errors.dart", .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…SSHAuthAbortError(", "ssh_errors.dart",
            .ended(.telling, .closed, at: .authentication, .guess, alternatives: SharedAlternatives.closedEarly)),
        .says(
            "…SSHHostkeyError(", "ssh_errors.dart", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("…SSHHandshakeError({text}", "ssh_errors.dart") { found, _ in
            CommonReasons.reading(of: found["text"] ?? "") ?? .cut(.closed, at: .keyExchange, .plain)
        },
        .library("…SSHSocketError({text}", "ssh_errors.dart") { found, _ in
            CommonReasons.reading(of: found["text"] ?? "") ?? .notReached(.guess, .plain)
        },
        .library("…SSHChannelOpenError({code}: {text}", "ssh_errors.dart") { found, _ in
            .channelRefused(found["code"].flatMap { UInt32($0) }, (found["text"] ?? "").trimming(")"), .guess)
        },
        .says("…SSHChannelRequestError(", "ssh_errors.dart", .request(.exec, .guess, or: ["a terminal or a shell was refused"])),
        .library("…SocketException: {reason} (OS Error: {text}, errno = {n}), address = {host}, port = 22", "dart:io") {
            found, _ in
            .unconnected(found["n"].flatMap { Int32($0) }.flatMap(PythonRows.systemError), .likely)
        },
        .says("…SSHStateError(Transport is closed", "ssh_transport.dart", .lost(.closed, .guess)),
        .library("…SftpStatusError: {text}(code {n})", "sftp_errors.dart") { found, _ in
            found["n"].flatMap { Int($0) }.flatMap { SFTPTexts.reading(ofStatus: $0) } ?? .known(.sftpWriteFailed, .guess)
        },
        .says("…SSHKeyDecryptError(", "ssh_errors.dart", .key(.passphraseWrong, nil, "", .guess)),
        .says("…SSHKeyDecodeError(", "ssh_errors.dart", .key(.formatInvalid, nil, "", .guess)),
    ]

    private static let swift: [TranscriptRow] = [
        .says(
            "…Negotiated MAC was not supported by negotiated transport protection", "SSHKeyExchangeStateMachine.swift",
            .noCommon(.kexNoCommonMAC, "MAC", .guess)),
        .says(
            "…allAuthenticationOptionsFailed", "Citadel: Errors.swift",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…NIOSSHError.keyExchangeNegotiationFailure", "NIOSSHError.swift",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says(
            "…NIOSSHError.invalidExchangeHashSignature", "NIOSSHError.swift",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says(
            "…NIOSSHError.unsupportedVersion", "NIOSSHError.swift",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
        .says("…NIOSSHError.channelSetupRejected", "NIOSSHError.swift", .known(.channelProhibited, .guess)),
        .says("…NIOSSHError.tcpShutdown", "NIOSSHError.swift", .cut()),
        .says("…NIOSSHError.invalidUserAuthSignature", "NIOSSHError.swift: a server's side", .refused("publickey", .guess)),
        .says("…NIOSSHError.unknownPublicKey", "NIOSSHError.swift", .key(.typeUnsupported, nil, "", .guess)),
        .says("…NIOSSHError.globalRequestRefused", "NIOSSHError.swift", .known(.channelProhibited)),
        .says("…NIOSSHError.creatingChannelAfterClosure", "NIOSSHError.swift", .lost(.closed, .guess)),
        .says(
            "…NIOSSHError.", "NIOSSHError.swift: violations of the protocol",
            .call(.plain, "PROTO", at: .keyExchange, .guess, "")),
        .library("…NIOSSH.NIOSSHError error {n}", "Foundation: an error without a text") { _, _ in unnamed() },
        .library("…Citadel.ClientHandshakeHandler{x}AuthenticationFailed", "Citadel: ClientSession.swift") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login + ["the login was too slow"])
        },
        .says("…unsupportedPasswordAuthentication", "Citadel: Errors.swift", .known(.authMethodNotOffered)),
        .says("…unsupportedPrivateKeyAuthentication", "Citadel: Errors.swift", .known(.authMethodNotOffered)),
        .says("…unsupportedHostBasedAuthentication", "Citadel: Errors.swift", .known(.authMethodNotOffered)),
        .says(
            "…SSHClientError.channelCreationFailed", "Citadel: Errors.swift",
            .known(.channelProhibited, .guess, or: ["the connection was lost"])),
        .says(
            "…Citadel.SSHClient.CommandFailed error", "Foundation: an error without a text",
            .known(.commandExitNonzero, .guess)),
        .library("…Citadel.SSHClientError error {n}", "Foundation: an error without a text") { _, _ in unnamed() },
        .says(
            "…Could not verify host authenticity", "Blink: SSHClient.swift",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
    ]

    /// Foundation gives an error without a text a number, which depends on the release.
    private static func unnamed() -> TranscriptReading {
        .notReached(.guess, .plain, or: ["the two share no algorithm", "the login was refused"])
    }
}
