extension AuthenticationRules {
    /// A library call failed or the stream ended during authentication. OpenSSH closes the connection without a message both
    /// after a refusal by PAM's account modules and at the end of LoginGraceTime. Only earlier evidence and the clock distinguish
    /// the two.
    static let broken: [FailureRule] =
        [
            expired,
            FailureRule(
                .authTooManyAttempts, .exact, source: "OpenSSH auth2.c: auth_maxtries_exceeded",
                when: { $0.disconnect.map(DisconnectTexts.countsAttempts) == true }
            ) { tooMany($0) },
            FailureRule(
                .authTooManyAttempts, .likely, source: "RFC 4253 section 11.1: reason 14, without words",
                when: { hasNoMoreMethods($0) && $0.disconnect?.description.isEmpty == true }
            ) { tooMany($0) },
            FailureRule(
                .authKeyRejected, .likely, source: "servers that give reason 14 for a key they do not take",
                when: { hasNoMoreMethods($0) && methodAtHand($0) == "publickey" }
            ) { outOfMethods($0) },
            FailureRule(
                .authPasswordRejected, .likely, source: "servers that give reason 14 for a password they do not take",
                when: { hasNoMoreMethods($0) && methodAtHand($0) == "password" }
            ) { outOfMethods($0) },
            FailureRule(
                .authMethodNotOffered, .likely, source: "servers that give reason 14 for a method they do not take",
                when: { hasNoMoreMethods($0) }
            ) { outOfMethods($0) },
            FailureRule(
                .authLoginsClosed, .exact, source: "pam_nologin(8): FIN after a credential, with the words of /etc/nologin",
                when: {
                    $0.streamHasEnded && $0.login.unanswered != nil
                        && AccountTexts.speaks(
                            AccountTexts.closed, in: [$0.login.bannerAfterAttempt] + $0.login.prompts.suffix(1))
                }
            ) { loginsClosed($0) },
            FailureRule(
                .authAccountDenied, .exact, source: "FIN after a credential, with PAM's words in a banner",
                when: {
                    $0.streamHasEnded && $0.login.unanswered != nil
                        && AccountTexts.speaks(AccountTexts.denied, in: [$0.login.bannerAfterAttempt, $0.login.banner])
                }
            ) { accountDenied($0) },
            FailureRule(
                .authAccountDenied, .likely, source: "nologin(5), pam_nologin(8): any text, sent after the credential",
                when: { $0.streamHasEnded && !($0.login.bannerAfterAttempt ?? "").isEmpty }
            ) { accountDenied($0) },
            FailureRule(
                .authLoginsClosed, .likely, source: "RFC 4253 section 11.1: words of a server that accepts no logins",
                when: { AccountTexts.speaks(AccountTexts.closed, in: [$0.disconnect?.description]) }
            ) { loginsClosed($0) },
            FailureRule(
                .authAccountDenied, .likely, source: "RFC 4253 section 11.1: reasons 1 and 15, or words of refusal",
                when: {
                    guard let message = $0.disconnect else { return false }
                    return message.reason == 15 || message.reason == 1
                        || AccountTexts.speaks(AccountTexts.denied, in: [message.description])
                }
            ) { accountDenied($0) },
            FailureRule(.authConnectionDropped, .exact, source: "RFC 4253 section 11.1", when: { $0.disconnect != nil }) {
                VerdictText(
                    "\($0.endpoint) ended the connection during the login of \($0.person): \($0.disconnectText).",
                    hint: "Act on the server's message.")
            },
            FailureRule(
                .sessionProtocolError, .exact, source: "libssh2's codes for corrupt packets",
                when: { $0.libraryFailed(.corruption) }
            ) { SessionRules.corrupted($0) },
            FailureRule(
                .sessionProtocolError, .likely,
                source: "libssh2 userauth.c: -19 hides the code of a response that could not be read",
                when: { $0.libraryError == .publicKeyUnverified && !$0.streamHasEnded && $0.login.unanswered != nil }
            ) { SessionRules.corrupted($0) },
            FailureRule(
                .authTimedOut, .likely, source: "sshd_config(5): LoginGraceTime, 120 s by default",
                when: { $0.streamHasEnded && $0.elapsedSeconds >= 110 }
            ) { graceTime($0) },
            FailureRule(
                .authTimedOut, .likely,
                source: "sshd_config(5): LoginGraceTime; the server had long owed an answer, and it closes in order",
                when: { $0.stream == .closed && ($0.awaitedSeconds ?? 0) >= 2 }
            ) { graceTime($0) },
            FailureRule(
                .authTooManyAttempts, .likely, source: "servers that close without a message, such as Dropbear after 10 tries",
                when: { $0.streamHasEnded && $0.login.refusals >= 3 }
            ) { tooMany($0) },
            FailureRule(
                .authConnectionDropped, .likely, source: "FIN or RST with no other sign", when: \.streamHasEnded
            ) { dropped($0) },
            FailureRule(.authTimedOut, .likely, source: "libssh2 returns -9 in this stage", when: { $0.libraryError == .timeout })
            {
                $0.libraryClockWasSet ? $0.clockRemedy : AuthenticationRules.timedOut.words($0)
            },
            FailureRule(
                .authConnectionDropped, .likely, source: "libssh2 returns -7, -13, -43",
                when: { $0.libraryFailed(.socket) }
            ) { dropped($0) },
            FailureRule(
                .agentUnavailable, .likely, source: "libssh2 returns -42", when: { $0.libraryError == .agentProtocol }
            ) { CredentialRules.agentUnavailable.words($0) },
            FailureRule(
                .authKeyRejected, .guess, source: "libssh2 returns -18 and -19 without an attempt in the evidence",
                when: {
                    $0.libraryFailed([.authenticationFailed, .publicKeyUnverified]) && $0.login.attempts.isEmpty
                }
            ) {
                VerdictText(
                    "\($0.server) did not accept the login of \($0.person).",
                    hint: "\(.withMoreLog) to see each offer and the server's answer.",
                    alternatives: ["a wrong password or key", "no such user on the server"])
            },
            FailureRule(
                .localLibraryFailure, .likely, source: "libssh2 returns -6, -34, -39",
                when: { $0.libraryFailed(.misuse) }
            ) { LocalRules.unforeseenText($0) },
        ] + refusals + [LocalRules.unforeseen]

