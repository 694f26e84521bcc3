/// User authentication (RFC 4252). Sources: OpenSSH auth2.c, auth-pam.c.
enum AuthenticationRules {
    static let all = exhausted + prompts + broken + deadline

    /// No credential is left to offer.
    static let exhausted: [FailureRule] =
        [
            expired,
            FailureRule(
                .authTooManyAttempts, .exact, source: "OpenSSH auth2.c: auth_maxtries_exceeded",
                when: { $0.disconnect.map(DisconnectTexts.countsAttempts) == true }
            ) { tooMany($0) },
            FailureRule(.authMoreFactorsRequired, .exact, source: "RFC 4252 section 5.1", when: { $0.login.lacksFactor }) {
                let accepted = $0.login.attempts.last { $0.outcome == .partial }?.method ?? "The first credential"
                return VerdictText(
                    "\($0.server) accepted \(accepted.oneLine(60)) for \($0.person) and requires another method: "
                        + "\($0.login.wanted).",
                    hint: """
                        Give a credential for one of these too: a password (\(option: .passwordFile, "FILE")), another key \
                        (\(option: .identity, "FILE")), or \(.somethingToAnswer).
                        """)
            },
            FailureRule(
                .authNoCredentials, .exact, source: "no credential was held, and none was tried",
                when: { $0.login.methodsHeld.isEmpty && $0.login.lastRefused == nil && $0.login.attempts.isEmpty }
            ) { noCredentials($0) },
            FailureRule(
                .authMethodNotOffered, .exact, source: "RFC 4252 section 5.1",
                when: { $0.login.lastRefused == nil && ($0.login.noMethodInCommon || $0.login.wasNotAsked) }
            ) {
                VerdictText(
                    "\($0.server) accepts \(($0.login.methodsOffered ?? []).map { $0.oneLine(60) }.listed()); there is a "
                        + "credential only for \($0.login.methodsHeld.listed()).",
                    hint: methodHint($0))
            },
            FailureRule(
                .authRSASHA1Rejected, .likely, source: "OpenSSH 8.8 and later; RFC 8332",
                when: { $0.refusedForSHA1 }
            ) { evidence in
                VerdictText(
                    "\(evidence.server) refused \(evidence.login.lastRefused?.described ?? "the RSA key"), which could only be "
                        + "used with SHA-1 signatures; servers since OpenSSH 8.8 refuse those.",
                    hint: "Use an Ed25519 key, or libssh2 1.11 or later, which signs with SHA-2.",
                    alternatives: keyAlternatives(evidence))
            },
        ] + CertificateRules.refused + [
            FailureRule(.authKeyRejected, .exact, source: "RFC 4252 section 7", when: { refused($0, "publickey") }) { evidence in
                VerdictText(
                    refusal(evidence, unnamed: "the key") + debug(evidence),
                    hint: keyHint(evidence),
                    alternatives: keyAlternatives(evidence))
            },
            FailureRule(.authPasswordRejected, .exact, source: "RFC 4252 section 8", when: { refused($0, "password") }) {
                VerdictText(
                    "\($0.server) did not accept the password for \($0.person).",
                    hint:
                        "Check the user name and the password. It is not retried automatically, because that can lock the account.",
                    alternatives: passwordAlternatives)
            },
            FailureRule(
                .authAccountDenied, .exact,
                source: "OpenSSH auth-pam.c: sshpam_query tells PAM's account verdict in an instruction",
                when: { refused($0, "keyboard-interactive") && AccountTexts.speaks(AccountTexts.denied, in: $0.login.prompts) }
            ) { accountDenied($0) },
            FailureRule(
                .authKeyboardInteractiveRejected, .exact, source: "RFC 4256 section 3.4",
                when: { refused($0, "keyboard-interactive") }
            ) {
                VerdictText(
                    "\($0.server) did not accept the answers to its questions for \($0.person).",
                    hint: "Check the user name, the password and any one-time code.",
                    alternatives: passwordAlternatives + ["a one-time code that is wrong or too old"])
            },
            FailureRule(
                .agentRefused, .likely, source: "an agent's failure counts only when nothing else could be offered",
                when: { $0.login.agentProblem?.reason == .refused && $0.login.lastRefused == nil }
            ) { CredentialRules.agentRefused.words($0) },
            FailureRule(
                .agentUnavailable, .exact, source: "an agent's failure counts only when nothing else could be offered",
                when: { $0.login.agentProblem?.reason == .unavailable && $0.login.lastRefused == nil }
            ) { CredentialRules.agentUnavailable.words($0) },
            FailureRule(
                .authKeyRejected, .guess, source: "an unknown method was refused",
                when: { $0.login.lastRefused != nil }
            ) {
                VerdictText(
                    "\($0.server) refused to authenticate \($0.person) with \($0.login.lastRefused?.method ?? "").",
                    hint: "Check the user name and what the server accepts: \($0.login.wanted).")
            },
            FailureRule(.authNoCredentials, .likely, source: "no available credential could be used") { noCredentials($0) },
        ]

