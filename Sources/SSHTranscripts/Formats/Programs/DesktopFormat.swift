/// File managers, remote desktops and virtual machines that reach hosts by a library: QEMU, libvirt, KDE, GNOME, Remmina; and Perl's
/// Net::SFTP::Foreign. Sources: qemu, block/ssh.c; libvirt, virnetlibsshsession.c; kio-extras, kio_sftp.cpp; gvfs,
/// gvfsbackendsftp.c; Remmina, remmina_ssh.c; nxssh; x2goclient, sshmasterconnection.cpp; Net::SFTP::Foreign, Foreign.pm.
enum DesktopFormat {
    static let all = [
        TranscriptFormat("qemu", qemu), TranscriptFormat("libvirt", libvirt), TranscriptFormat("kio-sftp", kde),
        TranscriptFormat("gvfs", gnome), TranscriptFormat("nxssh", nx), TranscriptFormat("remmina", remmina),
        TranscriptFormat("net::sftp::foreign", perl), TranscriptFormat("cyberduck", cyberduck),
    ]

    /// A message, and in brackets the bookmark's name: `Upload a.txt failed. (web1 – SFTP)`.
    private static let cyberduck: [TranscriptRow] =
        ["–", "-"].map { dash in
            .library("{what} failed. ({name} \(dash) SFTP)", "Localizable.strings; LocaleFactory.java") { found, facts in
                let what = found["what"] ?? ""
                func begins(_ words: String...) -> Bool { words.contains { what.mentions($0) } }
                if begins("Upload ") {
                    return .known(.sftpWriteFailed, .guess, or: ["no permission", "the connection was lost"])
                }
                if begins("Download ", "Listing directory ") {
                    return .known(.sftpReadFailed, .guess, or: ["no permission", "the connection was lost"])
                }
                return begins("Connection") ? .notReached() : facts.decline()
            }
        } + [
            .says(
                "…class=class ch.cyberduck.core.exception.ResolveFailedException", "cyberduck: its log",
                .unresolved("not known", .guess))
        ]

    private static let qemu: [TranscriptRow] = [
        .says("…no host key was found in known_hosts", "check_host_key_knownhosts", .hostKeyUnknown(.likely)),
        .says("…host key does not match the one in known_hosts", "check_host_key_knownhosts", .hostKeyChanged()),
        .library("…remote host key {x}does not match host_key_check '{y}'", "check_host_key_hash") { _, _ in .hostKeyChanged() },
        .says(
            "…host key for this server not found, another type exists", "check_host_key_knownhosts",
            .known(.hostKeyOtherTypeKnown)),
        .says("…remote server does not support \"publickey\" authentication", "authenticate", .known(.authMethodNotOffered)),
        .says(
            "…failed to authenticate using publickey authentication and the identities held by", "authenticate",
            .refused("publickey", .likely)),
        .says("…failed to connect to ssh-agent: ", "authenticate", .agent(.unavailable, "it could not be connected to")),
        .says("…failed requesting identities from ssh-agent", "authenticate", .agent(.unavailable, "it did not list its keys")),
    ]

    private static let libvirt: [TranscriptRow] = [
        .library("…SSH HOST KEY VERIFICATION FAILED !!!: Identity of host '{host}:", "virnetsshsession.c, CheckHostKey") { _, _ in
            .hostKeyChanged()
        },
        .says(
            "…authentication failed: All identities provided by the SSH Agent were rejected", "AuthenticateAgent",
            .refused("publickey", .likely)),
        .says(
            "…authentication failed: All provided authentication methods with credentials were rejected by the server",
            "virNetSSHAuthenticate",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…authentication failed: None of the requested authentication methods are supported by the server",
            "virNetSSHAuthenticate",
            .methodNotOffered([], .guess)),
        .says(
            "…authentication failed: SSH Agent did not provide any authentication identity", "AuthenticateAgent",
            .known(.agentEmpty)),
        .says(
            "…authentication failed: No authentication methods and credentials provided", "virNetSSHValidateConfig",
            .noCredentials(.likely)),
        .library("…error while opening private key '{path}', wrong passphrase?", "virNetLibsshImportPrivkey") { found, _ in
            .key(.passphraseWrong, found["path"], "", .guess)
        },
        .library("…error while reading private key '{path}'", "virNetLibsshImportPrivkey") { found, _ in
            .key(.unreadable, found["path"], "", .guess)
        },
        .library("…unable to load knownhosts file '{path}'", "virNetSSHSessionSetHostKeyVerification") { _, _ in
            .known(.hostKeyKnownHostsUnreadable, .likely)
        },
        .library("…ransport error: Remote {what} terminated with non-zero code: {status}", "virNetSSHChannelRead") { found, _ in
            .commandEnded(status: found["status"].flatMap { Int($0) })
        },
        .library("…virt-ssh-helper: could not proxy traffic: {reason}", "remote_ssh_helper.c") { _, _ in
            .lost(.reset, .guess)
        },
        .says(
            "…Failed to open connection to QUrl(\"qemu+ssh://", "virtlyst: connection.cpp",
            .notReached(.guess, .wrapper, or: ["the login was refused"])),
        .library("…Cannot find '{name}' in path: No such file", "virCommand") { found, facts in
            ["ssh", "nc", "plink"].contains(found["name"] ?? "") ? .missingProgram(found["name"] ?? "") : facts.decline()
        },
        .says(
            "…authentication failed: no suitable authentication method was found", "virNetLibsshAuthenticate",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…authentication failed: authentication with private key '{path}' has failed: {text}", "authenticatePrivkey") {
            found, _ in
            (found["text"] ?? "").mentions("ccess denied")
                ? .refused("publickey", .likely) : LibSSHTexts.reading(of: found["text"] ?? "") ?? .refused("publickey", .guess)
        },
    ]

