/// Go's x/crypto/ssh, as ssh-action, Terraform, Packer, Argo CD, Flux, rclone, Docker, k0s and Teleport print it. Sources:
/// x/crypto, ssh/client.go, client_auth.go, common.go, keys.go, messages.go, channel.go, session.go, knownhosts/knownhosts.go;
/// Go, net/net.go.
enum GoFormat {
    static let all = [
        TranscriptFormat("tsh", GoPrograms.teleport),
        TranscriptFormat("go x/crypto", login + trust + exchange + keys + sessions + statuses + network),
        TranscriptFormat("terraform", GoPrograms.terraform), TranscriptFormat("packer", GoPrograms.packer),
        TranscriptFormat("pulumi", GoPrograms.pulumi),
    ]

    private static let login: [TranscriptRow] = [
        .library("…unable to authenticate, attempted methods [{methods}]", "client_auth.go") { found, _ in
            refused((found["methods"] ?? "").split(separator: " ").map(String.init).filter { $0 != "none" })
        },
        .says("…ssh: no common public key signature algorithm", "client_auth.go: pickSignatureAlgorithm", .sha1()),
        .library("…ssh: disconnect, reason {reason}: {text}", "messages.go: disconnectMsg") { found, facts in
            OpenSSHSessionRows.disconnected(found, facts)
        },
        .library("{before}: executable file not found in $PATH", "os/exec: the ssh that a program runs") { found, facts in
            (found["before"] ?? "").trimming("\\\"").hasSuffix("ssh") ? .missingProgram("ssh") : facts.decline()
        },
        .library("…fork/exec {path}: ", "os/exec: the ssh that a program runs") { found, facts in
            found["path"]?.hasSuffix("/ssh") == true ? .missingProgram("ssh") : facts.decline()
        },
        .says("…no usable authentication method found", "k0sproject/rig: protocol/ssh", .noCredentials(.likely)),
        .says("…can't connect without a private SSH key or password", "appleboy/drone-ssh: plugin.go", .noCredentials(.likely)),
        .says("…missing server host", "appleboy/drone-ssh: plugin.go", .known(.localUsage)),
        .says("…missing ssh config (Host", "appleboy/drone-scp: plugin.go", .known(.localUsage)),
        .says("…Run Command Timeout", "appleboy/easyssh-proxy", .commandTimedOut(.likely)),
        .library("…ssh: no auth passed yet{text}", "server.go: a server's side") { found, _ in
            (found["text"] ?? "").lowercased().mentions("password")
                ? .refused("password", .guess) : .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
    ]

    /// The reading for refused methods, in the order in which they were tried.
    private static func refused(_ methods: [String]) -> TranscriptReading {
        guard let last = methods.last else { return TranscriptReading.noCredentials(.likely).ranked(.plain) }
        if Set(methods).count == 1 { return .refused(last, .likely) }
        let first = methods.contains("publickey") ? "publickey" : last
        return .refused(first, .guess, alternatives: methods.filter { $0 != first }.map { "\($0) was refused too" })
    }

    private static let trust: [TranscriptRow] = [
        .says("…knownhosts: key is unknown", "knownhosts.go: KeyError", .hostKeyUnknown(.likely)),
        .says(
            "…knownhosts: key mismatch", "knownhosts.go: KeyError",
            .known(.hostKeyChanged, or: ["the host is known by keys of other types only"])),
        .says("…knownhosts: key is revoked", "knownhosts.go: RevokedError", .known(.hostKeyRevoked)),
        .says("…ssh: host key mismatch", "client.go: FixedHostKey", .known(.hostKeyChanged)),
        .says("…ssh: host key fingerprint mismatch", "appleboy/easyssh-proxy", .known(.hostKeyChanged)),
        .says("…ssh: handshake failed: fingerprint mismatch", "nicklasfrahm/scp-action", .known(.hostKeyChanged)),
        .says("…no hostkey found for ", "kopia: sftp_storage.go, getHostKey", .hostKeyUnknown(.likely)),
        .says("…ssh: must specify HostKeyCallback", "client.go", .known(.localUsage)),
        .says("…ssh: no authorities for hostname", "certs.go", .hostKeyUnknown(.likely)),
        .library("…ssh: certificate serial {n} revoked", "certs.go: CheckCert") { _, _ in .known(.hostKeyRevoked, .guess) },
        .says("…ssh: unsupported critical option ", "certs.go: CheckCert", .hostKeyUnknown(.guess)),
        .says(
            "…ssh: certificate signature does not verify", "certs.go: CheckCert",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "")),
        .says("…ssh: principal {name} not in the set of valid principals", "certs.go: CheckCert", .hostKeyUnknown(.likely)),
        .library("{before}ssh: certificate signed by unrecognized authority", "certs.go") { found, facts in
            // A server says it of a client's certificate.
            found["before"]?.mentions("failed auth user") == true ? facts.decline() : .hostKeyUnknown(.likely)
        },
        .says(
            "…ssh: cert is not yet valid", "certs.go",
            .known(.hostKeyUnknown, .guess, or: ["the own certificate is not yet valid"])),
        .says("…ssh: non-certificate host key", "certs.go", .hostKeyUnknown(.likely)),
        .says("…ssh: certificate presented as a host key has type ", "certs.go", .hostKeyUnknown(.guess)),
        .says("…ssh: required host key was nil", "client.go: FixedHostKey", .known(.localUsage)),
        .says("…ssh: invalid entry in known_hosts data", "keys.go", .known(.hostKeyKnownHostsUnreadable)),
        .library("…knownhosts: {path}:{line}: {reason}", "knownhosts.go: Read, of a line of the file") { found, facts in
            (found["line"] ?? "").allSatisfy(\.isNumber) ? .known(.hostKeyKnownHostsUnreadable) : facts.decline()
        },
        .library("…unable to find any {x}known_hosts file", "go-git before 5.0") { _, _ in .known(.hostKeyKnownHostsUnreadable) },
        .says(
            "…ssh: cert has expired", "certs.go", .known(.hostKeyUnknown, .guess, or: ["the client's certificate has expired"])),
        .says("…unable to find any valid known_hosts file", "go-git: transport/ssh", .known(.hostKeyKnownHostsUnreadable)),
        .says("…known_hosts: no such file or directory", "knownhosts.go: New", .known(.hostKeyKnownHostsUnreadable, .guess)),
        .says("…known_hosts not configured", "rclone, flux: settings", .hostKeyUnknown(.guess)),
    ]