    static let prompts: [FailureRule] = [
        expired,
        FailureRule(.authInteractionRequired, .exact, source: "RFC 4256 section 3.2") { evidence in
            guard case .promptUnanswerable(let prompt) = evidence.event else { return LocalRules.unforeseenText(evidence) }
            let question = prompt.oneLine(200)
            return VerdictText(
                "\(evidence.server) sent a prompt that no person is available to answer"
                    + (question.isEmpty ? "." : ": \"\(question)\""),
                hint: "\(commandLine: "Run in a terminal to be asked; \(.passwordInFile)", library: .giveAnswers)")
        },
    ]

    static let deadline = [timedOut]

    /// Authentication exceeded the caller's deadline.
    static let timedOut = FailureRule(.authTimedOut, .exact, source: "our own clock") {
        VerdictText(
            "\($0.endpoint) did not finish the login of \($0.person) within \($0.awaitedTime).",
            hint:
                "Try again, with a longer \(setting: .connectTimeout) if the server is slow (its directory service or name lookups).",
            alternatives: ["the server waits for a directory or name service", "the network stopped passing packets"])
    }

    /// The password has expired; servers report it in several ways.
    static let expired = FailureRule(
        .authPasswordExpired, .exact, source: "RFC 4252 section 8; Linux-PAM pam_unix; libssh2 returns -15",
        when: { $0.wantsNewPassword }
    ) {
        VerdictText(
            "The password of \($0.account) has expired and must be changed before anything else.",
            hint: "Log in once on a terminal to change it: \($0.terminalLogin)")
    }

    static func tooMany(_ evidence: SSHEvidence) -> VerdictText {
        let count = evidence.login.attempts.count { $0.outcome != .unusable }
        let tried = count > 0 ? " (\(count) so far)" : ""
        let said = evidence.disconnect == nil ? "" : " It said: \(evidence.disconnectText)."
        return VerdictText(
            "\(evidence.server) ended the login of \(evidence.person): too many attempts\(tried).\(said)",
            hint: """
                Offer only the right key: \(.onlyThisKey). An agent's keys each count as an attempt; \
                \(setting: "MaxAuthTries") in sshd_config sets the limit.
                """)
    }

    static func refused(_ evidence: SSHEvidence, _ method: String) -> Bool {
        evidence.login.lastRefused?.method == method
    }

