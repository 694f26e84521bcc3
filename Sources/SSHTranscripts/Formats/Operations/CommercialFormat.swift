/// Commercial libraries, and programs that print their words: Chilkat, SecureBlackbox, Maverick and J2SSH, Cerberus, Tera Term.
/// Sources: posted logs of Chilkat, as text and as WebSSH's XML; the list of SecureBlackbox's errors; j2ssh-maverick,
/// TransportProtocol.java; Cerberus' support pages.
enum CommercialFormat {
    static let all = [
        TranscriptFormat("chilkat", chilkat), TranscriptFormat("secureblackbox", blackbox),
        TranscriptFormat("maverick", maverick), TranscriptFormat("cerberus", cerberus), TranscriptFormat("tera term", teraTerm),
    ]

    private static let chilkat: [TranscriptRow] = [
        .library("…Unable to agree upon {kind}", "the log of a connection") { found, facts in
            guard let kind = kinds.first(where: { found["kind"]?.hasPrefix($0) == true }) else { return facts.decline() }
            return .noCommon(TranscriptReading.algorithmCode(kind), kind, .likely)
        },
        .library("…No matching {kind} algorithms supported", "the log of a connection") { found, facts in
            found["kind"] == "mac" ? .noCommon(.kexNoCommonMAC, "MAC", .likely) : facts.decline()
        },
        .says(
            "Must first connect to the SSH server", "the log of a request: the connection had ended, or none was made",
            TranscriptReading.known(.localClosed, .guess).ranked(.wrapper)),
        // The lines before it may tell why the server closed the connection.
        .says(
            "…Failed to read KEX init response", "the log of a connection",
            TranscriptReading.cut(.closed, at: .keyExchange, .wrapper)),
    ]

    private static let kinds =
        ["client-to-server ", "server-to-client "].flatMap { side in ["encryption", "MAC", "compression"].map { side + $0 } }
        + ["key exchange", "host key"]

    private static let blackbox: [TranscriptRow] = codes.map { name, reading in
        .library("…ERROR_SSH_\(name)", "SBSSHConstants") { _, _ in reading() }
    }

    private static let codes: [(String, @Sendable () -> TranscriptReading)] = [
        ("INVALID_IDENTIFICATION_STRING", { TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess) }),
        ("INVALID_VERSION", { .known(.bannerUnsupportedVersion, .guess) }),
        ("PROTOCOL_VERSION_NOT_SUPPORTED", { .known(.bannerUnsupportedVersion, .guess) }),
        ("UNSUPPORTED_CIPHER", { .noCommon(.kexNoCommonCipher, "cipher", .likely) }),
        ("UNSUPPORTED_AUTH_TYPE", { .known(.authMethodNotOffered) }),
        ("AUTHENTICATION_FAILED", { .refused("password", .guess, alternatives: SharedAlternatives.login) }),
        ("NO_MORE_AUTH_METHODS_AVAILABLE", { .refused("password", .guess, alternatives: SharedAlternatives.login) }),
        ("HOST_NOT_ALLOWED_TO_CONNECT", { .cut() }),
        ("KEY_EXCHANGE_FAILED", { .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess) }),
        ("INVALID_MAC", { .call(.telling, "INVALID_MAC", at: .session, .guess, "INVALID_MAC") }),
        ("SERVICE_NOT_AVAILABLE", { .request(.subsystem, .guess) }),
        ("HOST_KEY_NOT_VERIFIABLE", { .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) }),
        ("CONNECTION_LOST", { .cut() }), ("TOO_MANY_CONNECTIONS", { .cut() }),
    ]

    private static let maverick: [TranscriptRow] = [
        .says("…Failed to process key exchange", "j2ssh-maverick: transport", .protocolBroken(at: .keyExchange)),
        .library("…Failed to negotiate a transport component{lists}", "TransportProtocol.java: selectNegotiatedComponent") {
            found, _ in
            let lists = found["lists"] ?? ""
            let code: SSHError.Code =
                lists.mentions("-ctr") || lists.mentions("-cbc")
                ? .kexNoCommonCipher
                : lists.mentions("hmac") ? .kexNoCommonMAC : .kexNoCommonKex
            return .noCommon(code, "algorithm", .guess)
        },
        .says(
            "…AlgorithmNotAgreedException: ", "J2SSH: transport",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says(
            "…InvalidHostFileException: ", "J2SSH: AbstractKnownHostsKeyVerification.java",
            .known(.hostKeyKnownHostsUnreadable, .guess, or: ["the host key is not known"])),
    ]

    private static let cerberus: [TranscriptRow] = [
        .says(
            "…Key exchange failed; could not agree on key exchange parameters", "support pages",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .library("…No common {direction} {kind}: [S: {theirs}", "its log; C2S, S2C") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind, .likely)
        },
    ]

    private static let teraTerm: [TranscriptRow] = [
        .library("TTSSH: {text}", "ttxssh.c: the titles of its dialogs") { found, facts in
            CommonReasons.reading(of: found["text"] ?? "") ?? facts.decline()
        }
    ]
}
