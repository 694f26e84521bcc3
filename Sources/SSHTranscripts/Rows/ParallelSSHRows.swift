/// parallel-ssh, and the two libraries below it by their Python names: ssh2-python (libssh2) and ssh-python (libssh).
/// Sources: parallel-ssh 2, pssh/clients/base/single.py and native/single.py; ssh2-python, ssh2/exceptions.pyx.
enum ParallelSSHRows {
    static let rows: [TranscriptRow] = connecting + login + exceptions

    // parallel-ssh passes its messages and their arguments separately, and Python prints both.
    private static let connecting: [TranscriptRow] = [
        .library("…Unknown host %s - %s - retry %s/%s', '{host}', '{reason}'", "base/single.py: UnknownHostError") { found, _ in
            .unresolved(found["reason"] ?? "")
        },
        .library("…Unknown host {host} - {reason} - retry", "base/single.py, in a log") { found, _ in
            .unresolved(found["reason"] ?? "")
        },
        .library("…Error connecting to host '%s:%s' - %s - retry %s/%s\", '{host}', {port}, '{reason}'", "base/single.py") {
            found, _ in .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…Error connecting to host '{host}:{port}' - {reason} - retry", "base/single.py, in a log") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…Error connecting to host %s:%s - %s', '{host}', {port}, {inner}", "native/single.py") { found, _ in
            found["inner"]?.hasPrefix("Timeout") == true ? noGreeting() : nil
        },
        .library("…File %s does not exist. Please use either absolute{x}', '{path}'", "base/single.py: PKeyFileError") {
            found, _ in .key(.notFound, found["path"])
        },
        .library("…File %s does not exist. Please use either absolute{x}\", '{path}'", "base/single.py: PKeyFileError") {
            found, _ in .key(.notFound, found["path"])
        },
    ]

    private static func noGreeting() -> TranscriptReading {
        .timedOut(.banner, .guess, alternatives: ["key exchange did not end in time", "it does not speak SSH"])
    }

    private static let login: [TranscriptRow] = [
        .library("…Authentication error while connecting to %s:%s - %s - retries %s/%s', '{host}', {port}, {inner}", "single.py")
        {
            found, facts in
            let inner = found["inner"] ?? ""
            if let denied = accessDenied.match(inner) { return denial(denied) }
            if inner.contains("AuthenticationPartial") { return .moreFactors([], .likely) }
            if inner.contains("disconnected") { return dropped() }
            if inner.hasPrefix("FileError") || inner.hasPrefix("KeyImportError") { return unreadableKey() }
            if inner.contains("No remaining authentication methods") { return .noCredentials(.guess) }
            return refused(facts)
        },
        .library("…No remaining authentication methods", "base/single.py") { _, _ in .noCredentials(.guess) },
        .library("…Access denied for '{method}'. Authentication that can continue: {methods}", "libssh: auth.c") { found, facts in
            found["method"] == "none" ? facts.decline() : denial(found)
        },
    ]

    private static let accessDenied = TranscriptTemplate(
        "…Access denied for '{method}'. Authentication that can continue: {methods}")

    /// libssh lists the methods that the server accepts. The method that was tried may not be among them.
    private static func denial(_ found: [String: String]) -> TranscriptReading {
        let method = found["method"] ?? "publickey"
        let methods = (found["methods"] ?? "").prefix { !"\"')".contains($0) }.split(separator: ",").map(String.init)
        return methods.contains(method) ? .refused(method, .likely) : .methodNotOffered(methods, refused: method, .guess)
    }

    private static func refused(_ facts: TranscriptFacts) -> TranscriptReading {
        let method = facts.methodRefused ?? "publickey"
        return .refused(method, .guess, alternatives: SharedAlternatives.login)
    }

    private static func unreadableKey() -> TranscriptReading {
        .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase, or another one", "it cannot be read"])
    }

    private static func dropped() -> TranscriptReading {
        .ended(.telling, .closed, at: .authentication, .guess, alternatives: ["the account is refused", "too many attempts"])
    }