    private static func noCredentials(_ evidence: SSHEvidence) -> VerdictText {
        let login = evidence.login
        if let methods = evidence.setting?.excluded, !methods.isEmpty {
            return VerdictText(
                "There is no way to log in to \(evidence.account): your setting \(evidence.settingText) allows only "
                    + "\(methods.map { $0.oneLine(40) }.joined(separator: " and ")), which libssh2 does not have.",
                hint: .openSSH("Use", "supports \(methods[0].oneLine(40)). Or change the setting."))
        }
        if evidence.leavesOutAllKeys, evidence.setting != nil {
            let keys = login.keyProblems.filter(\.isNotAccepted).map { $0.path.oneLine(100) }
            return VerdictText(
                "There is no credential for \(evidence.account): your setting \(evidence.settingText) leaves out "
                    + "\(keys.listed(4)), and no password was given.",
                hint: "Give a key that the setting allows (\(option: .identity, "FILE")), or change the setting.")
        }
        if evidence.setting != nil {
            return VerdictText(
                "There is no credential for \(evidence.account): your setting \(evidence.settingText) turns publickey "
                    + "authentication off, and no password was given.",
                hint: "Remove that setting, or give a password (\(option: .passwordFile, "FILE")).")
        }
        var reasons = login.keyProblems.prefix(3).map { "\($0.path): \($0.detail)".oneLine() }
        if let agent = login.agentProblem { reasons.append("agent: \(agent.detail)".oneLine()) }
        let because = reasons.isEmpty ? "" : " Not usable: \(reasons.joined(separator: "; "))".ended
        return VerdictText(
            "There is no credential for \(evidence.account): no usable key, agent or password.\(because)",
            hint: """
                Give a key (\(option: .identity, "FILE")), load one into an agent (\(run: "ssh-add")), or give a password \
                (\(option: .passwordFile, "FILE")).
                """)
    }

    private static func methodHint(_ evidence: SSHEvidence) -> RemedyText {
        let offered = evidence.login.methodsOffered ?? []
        if offered.contains("password") || offered.contains("keyboard-interactive") {
            return """
                Give a password (\(option: .passwordFile, "FILE")), or \
                \(commandLine: "run in a terminal to be asked", library: "an SSHInteraction that asks for one").
                """
        }
        if offered.contains("publickey"), evidence.leavesOutAllKeys, evidence.setting != nil {
            return "Give a key that your setting \(evidence.settingText) allows, or change the setting."
        }
        if offered.contains("publickey"), evidence.setting != nil {
            return "Remove your setting \(evidence.settingText), which turns publickey authentication off."
        }
        if offered.contains("publickey") {
            return "Give a key (\(option: .identity, "FILE")) or load one into an agent (\(run: "ssh-add"))."
        }
        if !evidence.libraryVersion.isEmpty, let method = offered.first(where: { ["gssapi-with-mic", "hostbased"].contains($0) })
        {
            return .openSSH("Use", "supports \(method). Or allow publickey or password on the server.")
        }
        return "These methods are not supported here; allow publickey or password on the server."
    }

    private static let passwordAlternatives = [
        "wrong password", "no such user on the server", "the account is locked or has expired",
        "the server does not allow this user (AllowUsers, PermitRootLogin)",
    ]

    /// ssh-copy-id logs in with a password, so suggest it only if the server accepts one.
    private static func keyHint(_ evidence: SSHEvidence) -> RemedyText {
        if evidence.isOnWindows {
            return """
                On the server, put the public key into C:\\Users\\\(evidence.person)\\.ssh\\authorized_keys; for an administrator \
                into C:\\ProgramData\\ssh\\administrators_authorized_keys, which only Administrators and SYSTEM may access.
                """
        }
        let file = "the server's ~\(evidence.user.oneLine())/.ssh/authorized_keys"
        let accepted = evidence.login.methodsOffered ?? ["password"]
        guard accepted.contains("password") || accepted.contains("keyboard-interactive") else {
            return
                "Have the server's administrator add the public key to \(file): the server accepts no password for ssh-copy-id."
        }
        let key = evidence.login.lastRefused
        let command = "ssh-copy-id \(publicHalf(key))\(evidence.sshOptions)\(evidence.accountWord)"
        return "Put the public key into \(file): \(run: madePublicHalf(key) + command)"
    }

    static func keyAlternatives(_ evidence: SSHEvidence) -> [String] {
        CertificateRules.notOffered(evidence) + keyReasons(evidence)
    }

