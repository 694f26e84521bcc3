/// PHP's phpseclib, and .NET's SSH.NET. Sources: phpseclib 2 and 3, Net/SSH2.php; SSH.NET, Session.cs, ClientAuthentication.cs,
/// PrivateKeyFile.cs, Abstractions/SocketAbstraction.cs.
enum PHPFormat {
    static let all = [TranscriptFormat("phpseclib", phpseclib), TranscriptFormat("ssh.net", dotnet)]

    private static let phpseclib: [TranscriptRow] = [
        .aside("…phpseclib-{version}/", "the path of a release") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "phpseclib")
        },
        .says("…Connection closed prematurely", "SSH2.php: send_binary_packet", lost().near(.php)),
        .says(
            "…Connection closed by server", "SSH2.php: connect",
            TranscriptReading.ended(.telling, .closed, at: .banner, .guess, alternatives: Otherwise.closedEarly).near(.php)),
        .library("…Cannot connect to {host}:{port}. Error {n}. {reason}", "SSH2.php: connect") { found, _ in
            .unconnected(ReasonWords.systemError(found["reason"] ?? ""), .likely)
        },
        .library("…No compatible {kind} algorithms found", "SSH2.php: key_exchange") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
        },
        .says(
            "…Expected SSH_MSG_KEXINIT", "SSH2.php: key_exchange",
            TranscriptReading.call(.telling, "PROTO", at: .keyExchange, .guess, "").near(.php)),
        .library("…UnableToAuthenticate: {text}", "league/flysystem-sftp-v3") { found, _ in
            (found["text"] ?? "").mentions("private key")
                ? .refused("publickey", .likely) : .refused("password", .guess, alternatives: ["a key was refused"])
        },
        .says(
            "…UnableToConnectToSftpHost", "league/flysystem-sftp-v3",
            .notReached(.guess, or: ["it is refused", "no answer", "the name is unknown"])),
        .library("…fsockopen(): Unable to connect to {host}:22 ({reason})", "PHP") { found, _ in
            .unconnected(ReasonWords.systemError(found["reason"] ?? ""), .likely)
        },
    ]

    private static func lost() -> TranscriptReading {
        var reading = TranscriptReading.lost(.closed, .guess)
        reading.alternatives = ["it was closed before the login, or during it"]
        return reading
    }

    private static let dotnet: [TranscriptRow] = [
        .says(
            "…identification string. The connection to the remote server was closed before any data was received",
            "ProtocolVersionExchange.cs", .ended(.telling, .closed, at: .banner, .likely)),
        .says(
            "…esponse does not contain an SSH identification string", "ProtocolVersionExchange.cs",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
        .says(
            "…esponse does not contain SSH protocol identification", "Session.cs before 2020",
            .ended(.telling, .closed, at: .banner, .guess, alternatives: Otherwise.closedEarly)),
        .library("…SshAuthenticationException: Permission denied ({methods})", "ClientAuthentication.cs") { found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            return .refused(methods.first ?? "password", methods.count == 1 ? .likely : .guess)
        },
        .says(
            "…SshAuthenticationException: Permission denied", "ClientAuthentication.cs",
            .refused("password", .guess, alternatives: Otherwise.login)),
        .library("…No suitable authentication method found to complete authentication ({methods})", "ClientAuthentication.cs") {
            found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            return .methodNotOffered(methods, held: methods.contains("publickey") ? "password" : "publickey", .likely)
        },
        .says("…Connection failed to establish within ", "SocketAbstraction.cs", .timedOut(.connect, .likely)),
        .says(
            "…Socket read operation has timed out after", "SocketAbstraction.cs",
            TranscriptReading.timedOut(.banner, .guess, alternatives: ["key exchange stood still"]).near(.dotnet)),
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
        .says("…Host key could not be verified", "KeyExchange.cs", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says("…An established connection was aborted by the server", "Session.cs", .lost(.closed)),
        .says("…SshConnectionException: Client not connected", "BaseClient.cs", .lost(.closed, .guess)),
        .says("…Private key is encrypted but passphrase is empty", "PrivateKeyFile.cs", .key(.passphraseRequired)),
        .says("…SshException: Invalid private key file", "PrivateKeyFile.cs", .key(.formatInvalid)),
        .says("…target machine actively refused it", "System.Net.Sockets", socket("actively refused")),
        .says("…did not properly respond after a period of time", "System.Net.Sockets", socket("properly respond")),
        .library("…SocketException ({n}): {reason}", "System.Net.Sockets") { found, _ in socket(found["reason"] ?? "") },
        .library("…SocketException: {reason}", "System.Net.Sockets") { found, _ in socket(found["reason"] ?? "") },
    ]

    private static func socket(_ reason: String) -> TranscriptReading {
        if reason.mentions("No such host") || reason.mentions("not known") || reason.mentions("name resolution") {
            return .unresolved(reason.lowercased(), .likely).near(.dotnet)
        }
        if reason.mentions("forcibly closed") { return .lost(.reset, .guess).near(.dotnet) }
        return .unconnected(ReasonWords.systemError(reason), .likely).near(.dotnet)
    }
}