    /// One exception for each code of libssh2, without a message.
    private static let exceptions: [TranscriptRow] =
        [
            .says("…AuthenticationError: The key algorithm 'ssh-rsa' is not allowed", "ssh-python: libssh, auth.c", .sha1()),
            .library("…UnknownError: ('Error code %s not known', {code})", "ssh2/utils.pyx: handle_error_codes") { found, _ in
                // LIBSSH2_ERROR_KEX_FAILURE
                found["code"] == "-5"
                    ? .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess) : .notReached(.guess, .plain)
            },
            // The library's own traceback comes before that of parallel-ssh.
            .library("ssh2.exceptions.AuthenticationError", "ssh2-python") { _, facts in
                let functions = facts.python.functions.joined(separator: " ")
                facts.methodRefused = functions.contains("userauth_password") ? "password" : "publickey"
                return refused(facts)
            },
            .library("…Timeout of %s sec(s) reached", "base/parallel.py: join") { _, _ in slow() },
            .library("pssh.exceptions.Timeout: (", "native/single.py") { _, _ in noGreeting() },
            .library("pssh.exceptions.Timeout", "base/single.py: a read or the end of the command") { _, _ in slow() },
            .library("ssh2.exceptions.Timeout", "ssh2-python") { _, facts in
                handshake(facts) ? noGreeting() : slow()
            },
        ]
        + named.flatMap { name, read in
            [
                TranscriptRow.library("…exceptions.\(name)", "ssh2-python, parallel-ssh") { _, facts in read(facts) },
                TranscriptRow.library("…: \(name)", "ssh2-python, parallel-ssh: its representation") { _, facts in read(facts) },
            ]
        }

    private static let named: [(String, @Sendable (TranscriptFacts) -> TranscriptReading?)] = [
        ("SocketDisconnectError", { handshakeOr($0, .banner, .lost(.closed, .guess)) }),
        ("SocketRecvError", { handshakeOr($0, .banner, .lost(.closed, .guess)) }),
        ("SocketSendError", { _ in .lost(.reset, .guess) }),
        ("BannerRecvError", { _ in TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess) }),
        ("KexFailureError", { _ in .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess) }),
        ("KeyExchangeError", { _ in .ended(.telling, .closed, at: .keyExchange, .guess) }),
        ("SSH2Error", { handshakeOr($0, .keyExchange, nil) }),
        ("AuthenticationError: ", { refused($0) }), ("AuthenticationException: ", { refused($0) }),
        ("NoIPv6AddressFoundError: ", { _ in .unresolved("address family not supported", .guess) }),
        ("PublickeyUnverifiedError", { refused($0) }), ("AuthenticationError()", { refused($0) }),
        ("FileError", { _ in unreadableKey() }),
        ("ChannelFailure", { _ in .channelRefused(2, "open failed", .guess) }),
        ("SessionError", { _ in .channelRefused(2, "open failed", .guess) }),
        ("ChannelRequestDenied", { _ in TranscriptReading(.telling, .requestRefused(.exec), at: .channel, .guess) }),
        ("RequestDeniedError", { _ in TranscriptReading(.telling, .requestRefused(.exec), at: .channel, .guess) }),
        ("AgentConnectionError", { _ in .agent(.unavailable, "it could not be connected to") }),
        ("AgentListIdentitiesError", { _ in .agent(.unavailable, "it did not list its keys") }),
    ]

    private static func slow() -> TranscriptReading {
        .commandTimedOut(.guess, alternatives: ["the connection was lost without a sign", "the server did not answer in time"])
    }

    private static func handshake(_ facts: TranscriptFacts) -> Bool {
        facts.python.functions.contains { $0.hasSuffix("Session.handshake") }
    }

    /// An exception of the handshake. Without a traceback, an exception is usually of the handshake too.
    @Sendable private static func handshakeOr(
        _ facts: TranscriptFacts, _ stage: SSHStage, _ other: TranscriptReading?
    ) -> TranscriptReading? {
        if let other, !facts.python.functions.isEmpty, !handshake(facts) { return other }
        let otherwise = stage == .banner ? SharedAlternatives.closedEarly : ["it ended the connection with a message"]
        return .ended(.telling, .closed, at: stage, .guess, alternatives: otherwise)
    }
}
