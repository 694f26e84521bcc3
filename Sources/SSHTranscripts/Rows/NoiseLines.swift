/// Lines that never report a failure: noise, explanations, and additions of wrappers.
enum NoiseLines {
    /// Whether a line that no row reads is such a line.
    static func contains(_ line: String) -> Bool {
        RemoteText.isNoise(line) || isEpilogue(line) || leads.contains { line.hasPrefix($0) }
            || explanations.contains { line.hasPrefix($0) }
    }

    /// Debug messages, and the frames of @ around warnings.
    static let leads = ["debug", "@"]

    /// The lines that OpenSSH prints around its warnings (sshconnect.c, authfile.c), and a session's begin and end in the server's
    /// log (pam_unix).
    static let explanations = [
        "IT IS POSSIBLE THAT", "Someone could be eavesdropping", "It is also possible that a host key",
        "Please contact your system",
        "Add correct host key in", "The fingerprint for", "Host key for ", "It is required that your private",
        "This private key will",
        "Are you sure you want", "This key is not known", "This host key is known", "  remove with:", "remove with:",
        "ssh-keygen -f", "Matching host key in", "Offending key for IP in", "Password authentication is disabled to avoid",
        "Keyboard-interactive authentication is disabled to avoid", "~/.ssh/known_hosts:", "This could mean that a stolen key",
        "**", "Shared connection to ", "Killed", "Connection to ",
        "Host key ", "ED25519 host key for", "ECDSA host key for", "RSA host key for", "If you still wish",
        "The revoked host key", "was revoked", "pam_unix(sshd:session): session ",
    ]

    /// Whether a wrapper adds the line after ssh has failed.
    static func isEpilogue(_ line: String) -> Bool {
        epilogueStarts.contains { line.hasPrefix($0) } || line.hasSuffix(epilogueEnd) || AnsibleMessages.isNoise(line)
    }

    static let epilogueStarts = [
        "lost connection", "Connection closed", "scp: Connection closed", "rsync error: ",
        "rsync: connection unexpectedly closed",
        "rsync: [", "fatal: Could not read from remote repository.", "Please make sure you have the correct access rights",
        "and the repository exists.", "Couldn't read packet: ", "fatal: the remote end hung up", "Killed by signal",
        "Connection to ", "Cloning into", "terminating with error status, rc ",
    ]
    static let epilogueEnd = "scp: Connection closed"
}