    private static let kde: [TranscriptRow] = [
        .library("…The host key for the server {host} has changed.", "openConnection") { _, _ in .hostKeyChanged() },
        .says(
            "…host key for this server was not found, but another type of key exists", "openConnection",
            .known(.hostKeyOtherTypeKnown)),
        .says("…Unable to request the SFTP subsystem", "openConnection", .request(.subsystem, .likely)),
        .says(
            "…Could not initialize the SFTP session", "openConnection",
            .known(.sftpProtocolError, .guess, or: ["the server has no SFTP", "a startup file prints text"])),
        .library("…Could not log in to sftp://{address}", "KIO: ERR_CANNOT_LOGIN") { _, _ in
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.plain)
        },
    ]

    /// The messages of gvfs stand alone, or behind the address.
    private static let gnome: [TranscriptRow] = [
        .library("…gio: sftp://{address}: {reason}", "gio, of glib") { found, facts in
            let reason = found["reason"] ?? ""
            if reason.mentions("Hostname not known") { return .unresolved("not known", .likely) }
            if reason.mentions("dialog cancel") { return .known(.localCancelled, .guess, or: ["the password was refused"]) }
            if reason.mentions("connection is closed") || reason.mentions("unexpectedly exited") { return .cut() }
            if reason.mentions("spawn SSH") || reason.mentions("supported SSH command")
                || reason.mentions("supported ssh command")
            {
                return .missingProgram("ssh")
            }
            if reason.mentions("Protocol error") || reason.mentions("Invalid reply") { return .known(.sftpProtocolError, .guess) }
            if reason.mentions("Timed out") { return .timedOut(.connect, .guess, alternatives: ["the login stalled"]) }
            return CommonReasons.reading(of: reason) ?? SFTPTexts.reading(of: reason) ?? facts.decline()
        },
        .says(
            "…Timed out when logging in", "handle_login",
            .timedOut(.connect, .guess, alternatives: ["the login stalled", "ssh asked an unknown question"])),
        .library("…ould not display \"sftp://{address}\"{rest}", "nautilus: nautilus-mime-actions.c") { found, facts in
            display(found["rest"] ?? "", &facts)
        },
        .library("…OULD NOT DISPLAY \"SFTP://{address}\"{rest}", "nautilus: in capitals") { found, facts in
            display((found["rest"] ?? "").lowercased(), &facts)
        },
        .library("…ccess was denied", "nautilus, below the address") { _, facts in
            facts.isOverSSH ? denied : facts.decline()
        },
        .library("…ccess denied", "nautilus, below the address") { _, facts in
            facts.isOverSSH ? denied : facts.decline()
        },
        .library("…DBus error org.freedesktop.DBus.Error.NoReply: ", "gvfs: the daemon did not answer") { _, facts in
            facts.isOverSSH ? .timedOut(.connect, .guess, alternatives: ["the login stalled"]) : facts.decline()
        },
        .library("…ssh program unexpectedly exited", "gvfsbackendsftp.c: read_reply, before 1.40") { _, _ in
            TranscriptReading.cut().ranked(.wrapper)
        },
        .says("…Unable to find supported SSH command", "get_sftp_client_vendor", .missingProgram("ssh")),
        .says("…Unable to find supported ssh command", "get_sftp_client_vendor, before 1.40", .missingProgram("ssh")),
        .says("…Unable to spawn SSH program", "spawn_ssh", .missingProgram("ssh")),
        .says("…Unable to spawn ssh program", "spawn_ssh, before 1.40", .missingProgram("ssh")),
        .says("…The connection is closed (the underlying SSH process exited)", "check_input_stream_read_result", .cut()),
    ]

    private static let denied = TranscriptReading.refused("password", .guess, alternatives: SharedAlternatives.login)

    /// The words behind the address. Most stand in the lines below it.
    private static func display(_ rest: String, _ facts: inout TranscriptFacts) -> TranscriptReading? {
        if rest.mentions("host could not be found") { return .unresolved("not known", .likely) }
        if rest.mentions("denied") { return denied }
        facts.isOverSSH = true
        return nil
    }

    private static let remmina: [TranscriptRow] = [
        .library("…Failed to startup SSH session: {text}", "remmina_ssh_init_session, before 1.4") { found, facts in
            let text = found["text"] ?? ""
            if text.hasPrefix("kex error") { return .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess) }
            return LibSSHTexts.reading(of: text) ?? CommonReasons.reading(of: text) ?? facts.decline()
        },
        .says("…The SSH server’s public key has changed", "remmina_ssh_init_session", .hostKeyChanged()),
        .says("…SSH public key has changed!", "remmina_ssh_init_session, before 1.4", .known(.hostKeyChanged, .guess)),
        .says("…SSH server's public key has changed", "remmina_ssh_init_session", .hostKeyChanged()),
        .says("…SSH passphrase is empty, it should not be", "remmina_ssh_auth_pubkey", .key(.passphraseRequired)),
        .says("…SSH key file not yet set", "remmina_ssh_auth_pubkey", .key(.notFound, nil, "", .guess)),
        .says(
            "…The public SSH key cannot be imported", "remmina_ssh_auth_pubkey",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"])),
        .library("…Could not start SSH session. {text}", "remmina_ssh_init_session") { found, _ in
            LibSSHTexts.reading(of: found["text"] ?? "") ?? .notReached()
        },
    ]

    private static let nx: [TranscriptRow] = [
        .says(
            "…NX> 204 Authentication to NX server failed", "nxserver --status, which logs in to this machine",
            TranscriptReading.refused("publickey", .guess, alternatives: ["the host was not reached"]).ranked(.ending)),
        .says("…NX> 204 Authentication failed", "nxssh", .refused("publickey", .guess)),
    ]

    private static let perl: [TranscriptRow] = [
        .library("…nable to establish SFTP connection: {reason}", "die_on_error") { found, facts in broken(found, &facts) },
        .library("…ouldn't establish SFTP connection: {reason}", "die_on_error") { found, facts in broken(found, &facts) },
        .says("…Connection to remote server stalled", "_conn_lost", TranscriptReading.lost(.closed, .guess).ranked(.ending)),
        .says(
            "…Connection to remote server is broken", "_conn_lost",
            .known(.sftpConnectionLost, .guess, .wrapper, or: ["the host was not reached", "the login was refused"])),
        .library("…SSH slave exited unexpectedly with error code {status}", "_conn_failed") { found, _ in
            found["status"]?.hasPrefix("255") == true
                ? .notReached(.guess, .wrapper, or: ["the login was refused"]) : .known(.commandExitNonzero, .guess, .wrapper)
        },
    ]

    /// OpenSSH's sftp has some of these words, and its rows come first.
    static let perlFiles: [TranscriptRow] = [
        .library("…Couldn't {verb} remote {what}: {reason}", "_set_error: SFTP_ERR_REMOTE_…") { found, facts in
            let isFile = ["file", "directory", "dir"].contains { found["what"]?.hasPrefix($0) == true }
            return isFile ? SFTPTexts.reading(of: found["reason"] ?? "") ?? facts.decline() : facts.decline()
        }
    ]

    private static func broken(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let reason = found["reason"] ?? ""
        if reason.hasPrefix("Password not requested") {
            return .refused("password", .guess, alternatives: ["the host was not reached"])
        }
        if reason.mentions("authenticity of the target host") { return .hostKeyUnknown(.likely) }
        if reason.hasPrefix("login procedure timed out") {
            return .timedOut(.connect, .guess, alternatives: ["the login stalled"])
        }
        if reason.hasPrefix("Bad ssh command") { return .missingProgram("ssh") }
        if reason.mentions("Connection to remote server") { return facts.decline() }
        return CommonReasons.reading(of: reason) ?? .notReached()
    }
}
