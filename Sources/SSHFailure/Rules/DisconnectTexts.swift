import ErrorCore

/// What a server's DISCONNECT message means for trying again, by its words first and its reason code second:
/// OpenSSH's server gives reason 2 for everything (packet.c, sshpkt_disconnect).
package enum DisconnectTexts {
    /// Words that a message may hold, in lower case, and what they mean.
    struct Row: Sendable {
        let words: String
        let advice: RetryAdvice
        init(_ words: String, _ advice: RetryAdvice) {
            self.words = words
            self.advice = advice
        }
    }

    /// OpenSSH 9.8 and later penalise an address for 15 s at least (sshd_config(5), PerSourcePenalties).
    private static let penalised = RetryAdvice.backoff(minimumWait: .seconds(15))

    static let rows: [Row] = [
        // OpenSSH servconf.c, auth.c; Go x/crypto/ssh; Apache MINA; paramiko.
        Row("too many auth", .never), Row("no more auth", .never), Row("too many bad auth", .never),
        // Load, which passes.
        Row("not allowed at this time", penalised), Row("penalt", penalised),
        Row("too many connections", .backoff()), Row("too many users", .backoff()), Row("too many sessions", .backoff()),
        Row("too many logins", .backoff()), Row("maxstartups", .backoff()), Row("connection limit", .backoff()),
        Row("maximum number of", .backoff()), Row("max connections", .backoff()), Row("busy", .backoff()),
        Row("overload", .backoff()),
        Row("try again", .backoff()), Row("resource shortage", .backoff()), Row("out of memory", .backoff()),
        // A server that goes away and comes back.
        Row("shutting down", .backoff()), Row("shutdown", .backoff()), Row("going down", .backoff()), Row("reboot", .backoff()),
        Row("restart", .backoff()), Row("maintenance", .backoff()), Row("terminating", .backoff()),
        // Waits of the server's.
        Row("timeout", .backoff()), Row("timed out", .backoff()), Row("time-out", .backoff()), Row("idle", .backoff()),
        Row("inactiv", .backoff()),
        // Damage on the way.
        Row("corrupt", .backoff()), Row("mac error", .backoff()), Row("bad packet length", .backoff()),
        // Rules, which stay: OpenSSH packet.c, kex.c, auth2.c, session.c.
        Row("protocol error", .never), Row("strict kex violation", .never), Row("not supported", .never),
        Row("unsupported", .never), Row("no matching", .never), Row("no common", .never), Row("bad service request", .never),
        Row("change of username", .never), Row("not allowed", .never), Row("denied", .never), Row("not permitted", .never),
        Row("forbidden", .never), Row("blocked", .never), Row("banned", .never), Row("prohibited", .never),
        Row("disabled", .never), Row("expired", .never),
    ]

    /// Reason codes (RFC 4253 section 11.1) for which trying again cannot help; 2 says nothing, see above.
    static let hopelessReasons: Set<UInt32> = [1, 3, 6, 8, 9, 13, 14, 15]

    static func advice(_ message: SSHDisconnectMessage) -> RetryAdvice {
        let text = message.description.lowercased()
        if let row = rows.first(where: { text.contains($0.words) }) { return row.advice }
        return hopelessReasons.contains(message.reason) ? .never : .backoff()
    }

    /// SSH_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE (RFC 4253 section 11.1).
    static let noMoreMethods: UInt32 = 14

    /// Whether a message says in words that too many credentials were tried.
    package static func countsAttempts(_ message: SSHDisconnectMessage) -> Bool {
        let text = message.description.lowercased()
        return ["too many auth", "no more auth", "too many bad auth", "too many login attempts", "too many password"]
            .contains { text.contains($0) }
    }
}
