/// WinSCP and FileZilla, which are based on PuTTY. Sources: WinSCP, resource/TextsCore1.rc and TextsWin1.rc; FileZilla, src/engine
/// and src/putty.
enum WinSCPFormat {
    static let all = [TranscriptFormat("winscp", winSCP), TranscriptFormat("filezilla", fileZilla)]

    private static let winSCP: [TranscriptRow] = [
        TranscriptRow("Searching for host...", "TextsCore1.rc: STATUS_LOOKUPHOST") { _, facts in
            facts.dialog = .winSCP
            return nil
        },
        .noting("…Started a shell/command", "putty, in the session log: after the login") { _, facts in facts.stage = .session },
        .library("Host \"{host}\" does not exist.", "NET_TRANSL_HOST_NOT_EXIST2") { _, _ in .unresolved("not known", .likely) },
        .says("…host key was not found in the cache", "TextsCore1.rc", .hostKeyUnknown(.likely)),
        .library("…WinSCP.SessionRemoteException: Authentication failed.{rest}", "the assembly's exception") { found, _ in
            .refused("password", (found["rest"] ?? "").mentions("Access denied") ? .likely : .guess)
        },
        .says(
            "Copying files from remote side failed.", "TextsCore1.rc: TOLOCAL_COPY_ERROR",
            TranscriptReading.known(.sftpReadFailed, .guess).ranked(.ending)),
        .says(
            "Copying files to remote side failed.", "TextsCore1.rc: TOREMOTE_COPY_ERROR",
            TranscriptReading.known(.sftpWriteFailed, .guess).ranked(.ending)),
        .says("…Lost SSH connection", "TextsCore1.rc: LOST_CONNECTION", .lost(.closed)),
        .says("…host key was not verified!", "TextsCore1.rc", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says("…Host key wasn't verified!", "TextsCore1.rc", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says(
            "Continue connecting to an unknown server and add its host key to a cache?", "HOSTKEY_UNKNOWN",
            .hostKeyUnknown(.likely)),
        .says("…it would exceed the user's storage quota", "SFTP_STATUS_QUOTA_EXCEEDED", .known(.sftpDiskFull)),
        .says("Error code: 12", "SFTP_STATUS_WRITE_PROTECT", .known(.sftpPermissionDenied)),
        .says("SCP protocol error: ", "SCP_INVALID_CONTROL_RECORD", .known(.sftpProtocolError)),
        .library("…Certificate in \"{path}\" does not match public key", "CERTIFICATE_NOT_MATCH") { found, _ in
            .key(.publicKeyMismatch, found["path"])
        },
        .library("…Unable to load certificate file \"{path}\"", "CERTIFICATE_LOAD_ERROR") { found, _ in
            .key(.formatInvalid, found["path"], "", .guess)
        },
        .library("…Certificate file \"{path}\" does not exist or cannot be opened", "CERTIFICATE_UNOPENABLE") { found, _ in
            .key(.notFound, found["path"])
        },
        .library("The {kind} {name} was not verified!", "ALG_NOT_VERIFIED") { found, facts in
            let kind = found["kind"] ?? ""
            guard ["cipher", "key-exchange algorithm", "host key type"].contains(where: { kind.hasSuffix($0) }),
                found["name"]?.contains(" ") == false
            else {
                return facts.decline()
            }
            return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) that is accepted", .guess)
        },
        .library("failed with return code {status} and the following error message", "COMMAND_FAILED2: a line of its own") {
            found, facts in
            found["status"].flatMap { Int($0) }.map { .commandEnded(status: $0) } ?? facts.decline()
        },
        .says("…Host key does not match configured key", "TextsCore1.rc", .known(.hostKeyChanged)),
        .says(
            "…Cannot initialize SFTP protocol", "TextsCore1.rc: SFTP_INITIALIZE_ERROR",
            TranscriptReading.request(.subsystem, .guess, or: ["a startup file prints text", "the connection was lost"]).ranked(
                .plain)),
        .says("…Received too large (", "TextsCore1.rc: SFTP_PACKET_TOO_BIG", .known(.sftpProtocolError)),
        .says("…caused by message printed from startup script", "TextsCore1.rc", .known(.sftpProtocolError)),
        .says("…Error skipping startup message", "TextsCore1.rc: SKIP_STARTUP_MESSAGE_ERROR", .known(.sftpProtocolError, .guess)),
        // The exception of the .NET assembly has the authentication log below its message.
        TranscriptRow("…Connection has been unexpectedly closed", "TextsCore1.rc: CONNECTION_FAILED") { _, facts in
            facts.dialog = .winSCP
            return TranscriptReading.lost(.closed, .guess).ranked(.ending)
        },
        .says(
            "…Host is not communicating for more than", "TextsCore1.rc: TIMEOUT_STILL_WAITING",
            .timedOut(.connect, .guess, alternatives: ["the server stopped answering"]).ranked(.plain)),
        .says(
            "…rejected SFTP connection, but it listens for FTP", "TextsCore1.rc",
            .unconnected("connection refused", .guess)),
        .says("Error code: 3", "TextsCore1.rc: SFTP_STATUS_PERMISSION_DENIED", .known(.sftpPermissionDenied)),
        .says("Error code: 2", "TextsCore1.rc: SFTP_STATUS_NO_SUCH_FILE", .known(.sftpNoSuchFile)),
        .says("Error code: 4", "TextsCore1.rc: SFTP_STATUS_FAILURE", .known(.sftpWriteFailed, .guess)),
        .says("Error code: 5", "TextsCore1.rc: SFTP_STATUS_BAD_MESSAGE", .known(.sftpBadMessage)),
        .says("Error code: 7", "TextsCore1.rc: SFTP_STATUS_CONNECTION_LOST", .known(.sftpConnectionLost)),
        .says("Error code: 8", "TextsCore1.rc: SFTP_STATUS_OP_UNSUPPORTED", .known(.sftpUnsupported)),
        .says("Error code: 10", "TextsCore1.rc: SFTP_STATUS_NO_SUCH_PATH", .known(.sftpNoSuchFile)),
        .says("Error code: 11", "TextsCore1.rc: SFTP_STATUS_FILE_ALREADY_EXISTS", .known(.sftpAlreadyExists)),
        .says("Error code: 14", "TextsCore1.rc: SFTP_STATUS_NO_SPACE_ON_FILESYSTEM", .known(.sftpDiskFull)),
        .says("Error code: 15", "TextsCore1.rc: SFTP_STATUS_QUOTA_EXCEEDED", .known(.sftpDiskFull)),
        .says(
            "…General failure (server should provide error description)", "TextsCore1.rc: SFTP_STATUS_FAILURE",
            .known(.sftpWriteFailed, .guess, .plain)),
        .says(
            "…Bad message (badly formatted packet or protocol incompatibility)", "TextsCore1.rc: SFTP_STATUS_BAD_MESSAGE",
            .known(.sftpBadMessage)),
        .says(
            "…There is insufficient free space on the filesystem", "TextsCore1.rc: SFTP_STATUS_NO_SPACE_ON_FILESYSTEM",
            .known(.sftpDiskFull)),
        .library("…Version of SFTP server ({n}) is not supported", "TextsCore1.rc: SFTP_VERSION_NOT_SUPPORTED") { _, _ in
            .known(.sftpVersionUnsupported)
        },
        .says("…SFTP protocol violation: ", "TextsCore1.rc: SFTP_INVALID_TYPE", .known(.sftpProtocolError)),
        .says("…Error decoding SFTP packet (", "TextsCore1.rc: SFTP_PACKET_ERROR", .known(.sftpProtocolError)),
        .says(
            "…Received incomplete data packet before end of file", "TextsCore1.rc: SFTP_INCOMPLETE_BEFORE_EOF",
            .known(.sftpProtocolError, .guess)),
        .says(
            "…Cannot execute SCP to start transfer", "TextsCore1.rc: SCP_INIT_ERROR",
            .known(.commandNotFound, .guess, .plain, or: ["the account may run no commands"])),
        .library("…File '{path}' does not contain private key in known format", "TextsCore1.rc: KEY_TYPE_UNKNOWN") { found, _ in
            .key(.formatInvalid, found["path"])
        },
        .says("…contains key in deprecated SSH-1 format", "TextsCore1.rc: KEY_TYPE_SSH1", .key(.formatUnsupported)),
        .says("…WinSCP supports only PuTTY format", "TextsCore1.rc: KEY_TYPE_UNSUPPORTED", .key(.formatUnsupported)),
        .says(
            "…Expected host key was not configured, use -hostkey switch", "TextsCore1.rc: HOSTKEY_NOT_CONFIGURED",
            .hostKeyUnknown(.likely)),
        .says(
            "…You cannot connect to an SFTP server using an FTP protocol", "TextsCore1.rc: SFTP_AS_FTP_ERROR",
            .known(.localUsage, .guess, or: ["the server was expected to speak FTP"])),
        .says(
            "…Error while tunneling the connection", "TextsCore1.rc: TUNNEL_ERROR",
            .known(.channelJumpTargetUnreachable, .guess, .plain)),
        .says(
            "Timeout waiting for server to respond", "TextsCore1.rc: TIMEOUT_ERROR",
            .timedOut(.connect, .guess, alternatives: ["the server stopped answering"])),
        .says("…Failed to store new host key", "TextsCore1.rc", .known(.hostKeyKnownHostsUnwritable, .guess, .plain)),
        .says("…contains key in OpenSSH format", "TextsWin1.rc: UNUSABLE_KEY", .key(.formatUnsupported)),
        .library("…Private key file '{path}' does not exist", "TextsWin1.rc") { found, _ in .key(.notFound, found["path"]) },
        .says(
            "…error occurred while setting the permissions and/or timestamp", "TextsCore1.rc: PRESERVE_TIME_PERM_ERROR",
            .known(.sftpPermissionDenied, .guess)),
        .library("Authentication failed.", "TextsCore1.rc: AUTHENTICATION_FAILED") { _, facts in
            // The session had begun. The assembly has this sentence in the log of every login.
            if facts.stage == .session { return nil }
            guard facts.dialog == .winSCP || facts.passwordRefused || facts.methodRefused == "publickey" else {
                return facts.decline()
            }
            return refused(facts)
        },
    ]

    private static func refused(_ facts: TranscriptFacts) -> TranscriptReading {
        if facts.methodRefused == "publickey", !facts.passwordRefused { return .refused("publickey", .likely) }
        return .refused("password", facts.passwordRefused ? .likely : .guess)
    }

    /// Whether FileZilla uses the ports of FTP (IANA's list of ports).
    private static func speaksFTP(_ facts: TranscriptFacts) -> Bool { facts.port == 21 || facts.port == 990 }

    /// FileZilla's message about a server that is not reached, one about silence, and the word before them, as its translations
    /// have them (locales). Numbers are left out.
    private static let translated: [(before: String, failed: String, silent: (String, String))] = [
        (
            "Fehler:", "Herstellen der Verbindung zum Server fehlgeschlagen",
            ("Zeitüberschreitung der Verbindung nach ", " Sekunden Inaktivität")
        ),
        (
            "Erreur", "Impossible d’établir une connexion au serveur",
            ("Connection interrompue après ", " secondes d’inactivité")
        ),
        (
            "Error:", "No se pudo conectar al servidor",
            ("La conexión superó el tiempo de espera después de ", " segundos de inactividad")
        ), ("Errore:", "Impossibile collegarsi al server", ("Timeout connessione dopo ", " secondi di inattività")),
        ("Erro:", "Não foi possível conectar ao servidor", ("Conexão expirou após ", " segundos de inatividade")),
        ("Błąd:", "Nie można połączyć się z serwerem", ("Połączenie zakończone po ", " sekundach nieaktywności")),
        ("Ошибка:", "Невозможно подключиться к серверу", ("Соединение прервано после ", " секунд неактивности")),
        ("错误:", "无法连接到服务器", ("", " 秒后无活动，连接超时")),
        ("Fout:", "Kan niet verbinden met server", ("Verbinding verlopen na ", " seconden inactiviteit")),
        ("Chyba:", "Nelze se připojit k serveru", ("Připojení vypršelo po ", " sekundách nečinnosti")),
        ("Hata:", "Sunucu ile bağlantı kurulamıyor", ("İşlem ", " saniye içinde yapılamadığından bağlantı kesildi")),
    ]

    private static let translations: [TranscriptRow] = translated.flatMap { before, failed, silent in
        [
            TranscriptRow("\(before){x}\(failed)", "locales: a translation", ends: true) { _, facts in
                speaksFTP(facts) ? facts.decline() : .notReached()
            },
            TranscriptRow("\(before){x}\(silent.0){n}\(silent.1)", "locales: a translation") { _, facts in
                speaksFTP(facts)
                    ? facts.decline() : .timedOut(.connect, .guess, alternatives: ["the server stopped answering"])
            },
        ]
    }

    private static let fileZilla: [TranscriptRow] =
        translations + [
            TranscriptRow("Command:{x}Pass: ", "src/engine/sftp") { _, facts in
                facts.passwordRefused = true
                return nil
            },
            .library("Error:{x}Authentication failed.", "src/putty") { _, facts in
                .refused("password", facts.passwordRefused ? .likely : .guess)
            },
            .noting("Status:{x}Connecting to {address}...", "src/engine") { found, facts in
                let parts = (found["address"] ?? "").split(separator: ":")
                facts.port = parts.last.flatMap { Int($0) }
            },
            .noting("Status:{x}Connected to ", "src/engine: after the login") { _, facts in facts.passwordRefused = false },
            TranscriptRow("Error:{x}Could not connect to server", "src/engine", ends: true) { _, facts in
                speaksFTP(facts) ? facts.decline() : .notReached()
            },
            TranscriptRow("Error:{x}Connection timed out after {n} seconds of inactivity", "src/engine") { _, facts in
                speaksFTP(facts) ? facts.decline() : .timedOut(.connect, .guess, alternatives: ["the server stopped answering"])
            },
            TranscriptRow("Error:{x}Cannot establish FTP connection to an SFTP server", "src/engine/ftp", ends: true) { _, _ in
                .known(.localUsage, .guess, or: ["the server was expected to speak FTP"])
            },
            // Version 3.70 and later, which are not based on PuTTY.
            .library("Error:{x}Could not {what}: Received error {status}", "src/engine/sftp, 3.70") { found, facts in
                SFTPTexts.reading(of: (found["status"] ?? "").replacing("_", with: " ")) ?? facts.decline()
            },
            .library("Error:{x}No more authentication methods available", "src/engine/sftp/connect.cpp, 3.70") { found, facts in
                // FileZilla has a tab there; MINA's message follows one blank.
                found["x"] == " " || found["x"]?.contains { $0 != " " && $0 != "\t" } == true
                    ? facts.decline()
                    : .refused("password", facts.passwordRefused ? .likely : .guess, alternatives: SharedAlternatives.login)
            },
            .library("Error:{x}Could not read key file '{path}'", "src/engine/sftp/connect.cpp, 3.70") { found, _ in
                .key(.notFound, found["path"], "", .guess, alternatives: ["it may not be read", "it needs a passphrase"])
            },
            .library("Error:{x}The file '{path}' does not contain any private keys", "src/engine/sftp/connect.cpp, 3.70") {
                found, _ in .key(.formatInvalid, found["path"])
            },
            .library("Error:{x}Server requested password change", "src/engine/sftp/connect.cpp, 3.70") { _, _ in
                .passwordExpired()
            },
            file("permission denied", .sftpPermissionDenied), file("no such file or directory", .sftpNoSuchFile),
            file("failure", .sftpWriteFailed, .guess),
            TranscriptRow("Error:{x}Connection closed by server with exitcode {n}", "src/engine/sftp", ends: true) { _, _ in
                TranscriptReading.lost(.closed, .guess).ranked(.ending)
            },
        ]

    /// A path and SFTP's status. FileZilla puts a tab before it, which may have become blanks. Other programs write sentences.
    private static func file(
        _ status: String, _ code: SSHError.Code, _ confidence: SSHError.Confidence = .likely
    ) -> TranscriptRow {
        .library("Error:{path}: \(status)", "src/putty/psftp.c") { found, facts in
            let path = found["path"] ?? ""
            let isIndented = path.hasPrefix("\t") || path.hasPrefix("  ")
            guard isIndented, path.trimming(" \t").hasPrefix("/") else { return facts.decline() }
            return .known(code, confidence)
        }
    }
}
