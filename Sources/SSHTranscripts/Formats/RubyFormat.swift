/// Ruby's net-ssh, as Capistrano, Kamal and knife print it. Sources: net-ssh, errors.rb, transport/algorithms.rb; sshkit, runners.
enum RubyFormat {
    static let all =
        VagrantFormat.all + [TranscriptFormat("net-ssh", messages + login + trust + reaching + uncaught)]

    private static let login: [TranscriptRow] = [
        .library("…all authorization methods failed (tried {methods})", "authentication/session.rb") { found, facts in
            let tried = (found["methods"] ?? "").split { $0 == "," || $0 == " " }
            // The exception after it does not tell what was tried.
            if tried.contains("password"), !tried.contains("publickey") { facts.passwordAsked = true }
            return refused(facts)
        },
        .noting("…Net::SSH_{version}", "transport/server_version.rb: the own identification") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "net-ssh")
        },
        .noting("…/net-ssh-{version}/", "the path of a gem") { found, facts in
            // Bundler's copy of a repository has a commit in place of the version.
            guard (found["version"] ?? "").mentions(".") else { return }
            facts.noteVersion(found["version"] ?? "", of: "net-ssh")
        },
        .library("…Authentication failed for user {account}", "errors.rb: AuthenticationFailed") { found, facts in
            let account = String((found["account"] ?? "").prefix { !" ()>".contains($0) })
            // Of the libraries, only net-ssh names the account with its host.
            if account.contains("@") {
                facts.note(account: account)
                return refused(facts)
            }
            return refused(facts).near(.ruby)
        },
        .library("…Net::SSH::AuthenticationFailed", "errors.rb") { _, _ in refused() },
        .says("…Net::SSH::Authentication::DisallowedMethod", "errors.rb", .methodNotOffered([], .guess)),
        .says(
            "…Could not parse PKey: ", "authentication/key_manager.rb",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"])),
    ]

    /// The programs ask for the password after the keys were refused.
    private static func refused(_ facts: TranscriptFacts) -> TranscriptReading {
        facts.passwordAsked ? .refused("password", .guess, alternatives: SharedAlternatives.login) : refused()
    }

    private static func refused() -> TranscriptReading { .refused("publickey", .guess, alternatives: SharedAlternatives.login) }

    /// net-ssh's messages that stand with several classes, or with one that says less.
    private static let messages: [TranscriptRow] = [
        .says(
            "…ssh.authentication.methods.password[{id}]: password failed", "net-ssh: its log",
            TranscriptReading.refused("password", .guess).ranked(.wrapper)),
        .says("…timeout during client version negotiating", "transport/server_version.rb", .timedOut(.banner, .likely)),
        .says(
            "…timeout waiting for next packet", "transport/packet_stream.rb",
            .timedOut(.keyExchange, .guess, alternatives: ["the server stopped answering"])),
        .says(
            "…agent could not sign data with requested identity", "authentication/agent.rb",
            .agent(.refused, "it did not sign")),
        .says(
            "…the given identity is known, but the private key could not be loaded", "authentication/key_manager.rb",
            .key(.unreadable, nil, "", .guess)),
        .says(
            "…remote forwarding request failed", "service/forward.rb",
            TranscriptReading.known(.channelProhibited).near(.ruby)),
        .library("…public key at {path} is not valid", "key_factory.rb") { found, _ in
            TranscriptReading.key(.formatInvalid, found["path"]).near(.ruby)
        },
        .says(
            "…could not verify server signature", "transport/kex",
            TranscriptReading.call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "").near(.ruby)),
        .says("…packet too large, ", "transport/packet_stream.rb", broken().near(.ruby)),
        .says("…pkeys are immutable on OpenSSL", "Ruby's openssl, in a key exchange", misused().near(.ruby)),
        .says(
            "Failed to authenticate {user} - trying password auth", "knife: bootstrap.rb",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)),
        .says("…host key algorithm mismatch", "transport/kex", broken().near(.ruby)),
        .says("…unexpected reply to USERAUTH_REQUEST", "authentication/methods", broken().near(.ruby)),
        .says("…unexpected server response to USERAUTH_REQUEST", "authentication/methods", broken().near(.ruby)),
        .says("…unexpected reply in keyboard interactive", "authentication/methods", broken().near(.ruby)),
        .says("…no supported authorization methods", "proxy/socks5.rb", TranscriptReading.known(.connectProxyFailed).near(.ruby)),
        .says("…could not authorize user", "proxy/socks5.rb", TranscriptReading.known(.connectProxyFailed).near(.ruby)),
        .library("…error connecting to proxy ({reason})", "proxy/socks4.rb, http.rb") { _, _ in
            TranscriptReading.known(.connectProxyFailed).near(.ruby)
        },
    ]

    /// Ruby prints the class of an exception that nothing caught after its message: `…: in 'start': closed stream (Net::SSH::Exception)`.
    private static let uncaught: [TranscriptRow] = [
        .library("{before}: {text} (Net::SSH::Exception)", "the class of the exception") { found, _ in
            let reason = (found["text"] ?? "").firstRange(of: "': ").map { String((found["text"] ?? "")[$0.upperBound...]) }
            return
                (CommonReasons.reading(of: reason ?? found["text"] ?? "")
                ?? .notReached(.guess, .plain, or: ["the login was refused", "the session was refused or lost"])).ranked(.ending)
        },
        .library("…uninitialized constant {name}", "Ruby: NameError") { found, facts in
            (found["name"] ?? "").lowercased().mentions("ssh") ? .known(.localLibraryFailure, .guess) : facts.decline()
        },
        .library("{before} (Net::SSH::Proxy::{kind})", "the class of the exception") { _, _ in .known(.connectProxyFailed) },
    ]

    private static let trust: [TranscriptRow] = [
        .library("…fingerprint {fingerprint} does not match for \"{host}\"", "verifiers") { _, facts in
            facts.host = String(facts.host.prefix { $0 != "," })
            return .known(.hostKeyChanged)
        },
        .library("…fingerprint {fingerprint} is unknown for \"{host}\"", "verifiers") { _, facts in
            facts.host = String(facts.host.prefix { $0 != "," })
            return .hostKeyUnknown(.likely)
        },
        .says("…Net::SSH::HostKeyMismatch", "errors.rb", .known(.hostKeyChanged)),
        .says("…Net::SSH::HostKeyUnknown", "errors.rb", .hostKeyUnknown(.likely)),
        .says("…OpenSSH keys only supported if ED25519 is available", "authentication/ed25519_loader.rb", .key(.typeUnsupported)),
        .library("…unsupported key type `{type}'", "authentication/ed25519_loader.rb") { _, _ in .key(.typeUnsupported) },
        .says(
            "…Neither PUB key nor PRIV key", "OpenSSL",
            TranscriptReading.key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"]).near(.ruby)),
    ]

    private static let reaching: [TranscriptRow] =
        [
            .library("…could not settle on {kind} algorithm", "transport/algorithms.rb") { found, _ in
                let kind = (found["kind"] ?? "").replacing("_", with: " ")
                return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
            },
            .library("…Net::SSH::Disconnect: disconnected: {text} ({reason})", "errors.rb") { found, facts in
                OpenSSHSessionRows.disconnected(found, facts)
            },
            .library("…Net::SSH::Disconnect with msg \"disconnected: {text} ({reason})", "oxidized: node.rb") { found, facts in
                OpenSSHSessionRows.disconnected(found, facts)
            },
            .says("…Blocking operation timed out!", "io", TranscriptReading.known(.sessionKeepaliveTimedOut, .guess).near(.ruby)),
            .says(
                "…Inappropriate ioctl for device", "net-ssh: prompt.rb, without a terminal",
                TranscriptReading.known(.authInteractionRequired, .guess).near(.ruby)),
            .says(
                "…timeout during server version negotiating", "transport/session.rb: ConnectionTimeout",
                .timedOut(.banner, .likely)),
            .says("…Oxidized::SSH failed for ", "oxidized: node.rb", .notReached()),
            .says("…Net::SSH::ConnectionTimeout", "errors.rb", .timedOut(.connect, .likely)),
            .library("…packet_stream.rb:{line}:{frame}: connection closed by remote host", "a packet, after the identification") {
                _, facts in
                facts.stage == nil ? .cut(at: .keyExchange).near(.ruby) : dropped().near(.ruby)
            },
            .says("…connection closed by remote host", "transport/session.rb: Disconnect", dropped().near(.ruby)),
            .says("…Net::SSH::Disconnect", "errors.rb", dropped().ranked(.plain)),
            .says(
                "…Net::SSH::Authentication::AgentError", "authentication/agent.rb",
                .agent(.unavailable, "it could not be connected to").ranked(.plain)),
            .says(
                "…Net::SSH::Authentication::AgentNotAvailable", "authentication/agent.rb",
                .agent(.unavailable, "it could not be connected to").ranked(.plain)),
            .says(
                "…The provided passphrase is wrong", "bcrypt_pbkdf and ed25519.rb",
                TranscriptReading.key(.passphraseWrong).near(.ruby)),
            .says(
                "…Decrypt failed on private key", "authentication/ed25519.rb",
                TranscriptReading.key(.passphraseWrong).near(.ruby)),
            .says("…Net::SSH::Exception: unknown packet type", "packet.rb", broken()),
            .says("…Net::SSH::Exception: padding error", "transport/packet_stream.rb", broken()),
            .says("…Net::SSH::Exception: unexpected message", "transport/session.rb", broken()),
            .says("…Net::SSH::Exception: expected ", "transport/kex", broken()),
            .says("…Net::SSH::Exception: wrong protocol version", "transport/server_version.rb", broken()),
            .says("…Net::SSH::ChannelOpenFailed", "errors.rb", .known(.channelProhibited, .guess)),
            .says("…Net::SSH::ChannelRequestFailed", "errors.rb", .request(.exec, .guess, or: ["a terminal was refused"])),
            .says("…Net::SSH::Proxy::ConnectError", "proxy", .known(.connectProxyFailed)),
            .says("…Net::SSH::Proxy::UnauthorizedError", "proxy/errors.rb", .known(.connectProxyFailed)),
            .says("…Net::SSH::Timeout", "errors.rb", .silent()),
            .says(
                "…incompatible SSH version", "transport/server_version.rb",
                TranscriptReading(
                    .telling, .identificationUnreadable, at: .banner, .guess)),
            .says(
                "…corrupted mac detected", "transport/packet_stream.rb",
                .call(.telling, "INVALID_MAC", at: .session, .guess, "corrupted mac")),
            .library("…Net::SFTP::StatusException{x}({n}, ", "net-sftp: the status of the server") { found, _ in
                switch found["n"] ?? "" {
                case "2": .known(.sftpNoSuchFile)
                case "3": .known(.sftpPermissionDenied)
                case "4": .known(.sftpWriteFailed, .guess)
                default: .known(.sftpNoSuchFile, .guess)
                }
            },
            .says("…(2, \"no such file", "net-sftp, the message alone", TranscriptReading.known(.sftpNoSuchFile).near(.ruby)),
            .says(
                "…(3, \"permission denied", "net-sftp, the message alone",
                TranscriptReading.known(.sftpPermissionDenied).near(.ruby)),
            .says("…(4, \"failure", "net-sftp, the message alone", TranscriptReading.known(.sftpWriteFailed, .guess).near(.ruby)),
            .says("…could not start SFTP subsystem", "net-sftp: session.rb", .request(.subsystem, .likely)),
            .says("…Net::SFTP::Exception: unsupported server version", "net-sftp", .known(.sftpVersionUnsupported)),
            .says("…could not exec scp on the remote host", "net-scp: scp.rb", .request(.exec, .likely)),
            .library("…No such file or directory @ rb_{x} - {path}", "Ruby: a file here") { found, _ in
                let path = found["path"] ?? ""
                return ["/.ssh/", ".pem", "id_rsa", "id_ed25519"].contains { path.mentions($0) }
                    ? TranscriptReading.key(.notFound, path, "", .guess).near(.ruby)
                    : TranscriptReading.known(.sftpLocalNoSuchFile, .guess).near(.ruby)
            },
            .says(
                "…ArgumentError: invalid option(s): ", "net-ssh: ssh.rb, of an older version",
                TranscriptReading.known(.localUsage, .guess).near(.ruby)),
            .says("…net/ssh.rb:{place}invalid option(s): ", "net-ssh: ssh.rb, of an older version", .known(.localUsage, .guess)),
            .library("…Train::UserError: {text}", "train: extras/command_wrapper.rb") { found, facts in
                (found["text"] ?? "").lowercased().mentions("sudo") ? .known(.commandExitNonzero, .guess) : facts.decline()
            },
            .library("…Net::SCP::Error{text}", "net-scp") { found, _ in
                let text = (found["text"] ?? "").lowercased()
                if text.mentions("no such file") { return .known(.sftpNoSuchFile) }
                return text.mentions("permission denied") ? .known(.sftpPermissionDenied) : .known(.sftpWriteFailed, .guess)
            },
            TranscriptRow("…connect(2) for {peer} port {number}", "socket: Telnet's port, after SSH's") { found, facts in
                found["number"]?.trimming("\"'>)]},. ") == "23" ? nil : facts.decline()
            },
            .says(
                "…No route to host - connect(2)", "socket",
                TranscriptReading.unconnected("no route to host", .likely).near(.ruby)),
            .says("…Connection timed out - ", "socket", TranscriptReading.timedOut(.connect, .likely).near(.ruby)),
            .says("…Operation timed out - ", "socket", TranscriptReading.timedOut(.connect, .likely).near(.ruby)),
            .says(
                "…Host is down - ", "socket",
                TranscriptReading.unconnected("host is down", .likely).near(.ruby)),
            .says(
                "…Network is unreachable - ", "socket",
                TranscriptReading.unconnected("network is unreachable", .likely).near(.ruby)),
            .says("…Connection reset by peer - ", "socket", dropped().near(.ruby)),
            .says("…Broken pipe", "socket", TranscriptReading.lost(.reset, .guess).near(.ruby)),
            .says("…closed stream", "io", TranscriptReading.lost(.closed, .guess).near(.ruby)),
            .library("{command} exit status: {status}", "sshkit: command.rb, Failed") { found, facts in
                guard facts.speakers[.ruby] != nil, let status = (found["status"]?.prefix { $0.isNumber }).flatMap({ Int($0) })
                else {
                    return facts.decline()
                }
                return .commandEnded(status: status)
            },
            .library("WARNING: Failed to authenticate {account} to {host} - trying password auth", "knife: bootstrap.rb") {
                found, facts in
                facts.host = found["host"] ?? ""
                return TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)
            },
            .says("…SSH session could not be established", "train: transports/ssh.rb", .notReached()),
            .says("…Train::Transports::SSHFailed", "train: transports/ssh.rb", .notReached()),
            .library("…SSH exited ({status}) for command", "test-kitchen: transport/ssh.rb") { found, _ in
                found["status"].flatMap { Int($0) }.map { .commandEnded(status: $0) }
            },
            .library("…getaddrinfo(3): {reason}", "socket; Ruby 3.3") { found, _ in
                .unresolved(found["reason"] ?? "", .likely).near(.ruby)
            },
            .library("…getaddrinfo: {reason}", "socket") { found, _ in .unresolved(found["reason"] ?? "", .likely).near(.ruby) },
            .library("…Connection refused - connect(2) for {address}", "socket") { found, facts in
                // `192.0.2.1:22`, or `"192.0.2.1" port 22`
                let words = (found["address"] ?? "").split(separator: " ").map(String.init)
                if facts.speakers[.ruby] != nil, let host = words.first?.split(separator: ":").first {
                    facts.host = String(host).trimming("\"")
                    if words.count > 2, words[1] == "port" { facts.port = Int(words[2].trimming("'\")")) ?? facts.port }
                }
                return .unconnected("connection refused", .likely).near(.ruby)
            },
        ]
        + ["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"].map { name in
            TranscriptRow.library("…Errno::\(name)", "socket") { _, _ in
                .unconnected(name, .likely).near(.ruby)
            }
        }
        + [
            .says("…Errno::ECONNRESET", "socket", dropped().near(.ruby)),
            .says("…Errno::EPIPE", "socket", TranscriptReading.lost(.reset, .guess).near(.ruby)),
            .says("…SSHKit::Command::Failed", "command.rb", .known(.commandExitNonzero, .guess, .ending)),
            .says("…OpenSSL::PKey::", "Ruby's openssl, of a key or a key exchange", misused().near(.ruby)),
            .says("…incompatible with OpenSSL 3", "Ruby's openssl, of a key", misused().near(.ruby)),
            .library("…/lib/net/ssh/{place}: {text} ({class}Error)", "an error of Ruby's in net-ssh") { _, _ in misused() },
            // It raises only AuthenticationFailed itself, whose message was the user's name alone before 2.9.
            .library("…/lib/net/ssh.rb:{line}:in `start'", "the stack of an exception without its words") { _, facts in
                if facts.hasKnownFrame { return facts.decline() }
                return TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)
                    .sayingLittle
            },
            .says(
                "…/lib/net/scp.rb:{line}:in `await_response_state'", "net-scp: the server's answer is no answer of scp's",
                .known(.sftpProtocolError, .guess, .wrapper).sayingLittle),
            .library("{command} stdout: Nothing written", "sshkit: command.rb, without a status before 1.0") { _, facts in
                facts.speakers[.ruby] == nil
                    ? TranscriptReading.known(.commandExitNonzero, .guess, .wrapper).near(.ruby)
                    : .known(.commandExitNonzero, .guess, .wrapper)
            },
            .library("…Failed to complete #{action} action: [{reason}] on ", "test-kitchen: instance.rb") { found, facts in
                let reason = found["reason"] ?? ""
                if reason.mentions("closed stream") { return .lost(.closed, .guess).near(.ruby) }
                return CommonReasons.reading(of: reason)?.ranked(.ending).near(.ruby) ?? facts.decline()
            },
            .library("…Failed to connect to {host}-- {reason}", "knife: knife/ssh.rb") { found, facts in
                let reason = found["reason"] ?? ""
                guard reason.mentions("Errno::") || reason.mentions("Net::SSH") || reason.mentions("SocketError") else {
                    return facts.decline()
                }
                return CommonReasons.reading(of: reason)?.ranked(.telling) ?? .notReached(.guess, .plain)
            },
            .says(
                "…Your SSH Agent has no keys added, and you have not specified a password or a key file",
                "train: transports/ssh.rb", .noCredentials(.likely)),
            .says("…or a loaded ssh-agent is required to initialize SSH", "fog: ssh.rb", .noCredentials(.likely)),
        ]

    private static func broken() -> TranscriptReading { .protocolBroken(at: .keyExchange) }

    /// The library does not fit this Ruby or this OpenSSL.
    private static func misused() -> TranscriptReading {
        .known(.localLibraryFailure, .guess, .ending, or: ["the key is of a type that the library cannot use"])
    }

    private static func dropped() -> TranscriptReading {
        .ended(
            .telling, .closed, at: .banner, .guess,
            alternatives: SharedAlternatives.closedEarly + ["it was closed in the login or later"])
    }
}
