extension CatalogueRow {
    static let ssh: [AppError.Kind: CatalogueRow] = [
        .sshConnectionFailed: CatalogueRow(
            "SSH Error",
            "The SSH connection[ to {host}] failed[: {reason}].",
            suggestion: "Check the host and port in the settings, then try again.",
            icon: "terminal", category: .network, retry: .backoff(),
            options: [.checkSettings, .retry]),
        .sshAuthenticationFailed: CatalogueRow(
            "SSH Error",
            "The SSH server did not accept the sign-in[ by {method}].",
            suggestion: "Check the user name, key and password.",
            icon: "terminal", category: .authentication, retry: .afterFix,
            options: [.checkSettings, .retry]),
        .sshCommandFailed: CatalogueRow(
            "Command Failed",
            "The command[ “{command}”] [ended with status {exitCode}|may still run; how it ended is not known][: {stderr}].",
            suggestion: "Read the command’s output, and correct what it names.",
            icon: "terminal", category: .command, retry: .afterFix,
            options: [.retry, .dismiss]),
        .sshTimeout: CatalogueRow(
            "SSH Timed Out",
            "The SSH server did not answer in time[: {seconds} s had passed].",
            suggestion: "Try again; if it happens often, allow more time.",
            icon: "terminal", category: .network, retry: .backoff(),
            options: [.retry, .checkSettings]),
        .sshKeyInvalid: CatalogueRow(
            "Unusable SSH Key",
            "The private key cannot be used[: {reason}].",
            suggestion: "Choose another key, or correct this one.",
            icon: "terminal", category: .authentication, retry: .afterFix,
            options: [.browse, .checkSettings]),
        .sshHostKeyMismatch: CatalogueRow(
            "Host Not Trusted",
            "The host key of [{host}|the server] is not trusted. An attacker may be intercepting the connection, or the server was reinstalled.",
            suggestion: "Compare the fingerprint with the server’s administrator before you trust it.",
            icon: "lock.shield", severity: .critical, category: .trust,
            options: [.checkSettings, .cancel]),
    ]
}
