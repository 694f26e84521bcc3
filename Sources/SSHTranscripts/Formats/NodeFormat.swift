/// Node's ssh2 and the programs that use it: node-ssh, ssh2-sftp-client, editors. Sources: ssh2, lib/client.js,
/// lib/protocol/kex.js, lib/protocol/keyParser.js; Node, the messages of its system errors.
enum NodeFormat {
    static let all = [TranscriptFormat("ssh2 (node)", login + exchange + files + keys + network)]

    /// SFTP's statuses, which are an error's whole message. Other modules of Node have their own names before such words.
    private static let files: [TranscriptRow] = SFTPTexts.names.map(status)

    private static func status(_ text: String, _ number: Int) -> TranscriptRow {
        .library("…Error: \(text){rest}", "SFTP.js: STATUS_CODE_STR") { found, facts in
            let rest = found["rest"] ?? ""
            // In a JSON object, the words are an element of the array that holds the stack.
            let isWhole = rest.allSatisfy { ".\",".contains($0) }
            guard isWhole || rest.hasPrefix("\\n") || rest == " {" else { return facts.decline() }
            return SFTPTexts.reading(ofStatus: number)?.near(.node)
        }
    }

    private static let login: [TranscriptRow] = [
        .library("…All configured authentication methods failed", "client.js") { _, facts in
            facts.loggedLogin.refusal ?? .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        // Another method may follow.
        .library("…Client: {method} auth failed", "client.js: its debug lines") { _, facts in
            facts.loggedLogin.isPresent ? nil : facts.decline()
        },
        .noting("…USERAUTH_REQUEST ({method})", "protocol.js, ssh.js: their debug lines") { found, facts in
            facts.loggedLogin.note(tried: found["method"] ?? "")
        },
        .library("…Received USERAUTH_FAILURE ({methods})", "handlers.misc.js: its debug lines") { found, facts in
            facts.loggedLogin.note(offered: found["methods"] ?? "")
            return nil
        },
        .says(
            "…Timed out while waiting for handshake", "client.js",
            .timedOut(
                .keyExchange, .guess,
                alternatives: ["it was not connected to", "it sent no identification", "the login was slow"])),
        TranscriptRow("…Local ident: 'SSH-2.0-ssh2js{version}'", "protocol.js, DEBUG") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "ssh2 (node)")
            return nil
        },
        .recovers("…Client :: ready", "the example that programs follow"),
    ]

    private static func login(at frame: String) -> TranscriptRow {
        .library(
            at: frame, "client.js: what follows a refused login",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login))
    }

    private static let exchange: [TranscriptRow] = [
        // Other programs write the same two of other sockets.
        .noting("…Socket connected", "client.js: its log") { _, facts in
            if facts.versions["ssh2 (node)"] != nil { facts.stage = .banner }
        },
        .library("…Socket ended", "client.js: its log") { _, facts in
            facts.stage == .banner ? TranscriptReading.cut(.closed, at: .banner, .plain) : facts.decline()
        },
        .library("…DEBUG: No match", "ssh2-streams: ssh.js") { _, facts in
            guard let offer = facts.otherLines.last(2).last(where: { $0.mentions("(remote) ") }),
                let place = offer.firstPlace(of: "(remote) ")
            else { return facts.decline() }
            let kind = String(offer[place.upperBound...].prefix { $0 != ":" })
            return .noCommon(TranscriptReading.algorithmCode(kind), kind, .likely)
        },
        .library("…andshake failed: no matching {kind}", "kex.js") { found, _ in
            let kind = (found["kind"] ?? "").prefix { $0 != "\n" }
            return .noCommon(TranscriptReading.algorithmCode(String(kind)), String(kind))
        },
        .says(
            "…Handshake failed: signature verification failed", "kex.js",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says(
            "…ost denied (verification failed)", "kex.js", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says(
            "…Connection lost before handshake", "client.js",
            .ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)),
        .says("Error: Keepalive timeout", "client.js", .silent()),
        .says(
            "…This service allows sftp connections only", "OpenSSH session.c, in place of SFTP's first packet",
            .known(.commandLoginShellDenied)),
        .says("…Unable to request a pseudo-terminal", "client.js", .request(.pty, .likely)),
        // The channel was refused, or the connection ended: an earlier line may have the reason.
        .says("…Unable to exec", "Channel.js", TranscriptReading.request(.exec, .guess).ranked(.wrapper)),
        // Frames of a stack whose first line is missing.
        login(at: "…at tryNextAuth ("), login(at: "…at doNextAuth ("), login(at: "….onUSERAUTH_FAILURE ("),
        login(at: "…at USERAUTH_FAILURE ("),
        .says("…No SFTP connection available", "ssh2-sftp-client: haveConnection", .notReached()),
        .says("…: Unexpected end event raised", "ssh2-sftp-client: index.js", .cut(.closed, at: .keyExchange)),
        .says("…: Unexpected close event raised", "ssh2-sftp-client: index.js", .cut(.closed, at: .keyExchange)),
        .says("…No response from server", "client.js", TranscriptReading.lost(.closed, .guess).near(.node)),
        .says(
            "…Invalid identification string", "protocol.js",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess).near(.node)),
        .says(
            "…Invalid SSH identification string", "protocol.js",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
        .says(
            "…exceeds max length of 262144", "protocol.js: the first bytes are not a packet",
            TranscriptReading.protocolBroken(at: .keyExchange).near(.node)),
        .says(
            "…Authentication failure. Available authentication methods: ", "client.js before 0.4",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…Failed to connect to agent", "agent.js",
            TranscriptReading.agent(.unavailable, "it could not be connected to").ranked(.plain)),
        .says("…Failed to retrieve identities from agent", "agent.js", .agent(.unavailable, "it did not list its keys")),
        .says("…Invalid username", "client.js", TranscriptReading.known(.localUsage).near(.node)),
        .says("…Error: Not connected", "client.js", TranscriptReading.lost(.closed, .guess).ranked(.wrapper).near(.node)),
        .library("{before}: No such file{path}", "ssh2-sftp-client: src/index.js") { found, facts in
            let path = found["path"] ?? ""
            // JSch's status has its number before it.
            if found["before"]?.last?.isNumber == true { return facts.decline() }
            let ends = [" /", ": /", " ./", ": ./"].contains { path.hasPrefix($0) }
            return path.isEmpty || ends ? TranscriptReading.known(.sftpNoSuchFile).near(.node) : facts.decline()
        },
        .says("…: Permission denied /{path}", "ssh2-sftp-client: src/index.js", .known(.sftpPermissionDenied).near(.node)),
        .whole(
            "…Error: Permission denied", "SFTP.js: a status of the server's",
            TranscriptReading.known(.sftpPermissionDenied).near(.node)),
        .whole(
            "…Error: Failure", "SFTP.js: a status of the server's", TranscriptReading.known(.sftpWriteFailed, .guess).near(.node)),
        .library("…Received exit {what} while establishing SFTP session", "client.js: sftp") { _, _ in
            .request(.subsystem, .guess, or: ["the account may run no SFTP server"])
        },
        .says("…Unexpected packet before version", "SFTP.js", .known(.sftpProtocolError)),
        .says("…Unable to open shell", "client.js", TranscriptReading.request(.shell, .guess).near(.node)),
        .says("…Error: Bad packet length", "protocol/crypto.js", TranscriptReading.protocolBroken(at: .keyExchange).near(.node)),
        .whole(
            "…Error: Invalid MAC", "protocol/crypto.js",
            TranscriptReading.call(.telling, "INVALID_MAC", at: .session, .guess, "Invalid MAC").near(.node)),
        .says("…Agent responded with failure", "agent.js", TranscriptReading.agent(.refused, "it did not sign").near(.node)),
        .library(
            at: "…at doFatalError (", "protocol/utils.js: the stack of any other fatal error of the protocol",
            .protocolBroken(at: .keyExchange)),
        .library(
            at: "…at onDISCONNECT (", "ssh2-streams: ssh.js; the error has the server's own words",
            .known(.sessionDisconnected, .guess, or: ["the server ended it before or during the login"])),
        .library(
            at: "…at onKEXDH_GEX_GROUP (", "ssh2 before 0.5: Node's crypto did not take the group",
            .protocolBroken(at: .keyExchange)),
        .whole("Unknown DH group", "Node: crypto.getDiffieHellman", .known(.localLibraryFailure, .guess)),
        .says("…at doFatalSFTPError (", "SFTP.js: the stack of an unreadable packet", .known(.sftpProtocolError)),
        .says(
            "…Channel open failure: open failed, reason: ADMINISTRATIVELY_PROHIBITED", "client.js before 0.5",
            .known(.channelProhibited, .guess)),
        .says("…SFTP abrupt closure", "gulp-sftp: index.js", .lost(.closed, .guess)),
        .noting("…SFTP session closed", "gulp-sftp: index.js") { _, facts in facts.stage = .session },
        .library("…(SSH) Channel open failure: {text}", "client.js") { found, _ in
            // Node prints the name of the reason, such as ADMINISTRATIVELY_PROHIBITED.
            let text = found["text"] ?? ""
            if text.mentions("not known") { return .known(.channelJumpTargetUnreachable, .guess) }
            let isFailed = text.mentions("open failed") && !text.mentions("ADMINISTRATIVELY_PROHIBITED")
            return .channelRefused(isFailed ? 2 : 1, text, .guess)
        },
        .says(
            "…Unable to start subsystem: ", "client.js",
            TranscriptReading(.telling, .requestRefused(.subsystem), at: .channel, .likely)),
    ]

    private static let keys: [TranscriptRow] = [
        .says(
            "…Error: Unsupported key format", "keyParser.js",
            TranscriptReading.key(.formatUnsupported, nil, "", .guess).near(.node)),
        .library("…Cannot parse privateKey: {reason}", "client.js, keyParser.js") { found, _ in
            let reason = (found["reason"] ?? "").lowercased()
            if reason.mentions("no passphrase given") { return .key(.passphraseRequired) }
            if reason.mentions("bad passphrase") { return .key(.passphraseWrong) }
            if reason.mentions("unsupported key format") {
                return .key(.formatUnsupported, nil, "", .guess, alternatives: ["the file is damaged"])
            }
            if reason.mentions("bad_decrypt") || reason.mentions("bad decrypt") {
                return .key(.passphraseWrong, nil, "", .guess, alternatives: ["the file is damaged, or of a newer format"])
            }
            return .key(.formatInvalid)
        },
        .library("…ENOENT: no such file or directory, open '{path}'", "Node: fs, in the words of libuv") { found, facts in
            let path = (found["path"] ?? "").split { $0 == "/" || $0 == "\\" }
            let isKey = path.last?.hasPrefix("id_") == true && path.dropLast().last == ".ssh"
            return isKey ? .key(.notFound, found["path"], "", .guess) : facts.decline()
        },
        .says(
            "…An existing SFTP connection is already defined", "ssh2-sftp-client: index.js", .known(.localUsage, .likely)),
        .library("…config.privateKey does not exist at {path}", "node-ssh: index.ts") { found, _ in
            .key(.notFound, (found["path"] ?? "").trimming("\"',"))
        },
        .says("…privateKey value does not contain a", "client.js", .key(.formatInvalid)),
        .says("…'getPrivatePEM' of undefined", "ssh2-streams: a key that was not read", .key(.formatInvalid, nil, "", .guess)),
        .says("…ncrypted private key detected, but no passphrase given", "keyParser.js", .key(.passphraseRequired)),
        .says("…Malformed OpenSSH private key. Bad passphrase?", "keyParser.js", .key(.passphraseWrong)),
        .says("…integrity check failed -- bad passphrase", "keyParser.js", .key(.passphraseWrong)),
    ]

    private static let network: [TranscriptRow] =
        ["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ECANCELED", "EACCES", "EADDRNOTAVAIL"].map { name in
            TranscriptRow.library("…connect \(name) {address}", "node: net") { found, facts in
                note(found["address"] ?? "", &facts)
                return .unconnected(name, .likely).near(.node)
            }
        } + [
            .library("…getaddrinfo ENOTFOUND {host}", "node: dns") { _, facts in
                facts.host = String(facts.host.prefix { $0 != " " }).trimming("\"',")
                return .unresolved("not known", .likely).near(.node)
            },
            .library("…getaddrinfo EAI_AGAIN {host}", "node: dns") { _, facts in
                facts.host = String(facts.host.prefix { $0 != " " }).trimming("\"',")
                return .unresolved("try again", .likely).near(.node)
            },
            .library("…error. Address lookup failed for host {host}", "ssh2-sftp-client before 5.3: utils.js") { _, facts in
                facts.host = String(facts.host.prefix { $0 != " " })
                return .unresolved("not known", .likely)
            },
            .says(
                "…error. Remote host at {host} refused connection", "ssh2-sftp-client before 5.3: utils.js",
                .unconnected("ECONNREFUSED", .likely)),
            .says("…Unhandled: read ECONNRESET", "azure-pipelines-tasks: CopyFilesOverSSHV0", .lost(.reset, .guess)),
            .says(
                "…read ECONNRESET", "node: net",
                TranscriptReading.ended(.telling, .reset, at: .banner, .guess, alternatives: ["it was lost later"]).near(.node)),
        ]

    private static func note(_ address: String, _ facts: inout TranscriptFacts) {
        guard let colon = address.lastIndex(of: ":") else { return }
        facts.host = String(address[..<colon])
        facts.port = Int(address[address.index(after: colon)...].prefix { $0.isNumber })
    }
}

extension TranscriptRow {
    /// A frame of ssh2's in a stack, which says less than the message above it.
    fileprivate static func library(
        at frame: String, _ source: String, _ reading: @autoclosure @escaping @Sendable () -> TranscriptReading
    ) -> Self {
        library("\(frame){place}", source) { found, facts in
            found["place"]?.mentions("ssh2") == true ? reading().ranked(.wrapper) : facts.decline()
        }
    }
}