    private static func keyReasons(_ evidence: SSHEvidence) -> [String] {
        if evidence.login.lastRefused?.keyAccepted == true {
            return ["the server accepts the key but not its signature algorithm", "the account may not log in with a key alone"]
        }
        let key = evidence.login.lastRefused
        let onlySHA1 = key?.keyType == "ssh-rsa" && key?.signatureAlgorithm == nil && evidence.libraryIsOlder(than: 1, 11)
        if evidence.isOnWindows {
            return [
                "the key is not in authorized_keys, or the account is an administrator's and it is not in administrators_authorized_keys",
                "another account may write to that file (its access control list)", "no such user on the server",
            ]
        }
        return (onlySHA1 ? ["an RSA key, which libssh2 before 1.11 can only use with SHA-1 here"] : []) + [
            "the key is not in authorized_keys", "no such user on the server",
            "the home directory or authorized_keys is writable by others (StrictModes)",
            "the server does not allow this user (AllowUsers, PermitRootLogin)",
            "the key may not be used from this address, or has expired there",
            "the account is locked, or its login shell does not exist",
        ]
    }

    /// A sentence about the last refused credential, which says if it was the last of several keys.
    static func refusal(_ evidence: SSHEvidence, unnamed: String) -> String {
        let refused = evidence.login.attempts.filter { $0.method == "publickey" && $0.outcome == .refused }
        // A key may be offered under the names of several algorithms.
        let keys = Set(refused.map { [$0.fingerprint ?? $0.credential, $0.keyType] }).count
        return "\(evidence.server) did not accept \(evidence.login.lastRefused?.described ?? unnamed) for \(evidence.person)"
            + "\(keys > 1 ? ", the last of \(keys) keys" : "")."
    }

    private static func publicHalf(_ attempt: SSHAuthenticationAttempt?) -> String {
        guard let path = attempt?.credential, path.contains("/") else { return "" }
        let file = path.oneLine(200)
        return "-i \((file.hasSuffix(".pub") ? file : file + ".pub").shellWord) "
    }

    /// The command that creates a missing `.pub` file first.
    private static func madePublicHalf(_ attempt: SSHAuthenticationAttempt?) -> String {
        guard let attempt, attempt.lacksPublicFile == true else { return "" }
        let path = attempt.credential.oneLine(200)
        return "ssh-keygen -y -f \(path.shellWord) > \((path + ".pub").shellWord) && "
    }

    private static func debug(_ evidence: SSHEvidence) -> String {
        evidence.login.debugMessages.last.map { " The server says: \($0.oneLine(200))".ended } ?? ""
    }
}

extension SSHEvidence {
    /// Whether the last refused key is an RSA key that could only be used with SHA-1, and the server does not accept SHA-1: it is
    /// OpenSSH 8.8 or later, or does not tell its version.
    var refusedForSHA1: Bool {
        guard let attempt = login.lastRefused, attempt.method == "publickey", attempt.keyType == "ssh-rsa" else { return false }
        guard attempt.signatureAlgorithm == "ssh-rsa" else { return false }
        // A key that is also refused with SHA-2 is unknown to the server.
        let isRefusedWithSHA2 = login.attempts.contains {
            $0.fingerprint == attempt.fingerprint && $0.outcome == .refused
                && $0.signatureAlgorithm?.hasPrefix("rsa-sha2-") == true
        }
        if isRefusedWithSHA2, !attempt.keyAccepted { return false }
        return openSSHRelease.map { $0 >= OpenSSHRelease(8, 8) } ?? true
    }
}

/// Facts that the rules derive from the evidence of authentication.
extension SSHAuthenticationEvidence {
    /// The last refused credential. A method that was tried without a credential, to see whether the server would prompt, does
    /// not count.
    var lastRefused: SSHAuthenticationAttempt? {
        attempts.last { $0.outcome == .refused && isCredential($0) }
    }

    /// The last refused certificate with a defect that may explain the refusal.
    var lastDefective: SSHAuthenticationAttempt? {
        attempts.last { $0.outcome == .refused && $0.certificateDefect != nil }
    }

    private func isCredential(_ attempt: SSHAuthenticationAttempt) -> Bool {
        methodsHeld.isEmpty || methodsHeld.contains(attempt.method)
    }

    /// The number of refusals.
    var refusals: Int { attempts.count { $0.outcome == .refused } }