    /// A library error that only means "refused" is classified by the attempts, as if nothing were left to offer.
    private static let refusals: [FailureRule] = exhausted.map { rule in
        FailureRule(
            rule.code, rule.confidence, source: rule.source,
            when: {
                $0.libraryFailed([.authenticationFailed, .publicKeyUnverified, .methodNone]) && rule.applies($0)
            }, say: rule.words)
    }

    private static func hasNoMoreMethods(_ evidence: SSHEvidence) -> Bool {
        evidence.disconnect?.reason == DisconnectTexts.noMoreMethods
    }

    /// The method of the last credential that the server received.
    private static func methodAtHand(_ evidence: SSHEvidence) -> String? {
        (evidence.login.unanswered ?? evidence.login.lastRefused)?.method
    }

    private static func outOfMethods(_ evidence: SSHEvidence) -> VerdictText {
        let shown = methodAtHand(evidence).map { " after the \($0.oneLine(60)) attempt" } ?? ""
        return VerdictText(
            "\(evidence.endpoint) ended the login of \(evidence.person)\(shown), with no further method available: "
                + "\(evidence.disconnectText).",
            hint: """
                Check the user name and the credential, and which methods the server accepts: \
                \(commandLine: "bridge-ssh doctor", library: "SSHClient.diagnose") lists them.
                """,
            alternatives: ["the credential is wrong", "the server does not accept this method", "too many attempts"])
    }

    static func accountDenied(_ evidence: SSHEvidence) -> VerdictText {
        let instruction = evidence.login.prompts.last { AccountTexts.speaks(AccountTexts.denied, in: [$0]) }
        let banner = evidence.login.bannerAfterAttempt ?? evidence.login.banner ?? instruction ?? ""
        let said = banner.isEmpty ? (evidence.disconnect == nil ? "" : evidence.disconnectText) : "\"\(banner.oneLine())\""
        return VerdictText(
            "\(evidence.server) accepted the credentials of \(evidence.person) but denied access to the account"
                + (said.isEmpty ? "." : ": \(said)."),
            hint: """
                Ask the server's administrator; there, \(run: "chage -l \(evidence.userWord)", .mayBeWrong, on: .server), \
                /etc/nologin and PAM's account rules show why.
                """,
            alternatives: [
                "the account has expired", "logins are closed for maintenance", "an access rule forbids this user or address",
            ])
    }

    private static func loginsClosed(_ evidence: SSHEvidence) -> VerdictText {
        let words =
            evidence.disconnect.map { $0.description.oneLine() }
            ?? ([evidence.login.prompts.last, evidence.login.bannerAfterAttempt].compactMap(\.self).last ?? "").oneLine()
        return VerdictText(
            "\(evidence.server) accepts no logins at the moment: \"\(words)\".",
            hint: "Try again later, or \(.untilLetIn); /etc/nologin there says so.",
            alternatives: ["only this account is locked out"])
    }

    private static func graceTime(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.endpoint) \(evidence.streamEnding) \(evidence.elapsedSeconds.inSeconds) into the login of "
                + "\(evidence.person): most likely its time limit for logins.",
            hint: """
                Try again and answer sooner; \(setting: "LoginGraceTime") in sshd_config sets the limit (120 seconds by default).
                """,
            alternatives: ["the account is refused after a slow check", "the network dropped the connection"])
    }

    private static func dropped(_ evidence: SSHEvidence) -> VerdictText {
        let ending =
            evidence.streamHasEnded
            ? "\(evidence.endpoint) \(evidence.streamEnding)" : "The connection to \(evidence.endpoint) broke"
        let took = evidence.login.unanswered.map { $0.keyAccepted } ?? false
        return VerdictText(
            "\(ending) during the login of \(evidence.person)\(took ? ", after it had accepted the key" : "").",
            hint: "Try again; if it persists, look at the server's log.",
            alternatives: [
                "the network dropped the connection", "the account is refused without a message (expired, an access rule)",
                "the server's time limit for logins has passed (LoginGraceTime)",
                "the server crashed or restarts",
            ])
    }
}
