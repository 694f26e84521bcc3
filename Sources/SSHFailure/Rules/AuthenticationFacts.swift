/// What the rules derive from the evidence of user authentication.
extension SSHAuthenticationEvidence {
    /// The last credential that the server refused. A method that was tried with nothing in hand, to see whether the server
    /// would ask something, is none.
    var lastRefused: SSHAuthenticationAttempt? {
        attempts.last { $0.outcome == .refused && isCredential($0) }
    }

    /// The last certificate that was refused and has a defect that may be why.
    var lastDefective: SSHAuthenticationAttempt? {
        attempts.last { $0.outcome == .refused && $0.certificateDefect != nil }
    }

    private func isCredential(_ attempt: SSHAuthenticationAttempt) -> Bool {
        methodsHeld.isEmpty || methodsHeld.contains(attempt.method)
    }

    /// How often the server refused.
    var refusals: Int { attempts.count { $0.outcome == .refused } }

    /// The credential whose answer was outstanding.
    var unanswered: SSHAuthenticationAttempt? { attempts.last.flatMap { $0.outcome == .unanswered ? $0 : nil } }

    /// Whether a credential was accepted, more was asked for, and nothing was refused after that.
    var lacksFactor: Bool {
        guard partialSuccess else { return false }
        let answered = attempts.last { $0.outcome == .partial || $0.outcome == .refused && isCredential($0) }
        return answered?.outcome != .refused
    }

    /// Whether the server accepts none of the methods for which a credential is held.
    var noMethodInCommon: Bool {
        guard let methodsOffered, !methodsHeld.isEmpty else { return false }
        return Set(methodsOffered).isDisjoint(with: methodsHeld)
    }

    /// Whether the only method in common asked for nothing: sshd names keyboard-interactive also where nothing is behind it.
    var wasNotAsked: Bool {
        attempts.contains { $0.outcome == .unusable && $0.method == "keyboard-interactive" }
            && attempts.allSatisfy { $0.method == "keyboard-interactive" && $0.outcome == .unusable } && prompts.isEmpty
    }

    /// The methods that a server would still accept, for a sentence.
    var wanted: String { (methodsRemaining ?? methodsOffered ?? []).map { $0.oneLine(60) }.listed() }
}

extension SSHAuthenticationAttempt {
    var isCertificate: Bool { keyType.map(PublicKeyAlgorithm.isCertificate) ?? false }

    /// `the key /home/alice/.ssh/id_ed25519 (ssh-ed25519, SHA256:…)`.
    var described: String {
        let facts = [keyType, fingerprint].compactMap { $0?.oneLine(100) }.joined(separator: ", ")
        let what = method != "publickey" ? "" : isCertificate ? "the certificate " : "the key "
        return what + credential.oneLine(200) + (facts.isEmpty ? "" : " (\(facts))")
    }
}

/// Phrases by which servers say why an account may not log in although its credentials are right.
package enum AccountTexts {
    /// pam_nologin(8) shows /etc/nologin, which systemd and shutdown(8) write, or an administrator; in lower case.
    package static let closed = [
        "unprivileged users are not permitted", "system is booting up", "being booted", "going down",
        "maintenance", "logins are disabled", "logins disabled", "login disabled", "no logins",
        "logins are closed", "come back later", "try again later", "closed for", "temporarily closed", "down for",
    ]

    /// PAM's account modules and shadow's, in lower case.
    package static let denied = [
        "account has expired", "account is expired", "account expired", "account is locked", "account has been locked",
        "account is disabled", "account has been disabled", "account is not available", "not available at this time",
        "access denied", "permission denied", "not permitted to log in", "not allowed to log in", "not authorized to log in",
        "not authorised to log in",
    ]

    /// The ways to say that a password has to be changed first (OpenSSH auth-pam.c and session.c, Linux-PAM, shadow).
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
    /// The attempts so far, empty where authentication had not begun.
    var login: SSHAuthenticationEvidence { authentication ?? SSHAuthenticationEvidence() }

    /// Whether the server asks for a new password, in its protocol or its words.
    var wantsNewPassword: Bool {
        if login.passwordChangeRequested || libraryName == "PASSWORD_EXPIRED" { return true }
        var asked = login.prompts
        if case .promptUnanswerable(let prompt) = event { asked.append(prompt) }
        return AccountTexts.speaks(AccountTexts.passwordExpired, in: asked + [login.bannerAfterAttempt])
    }
}