    /// The credential without an answer yet.
    var unanswered: SSHAuthenticationAttempt? { attempts.last.flatMap { $0.outcome == .unanswered ? $0 : nil } }

    /// Whether a credential was accepted, another was required, and none was refused after that.
    var lacksFactor: Bool {
        guard partialSuccess else { return false }
        let answered = attempts.last { $0.outcome == .partial || $0.outcome == .refused && isCredential($0) }
        return answered?.outcome != .refused
    }

    /// Whether the server accepts none of the methods for which there is a credential.
    var noMethodInCommon: Bool {
        guard let methodsOffered, !methodsHeld.isEmpty else { return false }
        return Set(methodsOffered).isDisjoint(with: methodsHeld)
    }

    /// Whether the only common method prompted for nothing: sshd offers keyboard-interactive even if nothing implements it.
    var wasNotAsked: Bool {
        attempts.contains { $0.outcome == .unusable && $0.method == "keyboard-interactive" }
            && attempts.allSatisfy { $0.method == "keyboard-interactive" && $0.outcome == .unusable } && prompts.isEmpty
    }

    /// The methods that the server would still accept, for a sentence.
    var wanted: String { (methodsRemaining ?? methodsOffered ?? []).map { $0.oneLine(60) }.listed() }
}

extension SSHAuthenticationAttempt {
    var isCertificate: Bool { keyType.map(PublicKeyAlgorithm.isCertificate) ?? false }

    /// For example `the key /home/alice/.ssh/id_ed25519 (ssh-ed25519, SHA256:…)`.
    var described: String {
        let facts = [keyType, fingerprint].compactMap { $0?.oneLine(100) }.joined(separator: ", ")
        let what = method != "publickey" ? "" : isCertificate ? "the certificate " : "the key "
        return what + credential.oneLine(200) + (facts.isEmpty ? "" : " (\(facts))")
    }
}

/// Phrases by which servers explain that an account may not log in although its credentials are right.
package enum AccountTexts {
    /// Texts in /etc/nologin, which pam_nologin(8) shows: those of systemd and shutdown(8), and those that administrators often
    /// write; in lower case.
    package static let closed = [
        "unprivileged users are not permitted", "system is booting up", "being booted", "going down",
        "maintenance", "logins are disabled", "logins disabled", "login disabled", "no logins",
        "logins are closed", "come back later", "try again later", "closed for", "temporarily closed", "down for",
    ]

    /// Texts of PAM's account modules, of shadow, and of Tailscale's server (ssh/tailssh), in lower case.
    package static let denied = [
        "account has expired", "account is expired", "account expired", "account is locked", "account has been locked",
        "account is disabled", "account has been disabled", "account is not available", "not available at this time",
        "access denied", "permission denied", "not permitted to log in", "not allowed to log in", "not authorized to log in",
        "not authorised to log in", "policy does not permit you to ssh",
    ]

    /// Texts that require a password change (OpenSSH auth-pam.c and session.c, Linux-PAM, shadow).
    package static let passwordExpired = [
        "password has expired", "password expired", "must change your password", "required to change your password",
        "password change required", "change your password now", "new password:", "current password:", "(current) unix password",
        "current unix password", "enter new password", "retype new password", "password is expired", "password must be changed",
    ]

    package static func speaks(_ texts: [String], in parts: [String?]) -> Bool {
        let text = parts.compactMap { $0?.lowercased() }.joined(separator: "\n")
        return texts.contains { text.mentions($0) }
    }
}

extension SSHEvidence {
    /// The authentication so far; empty if it had not begun.
    var login: SSHAuthenticationEvidence { authentication ?? SSHAuthenticationEvidence() }

    /// Whether the server requires a new password, by protocol message or text.
    var wantsNewPassword: Bool {
        if login.passwordChangeRequested || libraryError == .passwordExpired { return true }
        var asked = login.prompts
        if case .promptUnanswerable(let prompt) = event { asked.append(prompt) }
        return AccountTexts.speaks(AccountTexts.passwordExpired, in: asked + [login.bannerAfterAttempt])
    }
}
