/// Ruby's net-ssh, as Capistrano, Kamal, knife and Vagrant print it. Sources: net-ssh, errors.rb, transport/algorithms.rb; sshkit,
/// runners; vagrant, templates/locales/en.yml.
enum RubyFormat {
    static let all = [TranscriptFormat("vagrant", vagrant), TranscriptFormat("net-ssh", login + trust + reaching)]

    private static let login: [TranscriptRow] = [
        .aside("…Net::SSH_{version}", "transport/server_version.rb: the own identification") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "net-ssh")
        },
        .aside("…/net-ssh-{version}/", "the path of a gem") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "net-ssh")
        },
        .library("…Authentication failed for user {account}", "errors.rb: AuthenticationFailed") { found, facts in
            let account = String((found["account"] ?? "").prefix { !" ()>".contains($0) })
            // Only net-ssh names the account with its host.
            if account.contains("@") {
                facts.note(account: account)
                return refused()
            }
            return refused().near(.ruby)
        },
        .library("…Net::SSH::AuthenticationFailed", "errors.rb") { _, _ in refused() },
        .says("…Net::SSH::Authentication::DisallowedMethod", "errors.rb", .methodNotOffered([], held: "publickey", .guess)),
        .says(
            "…Could not parse PKey: ", "authentication/key_manager.rb",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it wants a passphrase"])),
    ]

    private static func refused() -> TranscriptReading { .refused("publickey", .guess, alternatives: Otherwise.login) }

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
    ]

    private static let reaching: [TranscriptRow] =
        [
            .library("…could not settle on {kind} algorithm", "transport/algorithms.rb") { found, _ in
                let kind = (found["kind"] ?? "").replacing("_", with: " ")
                return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
            },
            .says("…Net::SSH::ConnectionTimeout", "errors.rb", .timedOut(.connect, .likely)),
            .says("…connection closed by remote host", "transport/session.rb: Disconnect", dropped().near(.ruby)),
            .says("…Net::SSH::Disconnect", "errors.rb", dropped().ranked(.plain)),
            .library("…getaddrinfo: {reason}", "socket") { found, _ in .unresolved(found["reason"] ?? "", .likely).near(.ruby) },
            .library("…Connection refused - connect(2) for {address}", "socket") { found, facts in
                let parts = (found["address"] ?? "").split(separator: ":")
                if facts.speakers[.ruby] != nil, let host = parts.first { facts.host = String(host).trimming("\" ") }
                return .unconnected(ReasonWords.systemError("connection refused"), .likely).near(.ruby)
            },
        ]
        + ["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"].map { name in
            TranscriptRow.library("…Errno::\(name)", "socket") { _, _ in
                .unconnected(ReasonWords.systemError(name), .likely).near(.ruby)
            }
        }
        + [
            .says("…Errno::ECONNRESET", "socket", dropped().near(.ruby)),
            .says("…Errno::EPIPE", "socket", TranscriptReading.lost(.reset, .guess).near(.ruby)),
        ]

    private static func dropped() -> TranscriptReading {
        .ended(
            .telling, .closed, at: .banner, .guess, alternatives: Otherwise.closedEarly + ["it was closed in the login or later"])
    }

    private static let warnings: [(String, @Sendable () -> TranscriptReading)] = [
        ("Connection timeout", { .timedOut(.connect, .guess) }),
        ("Connection refused", { .unconnected(ReasonWords.systemError("connection refused"), .guess) }),
        ("Host unreachable", { .unconnected(ReasonWords.systemError("no route to host"), .guess) }),
        ("Authentication failure", { .refused("publickey", .guess) }),
        ("Remote connection disconnect", { .ended(.telling, .closed, at: .banner, .guess) }),
        ("Connection reset", { .ended(.telling, .reset, at: .banner, .guess) }),
    ]

    /// Vagrant tries again and again, and each warning is the state of one try.
    private static let vagrant: [TranscriptRow] =
        warnings.map { text, read in
            TranscriptRow("…Warning: \(text). Retrying...", "locales/en.yml") { _, _ in read().ranked(.ending) }
        } + [
            TranscriptRow("Timed out while waiting for the machine to boot", "locales/en.yml", ends: true) { _, _ in
                .timedOut(.connect, .guess, alternatives: ["the login was refused each time"]).ranked(.consequence)
            },
            .recovers("…Machine booted and ready!", "locales/en.yml"),
        ]
}