    private static let exchange: [TranscriptRow] = [
        .library("…ssh: no common algorithm for {kind};", "common.go: findCommon") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…ssh: handshake failed: read tcp {ends}: {reason}", "client.go; net.OpError") { found, facts in
            note(peer: found["ends"] ?? "", &facts)
            return broken(found["reason"] ?? "")
        },
        .says(
            "…ssh: handshake failed: EOF", "client.go; io.EOF",
            .ended(
                .telling, .closed, at: .banner, .guess,
                alternatives: SharedAlternatives.closedEarly + ["it was closed in key exchange"])),
        .says(
            "…overflow reading version string", "transport.go",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
        .says("…ssh: invalid packet length", "cipher.go", .protocolBroken(at: .keyExchange)),
        .says("…ssh: max packet length exceeded", "cipher.go", .protocolBroken(at: .keyExchange)),
        .says("…ssh: parse error in message type ", "messages.go", .protocolBroken(at: .keyExchange)),
        .says("…ssh: MAC failure", "cipher.go", .call(.telling, "INVALID_MAC", at: .session, .guess, "MAC failure")),
        .says("…ssh: unexpected message type ", "common.go", .protocolBroken(at: .keyExchange)),
        .says("…ssh: signature did not verify", "keys.go", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .library("…ssh: handshake failed: write tcp {ends}: {reason}", "client.go; net.OpError") { found, facts in
            note(peer: found["ends"] ?? "", &facts)
            return broken(found["reason"] ?? "")
        },
        .library("…ssh: handshake failed: {reason}", "client.go") { found, _ in
            let reason = found["reason"] ?? ""
            if reason.mentions("deadline exceeded") || reason.mentions("timeout") { return broken("timeout") }
            if let known = CommonReasons.reading(of: reason) { return known.ranked(.plain) }
            // The library's own messages about invalid packets, and those of the connection that carries it.
            if reason.hasPrefix("ssh: ") || reason.hasPrefix("websocket: ") {
                return .call(.plain, "PROTO", at: .keyExchange, .guess, reason)
            }
            return .known(.kexDisconnected, .guess, .plain, or: ["the host key was refused", "the login was refused"])
        },
    ]

    /// The connection ended during the handshake.
    private static func broken(_ reason: String) -> TranscriptReading {
        if reason.mentions("timed out") || reason.mentions("timeout") {
            return .timedOut(.banner, .guess, alternatives: ["it was in key exchange or the login"])
        }
        let end: SSHStreamEnd = reason.mentions("reset") ? .reset : .closed
        return .ended(
            .telling, end, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly + ["it was closed in key exchange"])
    }

    private static let keys: [TranscriptRow] = [
        .says("…ssh: no key found", "keys.go", .key(.formatInvalid)),
        .says("…ssh private key: no key found", "terraform: internal/communicator/ssh/provisioner.go", .key(.formatInvalid)),
        .says("…this private key is passphrase protected", "keys.go: PassphraseMissingError", .key(.passphraseRequired)),
        .says("…ssh: cannot decode encrypted private keys", "keys.go", .key(.passphraseRequired)),
        .says("…password protected keys are not supported", "terraform, packer", .key(.passphraseRequired)),
        .says("…x509: decryption password incorrect", "crypto/x509", .key(.passphraseWrong)),
        .says("…bcrypt_pbkdf: empty password", "keys.go", .key(.passphraseRequired)),
        .says("…ssh: unsupported key type", "keys.go", .key(.typeUnsupported)),
        .says("…ssh: unhandled key type", "keys.go", .key(.typeUnsupported)),
        .says("…ssh: unknown cipher ", "keys.go", .key(.cipherUnsupported)),
        .says("…ssh: short read", "keys.go", .key(.formatInvalid, nil, "", .guess)),
        .says("…ssh: malformed OpenSSH key", "keys.go", .key(.formatInvalid)),
        .says("…ssh: invalid openssh private key", "keys.go", .key(.formatInvalid)),
        .says("…ssh: invalid encrypted private key length", "keys.go", .key(.formatInvalid)),
        .says("…ssh: private key unexpected length", "keys.go", .key(.formatInvalid)),
        .says("…ssh: padding not as expected", "keys.go", .key(.formatInvalid)),
        .says("…ssh: garbage after DSA key", "keys.go", .key(.formatInvalid)),
        .says("…ssh: failed to parse DSA key", "keys.go", .key(.formatInvalid)),
        .says("…ssh: failed to parse embedded public key", "keys.go", .key(.formatInvalid)),
        .says("…ssh: public key does not match private key", "keys.go", .key(.publicKeyMismatch, nil, "", .guess)),
        .says("…ssh: signer and cert have different public key", "certs.go", .key(.publicKeyMismatch, nil, "", .guess)),
        .says("…ssh: multi-key files are not supported", "keys.go", .key(.formatUnsupported)),
        .says("…ssh: unhandled elliptic curve", "keys.go", .key(.typeUnsupported)),
        .says("…ssh: unsupported curve", "keys.go", .key(.typeUnsupported)),
        .says("…ssh: only P-256, P-384 and P-521 EC keys are supported", "keys.go", .key(.typeUnsupported)),
        .says("…ssh: unsupported DSA key size", "keys.go", .key(.typeUnsupported)),
        .says("…ssh: unknown KDF ", "keys.go", .key(.cipherUnsupported)),
        .library("…Error connecting to SSH_AUTH_SOCK: {reason}", "xanzy/ssh-agent") { found, _ in
            .agent(.unavailable, (found["reason"] ?? "").oneLine(80))
        },
        .library("{before}agent: client error: {reason}", "x/crypto/ssh/agent: client.go") { found, facts in
            GoWords.isAgent(found["before"]) ? .agent(.unavailable, (found["reason"] ?? "").oneLine(80)) : facts.decline()
        },
        .says("…agent: failed to sign challenge", "x/crypto/ssh/agent: client.go", .agent(.refused, "it did not sign")),
        .library("{before}agent: failure", "x/crypto/ssh/agent: client.go") { found, facts in
            GoWords.isAgent(found["before"]) ? .agent(.refused, "it did not do the requested work") : facts.decline()
        },
        .library("…SSH agent requested but {reason}", "xanzy/ssh-agent, of go-git and others") { found, _ in
            .agent(.unavailable, (found["reason"] ?? "").trimming("\\\"' ."))
        },
        .says("…Error connecting to agent: dial unix", "terraform; packer", .agent(.unavailable, "it could not be connected to")),
        .says(
            "…unable to load the ssh key with path ", "k3sup: cmd/install.go",
            .key(.notFound, nil, "", .guess, alternatives: ["it may not be read", "it needs a passphrase"])),
        .says("…ouldn't connect to SSH agent", "rclone: sftp.go", .agent(.unavailable, "it could not be connected to")),
        .says(
            "…SSH agent: could not open socket", "kubeone: ssh/connector.go", .agent(.unavailable, "it could not be connected to")
        ),
        .library("…could not open socket \"{path}\": dial unix", "kubeone: ssh/connector.go") { found, facts in
            let path = found["path"] ?? ""
            guard path.mentions("SSH_AUTH_SOCK") || path.mentions("agent") || path.mentions("ssh") else { return facts.decline() }
            return .agent(.unavailable, "it could not be connected to")
        },
        .says("…SSH_AUTH_SOCK is not set", "several", .agent(.unavailable, "SSH_AUTH_SOCK is not set")),
        .says("…invalid empty ssh agent socket", "moby/buildkit: sshprovider", .agent(.unavailable, "SSH_AUTH_SOCK is not set")),
        .says("…agent: failed to list keys", "x/crypto/ssh/agent: client.go", .agent(.unavailable, "it did not list its keys")),
        .library("{before}asn1: structure error", "encoding/asn1, of a key") { found, facts in
            let before = (found["before"] ?? "").lowercased()
            guard before.mentions("private key") || before.mentions("ssh") else { return facts.decline() }
            return .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"])
        },
        .says(
            "…ailed to parse private key", "rclone; terraform providers",
            TranscriptReading.key(.formatInvalid, nil, "", .guess).ranked(.plain)),
        .library("…ailed to read private key file{text}", "rclone: sftp.go") { found, _ in
            (found["text"] ?? "").mentions("no such file") ? .key(.notFound) : .key(.unreadable, nil, "", .guess)
        },
    ]

    private static let statuses: [TranscriptRow] =
        [
            .library("{before}(SSH_FX_FAILURE)", "pkg/sftp: StatusError") { found, _ in
                let before = found["before"] ?? ""
                let reads = ["stat failed", "failed to list", "failed to read", "failed to open source"].contains {
                    before.mentions($0)
                }
                return reads
                    ? .known(.sftpReadFailed, .guess) : .known(.sftpWriteFailed, .guess, or: ["the file cannot be read"])
            }
        ]
        + SFTPTexts.rows(
            [
                ("…(SSH_FX_NO_SUCH_FILE)", 2), ("…(SSH_FX_PERMISSION_DENIED)", 3), ("…(SSH_FX_BAD_MESSAGE)", 5),
                ("…(SSH_FX_NO_CONNECTION)", 6), ("…(SSH_FX_CONNECTION_LOST)", 7), ("…(SSH_FX_OP_UNSUPPORTED)", 8),
            ], "pkg/sftp: StatusError")

    private static let sessions: [TranscriptRow] = [
        .library("{before}ssh: rejected: {reason} ({text})", "channel.go: OpenChannelError") { found, _ in
            let before = found["before"] ?? ""
            return rejected(
                found["reason"] ?? "", found["text"] ?? "", isForwarding: forwarding.contains { before.mentions($0) })
        },
        .says(
            "…ssh: subsystem request failed", "session.go",
            TranscriptReading(.telling, .requestRefused(.subsystem), at: .channel, .likely)),
        .library("…repository at sftp:{place} failed: {call}: {reason}", "restic, with Go's os errors") { found, facts in
            switch found["reason"] ?? "" {
            case "permission denied": return .known(.sftpPermissionDenied)
            case "file does not exist": return .known(.sftpNoSuchFile)
            default: return facts.decline()
            }
        },
        .says(
            "…unable to start the sftp session, error: EOF", "restic: sftp.go",
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
        .says(
            "…failed to send packet: ", "pkg/sftp: conn.go", TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
        .says("…sftp: unexpected server version", "pkg/sftp: client.go", .known(.sftpVersionUnsupported)),
        .says(
            "…error sending init packet to server: ", "pkg/sftp: client.go",
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
        .says(
            "…server unexpectedly closed connection: ", "pkg/sftp: conn.go",
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
        .says("…sftp: unimplemented packet type: got ", "pkg/sftp: errors.go", .known(.sftpProtocolError)),
        .says("…sftp: unexpected packet: want ", "pkg/sftp: errors.go", .known(.sftpProtocolError)),
        .says("…sftp: unexpected id: want ", "pkg/sftp: errors.go", .known(.sftpProtocolError)),
        // The first bytes of a text are read as a length.
        .says("…rror receiving version packet from server: packet too long", "pkg/sftp: packet.go", .known(.sftpProtocolError)),
        .says(
            "…error receiving version packet from server", "pkg/sftp: client.go",
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
        .says("…Update ReadFrom failed: connection lost", "rclone: sftp.go", .known(.sftpConnectionLost)),
        .says("…sftp: no space left on device", "restic: sftp.go", .known(.sftpDiskFull)),
        .says("…ouldn't initialise SFTP: packet too long", "rclone: sftp.go", .known(.sftpProtocolError)),
        .says(
            "…ouldn't initialise SFTP: EOF", "rclone: sftp.go",
            .known(.sftpConnectionLost, .guess, or: ["the server allows no SFTP", "the connection was lost"])),
        .says("…Script disconnected unexpectedly", "packer: provisioner/shell", .lost(.closed)),
        .library("…Script exited with non-zero exit status: {status}", "packer: provisioner/shell") { found, _ in
            (found["status"]?.prefix { $0.isNumber }).flatMap { Int($0) }.map { .commandEnded(status: $0) }
        },
        .says("…ssh: pty-req failed", "session.go", TranscriptReading(.telling, .requestRefused(.pty), at: .channel, .likely)),
        .says(
            "…ssh: could not start shell", "session.go",
            TranscriptReading(.telling, .requestRefused(.shell), at: .channel, .likely)),
        .library("…ssh: command {command} failed", "session.go: Start") { _, _ in
            TranscriptReading(.telling, .requestRefused(.exec), at: .channel, .likely)
        },
        .says(
            "…remote command exited without exit status or exit signal", "session.go: ExitMissingError", .lost(.closed, .guess)),
        .library("{before}Process exited with status {status}", "session.go: ExitError") { found, facts in
            let before = found["before"] ?? ""
            let programs = ["ssh", "SSH", "error executing", "error copy file to dest"]
            if before.isEmpty { return .known(.commandExitNonzero, .guess, .wrapper) }
            let isOurs = GoWords.isLogTime(before) || programs.contains { before.mentions($0) }
            guard isOurs, let said = found["status"], let status = Int(said.prefix { $0.isNumber }) else {
                return facts.decline()
            }
            if let place = said.firstPlace(of: " from signal ") {
                return .commandEnded(signal: String(said[place.upperBound...].prefix { $0.isUppercase || $0.isNumber }))
            }
            return .commandEnded(status: status)
        },
        .says("…ssh: setenv failed", "session.go", .known(.channelProhibited, .guess, .plain)),
        .says(
            "…streamlocal-forward@openssh.com request denied by peer", "streamlocal.go: ListenUnix", .known(.channelProhibited)),
        .says("…tcpip-forward request denied by peer", "tcpip.go: Listen", .known(.channelProhibited)),
        .says("…ssh: unexpected packet in response to channel open", "client.go, mux.go", .lost(.closed, .guess)),
    ]

    /// The words of programs that reach a socket or another host through the server.
    private static let forwarding = [".sock", "/_ping", "podman", "on the remote host: ", "unnel", "forward", "bastion", "jump"]

    private static func rejected(_ reason: String, _ text: String, isForwarding: Bool) -> TranscriptReading {
        switch reason {
        case "administratively prohibited": .known(.channelProhibited)
        // OpenSSH's sshd says the same of a forwarding for which it gives no reason.
        case "connect failed" where text == "open failed" && isForwarding:
            .known(.channelJumpTargetUnreachable, .guess, or: ["the server forwards no sockets", "too many sessions"])
        // OpenSSH's sshd says this when MaxSessions is exceeded.
        case "connect failed" where text == "open failed": .known(.channelSessionLimit)
        case "connect failed": .known(.channelJumpTargetUnreachable)
        case "resource shortage": .known(.channelSessionLimit)
        default: .known(.channelProhibited, .guess)
        }
    }

    private static let network: [TranscriptRow] = [
        .library("{before}dial tcp: lookup {host} on {server}: {reason}", "net: DNSError") { found, facts in
            lookup(found, &facts)
        },
        .library("{before}dial tcp: lookup {host}: {reason}", "net: DNSError") { found, facts in lookup(found, &facts) },
        .library("{before}dial tcp: address {address}: {reason} in address", "net: AddrError") { found, facts in
            let before = found["before"] ?? ""
            guard ["missing port", "too many colons"].contains(found["reason"] ?? ""), !before.mentions("http") else {
                return facts.decline()
            }
            let said = TranscriptReading.known(.localUsage)
            return GoWords.isLogTime(before) || before.lowercased().mentions("ssh") ? said : said.near(.go)
        },
        .library("{before}dial tcp {address}: connect: {reason}", "net: OpError") { found, facts in dial(found, &facts) },
        .library("{before}dial tcp {address}: connectex: {reason}", "net: OpError, Windows") { found, facts in dial(found, &facts)
        },
        .library("{before}dial tcp {address}: i/o timeout", "net: OpError") { found, facts in dial(found, &facts) },
        .library("…error dialing {x}: connect tcp {address}:22: {reason}", "gVisor: gonet, as lima prints it") { found, facts in
            facts.host = found["address"] ?? ""
            facts.port = 22
            let isRefused = found["reason"]?.mentions("refused") == true
            return .unconnected(isRefused ? "connection refused" : found["reason"] ?? "", .guess)
        },
        .library("…dial tcp connect: {reason}", "net: OpError, of a masked address that was empty") { found, facts in
            facts.dialog == .drone ? dial(found, &facts) : facts.decline()
        },
        .noting("…Drone SSH version ", "appleboy/drone-ssh: main.go") { _, facts in facts.dialog = .drone },
    ]

    /// An address that could not be connected to. `reason` is missing for a timeout.
    private static func dial(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let address = found["address"] ?? ""
        // A request of HTTP, which a program made on the server or made itself.
        if !address.hasSuffix(":22"), ["\"http://", "\"https://"].contains(where: { found["before"]?.mentions($0) == true }) {
            return facts.decline()
        }
        note(peer: address, &facts)
        let number = SystemErrorTexts.systemError(found["reason"] ?? "")
        func reading(_ confidence: SSHError.Confidence) -> TranscriptReading {
            found["reason"] == nil ? .timedOut(.connect, confidence) : .unconnected(number, confidence)
        }
        if facts.dialog == .drone { return reading(.likely) }
        let isSecret =
            address.split(separator: ":").contains { isMasked(String($0)) } && found["before"]?.mentions("http") != true
        return isSecret ? reading(.guess) : reading(.likely).near(.go)
    }

    /// Whether a CI system masks the host, because it is a secret of the job: that of a deployment over SSH.
    private static func isMasked(_ host: String) -> Bool { host.utf8.count > 2 && host.allSatisfy { $0 == "*" } }

    /// A name that could not be resolved. If no word is about SSH, the line counts only for a program that logs nothing else.
    private static func lookup(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let before = found["before"] ?? ""
        let reason = found["reason"] ?? ""
        if before.mentions("http") { return facts.decline() }
        let reading = TranscriptReading.unresolved(reason, .likely)
        if isMasked(found["host"] ?? "") { return .unresolved(reason, .guess) }
        if GoWords.isLogTime(before) || before.mentions("ssh") || before.mentions("SSH") || before.mentions("last error") {
            return reading
        }
        return reading.near(.go)
    }

    /// `192.0.2.7:22`, `192.0.2.9:51234->192.0.2.7:22`.
    private static func note(peer ends: String, _ facts: inout TranscriptFacts) {
        let peer = ends.firstPlace(of: "->").map { String(ends[$0.upperBound...]) } ?? ends
        guard let colon = peer.lastIndex(of: ":") else { return }
        facts.host = String(peer[..<colon]).trimming("[]")
        facts.port = Int(peer[peer.index(after: colon)...]) ?? facts.port
    }
}

/// The prefix of Go's log package.
enum GoWords {
    /// Whether the word "agent" behind this text is that of x/crypto's package, and not the end of another program's name.
    static func isAgent(_ before: String?) -> Bool {
        let before = before ?? ""
        return before.isEmpty || before.lowercased().mentions("ssh") || isLogTime(before)
    }

    /// Whether the text is only `2006/01/02 15:04:05 `, possibly with an emoji.
    static func isLogTime(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].utf8.count == 10, words[1].utf8.count == 8 else { return false }
        return words[0].allSatisfy { $0.isNumber || $0 == "/" } && words[1].allSatisfy { $0.isNumber || $0 == ":" }
    }
}
