/// sshd's side, in auth.log and the journal: which client failed, and why. Sources: OpenSSH 7.4–10, auth.c, auth2.c, misc.c, packet.c,
/// sshd.c and sshd-session.c.
enum DaemonFormat {
    static let rows: [TranscriptRow] = login + accounts + early + endings

    private static let login: [TranscriptRow] = [
        row("Failed {method} for invalid user {user} from {host} port {port} ssh2", "auth.c: auth_log") { found, _ in
            refused(found)
        },
        row("Failed {method} for {user} from {host} port {port} ssh2", "auth.c: auth_log") { found, _ in refused(found) },
        row("error: PAM: Authentication failure for {user} from {host}", "auth-pam.c") { _, facts in
            facts.user = facts.user.replacing("illegal user ", with: "")
            return .refused("keyboard-interactive", .likely)
        },
        row("error: maximum authentication attempts exceeded for {user} from {host} port {port} ssh2", "auth.c") { _, facts in
            facts.user = facts.user.replacing("invalid user ", with: "")
            return .tooManyAttempts(.likely)
        },
        accepted("Accepted publickey for "), accepted("Accepted password for "), accepted("Accepted keyboard-interactive/pam for "),
        accepted("Accepted gssapi-with-mic for "), accepted("Accepted hostbased for "),
    ]

    private static func row(
        _ text: String, _ source: String, _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?
    ) -> TranscriptRow { TranscriptRow(text, source, read) }

    private static func accepted(_ words: String) -> TranscriptRow { .recovers(words, "auth.c: auth_log") }

    private static func refused(_ found: [String: String]) -> TranscriptReading? {
        switch found["method"] {
        case "password"?: .refused("password", .likely)
        case "publickey"?: .refused("publickey", .likely)
        case let method? where method.hasPrefix("keyboard-interactive"): .refused("keyboard-interactive", .likely)
        case "none"?: .noCredentials(.guess)
        default: nil
        }
    }

    private static let accounts: [TranscriptRow] = [
        row("User {user} from {host} not allowed because {reason}", "auth.c: allowed_user") { found, _ in
            .accountDenied("not allowed because \(found["reason"] ?? "")")
        },
        row("ROOT LOGIN REFUSED FROM {host}", "auth.c: auth_root_allowed") { _, _ in .accountDenied("root login refused") },
        row("Authentication refused: {reason}", "auth.c: secure_filename") { _, _ in
            // The file of the account's keys is not used because others may write to it.
            .refused("publickey", .likely).ranked(.telling)
        },
        row("Authentication key {key} revoked by file ", "auth.c") { _, _ in .refused("publickey", .likely).ranked(.telling) },
        row("fatal: Access denied for user {user} by PAM account configuration", "auth-pam.c", denied), row(
            "Access denied for user {user} by PAM account configuration", "monitor.c", denied),
        row("error: Could not get shadow information for {user}", "auth-passwd.c") { _, _ in nil },
    ]

    @Sendable private static func denied(_: [String: String], _: inout TranscriptFacts) -> TranscriptReading? {
        .accountDenied("denied by PAM's account configuration")
    }

    private static let early: [TranscriptRow] = [
        row("Did not receive identification string from {host} port {port}", "sshd.c; 7.4–7.9") { _, _ in noGreeting() },
        row("Did not receive identification string from {host}", "sshd.c; 6.6–7.3") { _, _ in noGreeting() },
        row("Bad protocol version identification {line} from {host} port {port}", "sshd.c; 7.4–7.9") { _, _ in noSSH() },
        row("banner exchange: Connection from {host} port {port}: invalid format", "kex.c; 8.4–10") { _, _ in noSSH() },
        row("banner exchange: Connection from {host} port {port}: could not read protocol version", "kex.c; 8.4–10") { _, _ in
            noGreeting()
        },
        row("error: kex_exchange_identification: Connection closed by remote host", "kex.c; 8.0–10") { _, _ in noGreeting() },
        row("error: kex_exchange_identification: client sent invalid protocol identifier ", "kex.c; 8.0–10") { _, _ in noSSH() },
        row("error: beginning MaxStartups throttling", "sshd.c; 8.0–10") { _, _ in busy() },
        row("drop connection #{n} from [{host}]:{port} on [{address}]:{p} past MaxStartups", "sshd.c; 8.5–10") { _, _ in busy() },
        row("drop connection #{n} from [{host}]:{port} on [{address}]:{p} penalty: {reason}", "sshd.c; 9.8–10") { _, _ in
            .known(.bannerSourcePenalised)
        },
        row("fatal: Timeout before authentication for connection from {host} to {address}, pid", "sshd.c; 9.8–10") { _, _ in
            .timedOut(.authentication, .likely)
        },
        row("Timeout before authentication for connection from {host} to {address}, pid", "sshd.c; 9.8–10") { _, _ in
            .timedOut(.authentication, .likely)
        },
        row("fatal: Timeout before authentication for {host} port {port}", "sshd.c; 7.4–9.7") { _, _ in
            .timedOut(.authentication, .likely)
        },
    ]

    private static func noGreeting() -> TranscriptReading {
        .ended(.telling, .closed, at: .banner, .guess, alternatives: ["a probe that only looks whether the port is open"])
    }

    private static func noSSH() -> TranscriptReading { TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely) }

    private static func busy() -> TranscriptReading { .known(.bannerServerBusy) }

    private static let endings: [TranscriptRow] = [
        row("error: Received disconnect from {host} port {port}:{reason}: {text}", "packet.c: the client's own message") { _, _ in nil },
        // RFC 4253 section 11.1: 11 is SSH_DISCONNECT_BY_APPLICATION, which clients send when they are done.
        row("Received disconnect from {host} port {port}:11: {text} [preauth]", "packet.c") { _, _ in nil },
        row("Received disconnect from {host} port {port}:11: disconnected by user", "packet.c") { _, _ in nil },
        row("fatal: Unable to negotiate with {host} port {port}: {x}", "kex.c; 7.4–10") { _, facts in facts.decline() },
    ]
}
