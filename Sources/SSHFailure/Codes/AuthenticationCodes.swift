import ErrorCore

// Codes for user authentication, including the agent.

extension SSHFailureCodes {
    /// The SSH agent cannot be reached or does not answer.
    public static var agentUnavailable: SSHError.Code {
        .init(
            "ssh.agent.unavailable",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .afterFix, exit: .authenticationFailure,
                title: "Agent Unavailable",
                meaning: "The SSH agent cannot be reached or does not answer.",
                remedy: "Start an agent: \(run: "eval \"$(ssh-agent)\" && ssh-add").",
                example: "SSH_AUTH_SOCK of an agent that has ended"))
    }

    /// The SSH agent holds no key.
    public static var agentEmpty: SSHError.Code {
        .init(
            "ssh.agent.empty",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .afterFix, exit: .authenticationFailure,
                title: "Agent Has No Keys",
                meaning: "The SSH agent holds no key.",
                remedy: "Load a key: \(run: "ssh-add"); unlock a locked agent: \(run: "ssh-add -X").",
                example: "an agent just started, or locked"))
    }

    /// The SSH agent refused to sign.
    public static var agentRefused: SSHError.Code {
        .init(
            "ssh.agent.refused",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .afterFix, exit: .authenticationFailure,
                title: "Agent Refused",
                meaning: "The SSH agent refused to sign.",
                remedy: "Confirm the use of the key when the agent asks for it.",
                example: "ssh-add -c, and the request was declined"))
    }

    /// The server did not accept the password.
    public static var authPasswordRejected: SSHError.Code {
        .init(
            "ssh.auth.password-rejected",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "Password Rejected",
                meaning: "The server did not accept the password.",
                remedy: "Check the user name and the password.",
                example: "a wrong password, or no such user"))
    }

    /// The server did not accept the key.
    public static var authKeyRejected: SSHError.Code {
        .init(
            "ssh.auth.key-rejected",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "Key Rejected",
                meaning: "The server did not accept the key.",
                remedy: """
                    Add the public key to authorized_keys on the server: \(run: "ssh-copy-id", .placeholders) where a password is accepted.
                    """,
                example: "a key that the server does not know"))
    }

    /// The server did not accept the answers to its questions.
    public static var authKeyboardInteractiveRejected: SSHError.Code {
        .init(
            "ssh.auth.keyboard-interactive-rejected",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never,
                exit: .authenticationFailure,
                title: "Answers Rejected",
                meaning: "The server did not accept the answers to its questions.",
                remedy: "Check the password and the one-time code.",
                example: "a code that is too old"))
    }

    /// The server refused an RSA key because it could only be used with SHA-1.
    public static var authRSASHA1Rejected: SSHError.Code {
        .init(
            "ssh.auth.rsa-sha1-rejected",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "RSA SHA-1 Rejected",
                meaning: "The server refused an RSA key because it could only be used with SHA-1.",
                remedy: "Use an Ed25519 key, or libssh2 1.11.",
                example: "an RSA key with an old client at OpenSSH 8.8"))
    }

    /// The server accepts none of the authentication methods for which there is a credential.
    public static var authMethodNotOffered: SSHError.Code {
        .init(
            "ssh.auth.method-not-offered",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "Login Method Not Offered",
                meaning: "The server accepts none of the authentication methods for which there is a credential.",
                remedy: "Give a credential for a method that the server accepts.",
                example: "a password where only keys are accepted"))
    }

    /// There is no key, agent or password to authenticate with.
    public static var authNoCredentials: SSHError.Code {
        .init(
            "ssh.auth.no-credentials",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .afterFix, exit: .authenticationFailure,
                title: "No Credentials",
                meaning: "There is no key, agent or password to authenticate with.",
                remedy: "Give a key (\(option: .identity, "FILE")), an agent, or a password (\(option: .passwordFile, "FILE")).",
                example: "a fresh container without ~/.ssh"))
    }

    /// One credential was accepted and the server requires another.
    public static var authMoreFactorsRequired: SSHError.Code {
        .init(
            "ssh.auth.more-factors-required",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .afterFix,
                exit: .authenticationFailure,
                title: "Another Factor Required",
                meaning: "One credential was accepted and the server requires another.",
                remedy: "Give a credential for the other method too.",
                example: "AuthenticationMethods publickey,password"))
    }

    /// The server's limit on authentication attempts was reached.
    public static var authTooManyAttempts: SSHError.Code {
        .init(
            "ssh.auth.too-many-attempts",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "Too Many Attempts",
                meaning: "The server's limit on authentication attempts was reached.",
                remedy: "Offer only the right key: \(.onlyThisKey).",
                example: "an agent with eight keys"))
    }

    /// The credentials were accepted, but the account may not log in.
    public static var authAccountDenied: SSHError.Code {
        .init(
            "ssh.auth.account-denied",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "Account Denied",
                meaning: "The credentials were accepted, but the account may not log in.",
                remedy: "Ask the administrator: the account may have expired, or /etc/nologin or PAM may forbid it.",
                example: "an account that has expired"))
    }

    /// The server accepts no logins at the moment.
    public static var authLoginsClosed: SSHError.Code {
        .init(
            "ssh.auth.logins-closed",
            .init(
                .sshConnectionFailed, .server, severity: .warning, retry: .backoff(), exit: .unreachable,
                title: "Logins Closed",
                meaning: "The server accepts no logins at the moment: it is booting, shutting down, or under maintenance.",
                remedy: "Try again later, or \(.untilLetIn).",
                example: "a server that boots"))
    }

    /// The password has expired and must be changed first.
    public static var authPasswordExpired: SSHError.Code {
        .init(
            "ssh.auth.password-expired",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .never, exit: .authenticationFailure,
                title: "Password Expired",
                meaning: "The password has expired and must be changed first.",
                remedy: "Log in once on a terminal and change it.",
                example: "a password older than its maximum age"))
    }

    /// The server sent a prompt, and there is no way to ask a person.
    public static var authInteractionRequired: SSHError.Code {
        .init(
            "ssh.auth.interaction-required",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .afterFix,
                exit: .authenticationFailure,
                title: "Interaction Required",
                meaning: "The server sent a prompt, and there is no way to ask a person.",
                remedy: "\(commandLine: "Run in a terminal; \(.passwordInFile)", library: .giveAnswers)",
                example: "a one-time code asked for in a script"))
    }

    /// The deadline passed during authentication.
    public static var authTimedOut: SSHError.Code {
        .init(
            "ssh.auth.timed-out",
            .init(
                .sshTimeout, .authentication, retry: .backoff(), exit: .timedOut,
                title: "Login Timed Out",
                meaning: "The deadline passed during authentication.",
                remedy: "Try again with a longer \(setting: .connectTimeout).",
                example: "a slow directory service, or LoginGraceTime"))
    }

    /// The connection was closed or reset during authentication.
    public static var authConnectionDropped: SSHError.Code {
        .init(
            "ssh.auth.connection-dropped",
            .init(
                .sshAuthenticationFailed, .authentication, retry: .backoff(),
                exit: .authenticationFailure,
                title: "Closed During Login",
                meaning: "The connection was closed or reset during authentication.",
                remedy: "Try again; look at the server's log.",
                example: "a server that restarts during a login"))
    }
}
