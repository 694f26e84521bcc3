/// PHP's phpseclib. Sources: phpseclib 1–3, Net/SSH2.php, Net/SFTP.php, Crypt; league/flysystem.
enum PHPFormat {
    static let all = [TranscriptFormat("phpseclib", phpseclib)]

    private static let phpseclib: [TranscriptRow] = [
        .noting("…phpseclib-{version}/", "the path of a release") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "phpseclib")
        },
        .says("…UnableToLoadPrivateKey: ", "flysystem: PhpseclibV3", .key(.formatInvalid, nil, "", .guess)),
        .says("…Sftp\\InvalidRootException: ", "flysystem 1: sftp", .known(.sftpNoSuchFile)),
        .says(
            "…RuntimeException: Unable to request subsystem", "Net/SFTP.php",
            TranscriptReading.request(.subsystem, .guess).near(.php)),
        .says(
            "…Error reading SSH identification string", "Net/SSH2.php; 2",
            TranscriptReading.ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly).near(
                .php)),
        .says("…RuntimeException: Error reading from socket", "Net/SSH2.php", TranscriptReading.cut().near(.php)),
        .says("…Error reading Socket", "Net/SSH2.php; 1", .cut()),
        .says("…RuntimeException: Error reading socket", "Net/SSH2.php", TranscriptReading.cut().near(.php)),
        .says(
            "…Connection timed out whilst attempting to open socket connection", "SSH2.php: connect",
            .timedOut(.connect, .likely)),
        .says(
            "…Connection timed out whilst receiving server identification string", "SSH2.php: connect",
            .timedOut(.banner, .likely)),
        .says("…Possible Terrapin Attack detected", "SSH2.php", .protocolBroken(at: .keyExchange)),
        .library("…Expected SSH_MSG_{name}", "SSH2.php: another message came, or none") { found, facts in
            let name = found["name"] ?? ""
            if ["KEX", "NEWKEYS"].contains(where: { name.hasPrefix($0) }) {
                return TranscriptReading.protocolBroken(at: .keyExchange).near(.php)
            }
            return name.hasPrefix("SERVICE_ACCEPT") ? TranscriptReading.cut(at: .authentication).near(.php) : facts.decline()
        },
        .says(
            "…Server Host Key Algorithm Mismatch", "SSH2.php", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "")),
        .says(
            "…A PublicKey object was passed to the login method instead of a PrivateKey object", "SSH2.php",
            .key(.isPublicKey)),
        .says("…Please use either an RSA key, an EC one or a DSA key", "SSH2.php", .key(.typeUnsupported)),
        .says("…Specified Curves are not supported by SSH2", "SSH2.php", .key(.typeUnsupported)),
        .says("…Unable to request pseudo-terminal", "SSH2.php", TranscriptReading.request(.pty, .likely).near(.php)),
        .says("…Unable to request pty", "SSH2.php", TranscriptReading.request(.pty, .likely).near(.php)),
        .says("…Unable to request shell", "SSH2.php", TranscriptReading.request(.shell, .likely).near(.php)),
        .says("…Unable to initiate an interactive shell session", "SSH2.php", .request(.shell, .guess)),
        .says("…Operation disallowed prior to login()", "SSH2.php", .known(.localUsage, .guess, or: ["the login was refused"])),
        .says("…Invalid UMAC", "SSH2.php", .call(.telling, "INVALID_MAC", at: .session, .guess, "Invalid UMAC")),
        .says("…Error reading channel data", "SSH2.php", TranscriptReading.lost(.closed, .guess).near(.php)),
        .says("…Unexpected response to open request", "SSH2.php", TranscriptReading.known(.channelProhibited, .guess).near(.php)),
        .library("…Unable to connect to host: {host}", "flysystem-sftp-v3: UnableToConnectToSftpHost.php") { _, _ in
            TranscriptReading.notReached(.guess, .plain).near(.php)
        },
        .says("…Connection closed prematurely", "SSH2.php: send_binary_packet", lost().near(.php)),
        .library("…Connection closed by server{rest}", "SSH2.php: get_channel_packet") { found, facts in
            let isSession = ["get_channel_packet", "get_sftp_packet", "send_channel_packet"].contains {
                found["rest"]?.mentions($0) == true
            }
            return isSession ? lost().near(.php) : facts.decline()
        },
        .says(
            "…Connection closed by server", "SSH2.php: connect",
            TranscriptReading.ended(.plain, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly).near(
                .php)),
        .library("…Cannot connect to {host}:{port}. Error {n}. {reason}", "SSH2.php: connect") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…Cannot connect to {host}. Error {n}. {reason}", "SSH2.php: connect, before 2.0") { found, _ in
            TranscriptReading.unconnected(found["reason"] ?? "", .likely).near(.php)
        },
        .says("…Error reading from socket", "SSH2.php: get_binary_packet", lost().near(.php)),
        .says(
            "…Invalid size in ", "SSH2.php: get_binary_packet",
            TranscriptReading.protocolBroken(at: .session).near(.php)),
        .library("…Unable to open ssh2.sftp://{path} on remote host", "pecl-ssh2: ssh2_fopen_wrappers.c") { _, _ in
            .known(.sftpNoSuchFile, .guess, or: ["no permission"])
        },
        .library("…No compatible {kind} algorithms found", "SSH2.php: key_exchange") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
        },
        .says(
            "…Expected SSH_MSG_KEXINIT", "SSH2.php: key_exchange",
            TranscriptReading.protocolBroken(at: .keyExchange).near(.php)),
        .library("…UnableToAuthenticate: {text}", "league/flysystem-sftp-v3") { found, _ in
            ["private key", "agent"].contains { (found["text"] ?? "").mentions($0) }
                ? .refused("publickey", .likely) : .refused("password", .guess, alternatives: ["a key was refused"])
        },
        .says(
            "…UnableToEstablishAuthenticityOfHost", "league/flysystem-sftp-v3",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says(
            "…UnableToConnectToSftpHost", "league/flysystem-sftp-v3",
            .notReached(.guess, or: ["it is refused", "no answer", "the name is unknown"])),
        .says(
            "…Unable to fulfill channel request", "SSH2.php: a subsystem, or a command",
            .request(.subsystem, .guess, or: ["the server refused the command"])),
        .says("…Unable to open channel", "SSH2.php", .known(.channelProhibited, .guess, or: ["too many sessions"])),
        .says("…Please close the channel (", "SSH2.php", .known(.localClosed, .guess)),
        .says(
            "…Expected NET_SFTP_", "SFTP.php",
            .known(.sftpProtocolError, .guess, or: ["the server was too slow", "it was closed"])),
        .says(
            "…Expected SSH_FXP_", "SFTP.php, 1",
            .known(.sftpProtocolError, .guess, or: ["the server was too slow", "it was closed"])),
        .says("…Expected PACKET_TYPE", "SFTP.php", .known(.sftpProtocolError, .guess)),
        .says("…NET_SFTP_STATUS_NO_SUCH_FILE", "SFTP.php", .known(.sftpNoSuchFile)),
        .says("…NET_SFTP_STATUS_PERMISSION_DENIED", "SFTP.php", .known(.sftpPermissionDenied)),
        .says("…Expected SSH_MSG_USERAUTH_", "SSH2.php", TranscriptReading.cut(at: .authentication).near(.php)),
        .says("…Server responded to unexpected message", "SSH2.php", .protocolBroken(at: .keyExchange)),
        .says(
            "…Invalid identification string", "SSH2.php",
            TranscriptReading(
                .telling, .identificationUnreadable, at: .banner, .guess
            ).near(.php)),
        .says(
            "…Server identification string", "SSH2.php",
            TranscriptReading(
                .telling, .identificationUnreadable, at: .banner, .guess
            ).near(.php)),
        .says(
            "…Cannot connect to SSH {version} servers", "SSH2.php, 1",
            TranscriptReading(
                .telling, .identificationUnreadable, at: .banner, .guess)),
        .library("…Cannot connect to {host}:{port}. {reason}", "SSH2.php: connect") { found, facts in
            guard facts.speakers[.php] != nil || facts.port == 22 else { return facts.decline() }
            return .unconnected(found["reason"] ?? "", .guess)
        },
        .says(
            "…Server does not support ", "SSH2.php",
            TranscriptReading.noCommon(.kexNoCommonKex, "algorithm of some kind", .guess).near(.php)),
        .says("…The server's signature is not ", "SSH2.php", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "")),
        .says(
            "…Invalid signature", "SSH2.php",
            signatureInvalid),
        .says("…Invalid HMAC", "SSH2.php", .call(.telling, "INVALID_MAC", at: .session, .guess, "Invalid HMAC")),
        .says(
            "…NoKeyLoadedException", "Crypt/PublicKeyLoader.php",
            keyUnreadable),
        .says(
            "…Unable to read key", "Crypt/PublicKeyLoader.php",
            keyUnreadable),
        .says("…Unable to authenticate using a private key", "league/flysystem-sftp-v3", .refused("publickey", .likely)),
        .says("…Unable to authenticate using a password", "league/flysystem-sftp-v3", .refused("password", .likely)),
        .says(
            "…Unable to authenticate using an ssh agent", "league/flysystem-sftp-v3",
            .agent(.refused, "no key of it was accepted")),
        .says("…BadDecryptionException", "Crypt", .key(.passphraseWrong, nil, "", .guess)),
        .library("…\"Message\":\"Login failed\"{rest}", "nextcloud, owncloud: files_external, Storage/SFTP.php") { found, facts in
            (found["rest"] ?? "").lowercased().mentions("sftp.php")
                ? .refused("password", .guess, alternatives: SharedAlternatives.login) : facts.decline()
        },
        .says(
            "…Login failed: ", "league/flysystem",
            TranscriptReading.refused("password", .guess, alternatives: SharedAlternatives.login).near(.php)),
        .says(
            "…Could not login with username:", "league/flysystem-sftp",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…Could not login with password", "league/flysystem-sftp",
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        ),
        .says(
            "…SSH_AUTH_SOCK not found", "System/SSH/Agent.php",
            agentUnusable),
        .says(
            "…Unable to connect to ssh-agent (", "System/SSH/Agent.php",
            agentUnusable),
        .says(
            "…Unable to request identities", "System/SSH/Agent.php",
            agentUnusable),
        .says(
            "…Connection closed while requesting identities", "System/SSH/Agent.php",
            agentUnusable),
        .says(
            "…Unable to retrieve signature", "System/SSH/Agent/Identity.php",
            agentUnsigned),
        .says(
            "…Connection closed during signing", "System/SSH/Agent/Identity.php",
            agentUnsigned),
        .says(
            "…The two checkints do not match", "Crypt/Common/Formats/Keys",
            passphraseWrong),
        .says(
            "…MAC validation error", "Crypt/Common/Formats/Keys",
            passphraseWrong),
        .says(
            "…Only the bcrypt kdf is supported", "Crypt/Common/Formats/Keys/OpenSSH.php",
            cipherUnsupported),
        .says(
            "…The only supported cipherse are", "Crypt/Common/Formats/Keys/OpenSSH.php",
            cipherUnsupported),
        .says(
            "…Only v2 and v3 PuTTY private keys are supported", "Crypt/Common/Formats/Keys/PuTTY.php",
            TranscriptReading.key(.formatUnsupported).near(.php)),
        .says(
            "…is not a supported key type", "Crypt/Common/Formats/Keys, Net/SSH2.php",
            typeUnsupported),
        .says(
            "…supported by phpseclib3's SSH2 implementation", "Crypt/Common/Formats/Keys, Net/SSH2.php",
            typeUnsupported),
        .says(
            "…Unable to decode BER", "Crypt/Common/Formats/Keys",
            keyMalformed),
        .says(
            "…Expected openssh-key-v1", "Crypt/Common/Formats/Keys",
            keyMalformed),
        .says(
            "…Key appears to be malformed", "Crypt/Common/Formats/Keys",
            keyMalformed),
        .says(
            "…Unable to decode public key", "Crypt/Common/Formats/Keys",
            keyMalformed),
        .says("…No data received from server", "Net/SSH2.php", TranscriptReading.cut().near(.php)),
        .says("…bytes were sent", "Net/SSH2.php", TranscriptReading.lost(.closed, .guess).near(.php)),
        .says(
            "…Unsupported signature format", "Net/SSH2.php",
            signatureInvalid),
        .says(
            "…The signature needs at least four bytes", "Net/SSH2.php",
            signatureInvalid),
        .says("…Packet is too small", "Net/SFTP.php", sftpBroken),
        .says("…RuntimeException: Invalid Size", "Net/SFTP.php", sftpBroken),
        .says("…is not a valid file in ", "Net/SFTP.php: put", TranscriptReading.known(.sftpLocalNoSuchFile, .guess).near(.php)),
        .says("…If you want to run multiple exec()", "Net/SSH2.php", misused),
        .says("…fsock is not a resource", "Net/SSH2.php", misused),
        .library("…fsockopen(): Unable to connect to {host}:22 ({reason})", "PHP") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
    ]

    private static func lost() -> TranscriptReading {
        var reading = TranscriptReading.lost(.closed, .guess)
        reading.alternatives = ["it was closed before the login, or during it"]
        return reading
    }

    // Readings of several messages.
    private static let agentUnusable = TranscriptReading.agent(.unavailable, "it could not be used").near(.php)
    private static let agentUnsigned = TranscriptReading.agent(.refused, "it did not sign").near(.php)
    private static let passphraseWrong = TranscriptReading.key(.passphraseWrong, nil, "", .guess).near(.php)
    private static let cipherUnsupported = TranscriptReading.key(.cipherUnsupported).near(.php)
    private static let typeUnsupported = TranscriptReading.key(.typeUnsupported).near(.php)
    private static let keyMalformed = TranscriptReading.key(.formatInvalid, nil, "", .guess).near(.php)
    private static let signatureInvalid = TranscriptReading.call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "").near(
        .php)
    private static let sftpBroken = TranscriptReading.known(.sftpProtocolError, .guess).near(.php)
    private static let misused = TranscriptReading.known(.localUsage).near(.php)
    private static let keyUnreadable = TranscriptReading.key(
        .formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase, or another one"])
}
