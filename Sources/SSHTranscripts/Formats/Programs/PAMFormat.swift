/// Messages of PAM and its modules in sshd's log. Sources: OpenSSH auth-pam.c; Linux-PAM, libpam/pam_strerror.c, pam_faillock,
/// pam_tally2, pam_listfile, pam_succeed_if; google-authenticator-libpam.
enum PAMFormat {
    static let rows: [TranscriptRow] = [
        TranscriptRow("pam_faillock(sshd:{type}): Consecutive login failures for user {user} account", "pam_faillock") { _, _ in
            refused()
        },
        TranscriptRow("pam_tally2(sshd:{type}): user {user} ({n}) tally ", "pam_tally2") { _, _ in refused() },
        TranscriptRow("pam_tally(sshd:{type}): user {user} ({n}) tally ", "pam_tally") { _, _ in refused() },
        TranscriptRow("pam_listfile(sshd:{type}): Refused user {user} for service ", "pam_listfile") { _, _ in refused() },
        TranscriptRow("pam_succeed_if(sshd:auth): requirement {x} not met by user \"{user}\"", "pam_succeed_if") { _, _ in
            DaemonFormat.reading(.authPasswordRejected, rank: .ending, confidence: .guess, "refused the password")
        },
        TranscriptRow("Invalid verification code for {user}", "google-authenticator-libpam") { _, _ in wrong() },
        TranscriptRow("Failed to read \"{path}.google_authenticator\" for \"{user}\"", "google-authenticator-libpam") { _, _ in
            wrong()
        },
        TranscriptRow("error: PAM: pam_open_session(): {reason}", "auth-pam.c") { _, _ in
            DaemonFormat.reading(
                .authAccountDenied, rank: .telling, confidence: .guess, "could not open a session by PAM's rules")
        },
        TranscriptRow("fatal: PAM: pam_setcred(): {reason}", "auth-pam.c") { _, _ in
            DaemonFormat.reading(
                .authAccountDenied, rank: .telling, confidence: .guess, "could not open a session by PAM's rules")
        },
        TranscriptRow("error: PAM: {reason} for {user} from {host}", "auth-pam.c: sshpam_query, of pam_strerror's texts") {
            found, facts in
            for lead in ["illegal user ", "invalid user "] { facts.user = facts.user.replacing(lead, with: "") }
            return reading(found["reason"] ?? "")
        },
        module("account"), module("auth"),
        TranscriptRow("Login restricted for {user}: {reason}", "auth.c: allowed_user, on AIX") { _, _ in refused(.likely) },
    ]

    /// A module that has no row of its own. Its words decide.
    private static func module(_ type: String) -> TranscriptRow {
        TranscriptRow("pam_{module}(sshd:\(type)): {text}", "Linux-PAM: pam_syslog, of any module") { found, facts in
            let text = (found["text"] ?? "").lowercased()
            let denials = ["denied", "refused", "not allowed", "expired", "locked", "disabled", "rejected"]
            if denials.contains(where: { text.mentions($0) }) { return refused(.guess) }
            let failures = ["authentication failure", "failed", "invalid", "incorrect", "wrong"]
            guard type == "auth", failures.contains(where: { text.mentions($0) }) else { return facts.decline() }
            return DaemonFormat.reading(.authPasswordRejected, rank: .ending, confidence: .guess, "refused the password")
        }
    }

    /// The reading of pam_strerror(3)'s text.
    private static func reading(_ reason: String) -> TranscriptReading {
        switch reason {
        case "User account has expired", "Permission denied", "Account locked",
            "Cannot make/remove an entry for the specified session":
            refused()
        case "Authentication token is no longer valid; new one required", "Authentication token expired":
            DaemonFormat.reading(.authPasswordExpired, rank: .telling, "found the password expired")
        case "Have exhausted maximum number of retries for service", "Maximum number of tries exceeded":
            DaemonFormat.reading(.authTooManyAttempts, rank: .telling, "ended the login after too many attempts")
        default: DaemonFormat.reading(.authKeyboardInteractiveRejected, "refused the answers")
        }
    }

    private static func refused(_ confidence: SSHError.Confidence = .likely) -> TranscriptReading {
        DaemonFormat.reading(.authAccountDenied, rank: .telling, confidence: confidence, "refused the account by PAM's rules")
    }

    private static func wrong() -> TranscriptReading {
        DaemonFormat.reading(.authKeyboardInteractiveRejected, rank: .telling, "refused the one-time code")
    }
}
