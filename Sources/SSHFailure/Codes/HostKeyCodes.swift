import ErrorCore

// Codes for the identity of the server.

extension SSHFailureCodes {
    /// The server's host key differs from the one in known_hosts.
    public static var hostKeyChanged: SSHError.Code {
        .init(
            "ssh.host-key.changed",
            .init(
                .sshHostKeyMismatch, .trust, severity: .critical, retry: .never, exit: .hostKeyFailure,
                title: "Host Key Changed",
                meaning: "The server's host key differs from the one in known_hosts.",
                remedy: "Have the administrator confirm the new fingerprint, then \(.replacing("HOST")).",
                example: "a server that was reinstalled"))
    }

    /// known_hosts marks the host key as revoked.
    public static var hostKeyRevoked: SSHError.Code {
        .init(
            "ssh.host-key.revoked",
            .init(
                .sshHostKeyMismatch, .trust, severity: .critical, retry: .never, exit: .hostKeyFailure,
                title: "Host Key Revoked",
                meaning: "known_hosts marks the host key as revoked.",
                remedy: "Do not log in; ask the administrator for the new key.",
                example: "a @revoked line in known_hosts"))
    }

    /// No known_hosts line names this host.
    public static var hostKeyUnknown: SSHError.Code {
        .init(
            "ssh.host-key.unknown",
            .init(
                .sshHostKeyMismatch, .trust, severity: .warning, retry: .afterFix, exit: .hostKeyFailure,
                title: "Host Key Unknown",
                meaning: "No known_hosts line names this host.",
                remedy: "Compare the fingerprint with the server's own, then \(.trusting("HOST")).",
                example: "the first connection to a host"))
    }

    /// known_hosts lists the host, but only with keys of other types.
    public static var hostKeyOtherTypeKnown: SSHError.Code {
        .init(
            "ssh.host-key.other-type-known",
            .init(
                .sshHostKeyMismatch, .trust, retry: .afterFix, exit: .hostKeyFailure,
                title: "Host Key Type Unknown",
                meaning: "known_hosts lists the host, but only with keys of other types.",
                remedy: "Compare the fingerprint, then add the new type: \(.trusting("HOST")).",
                example: "RSA is known, the server presents Ed25519"))
    }

    /// A known_hosts file that was explicitly named cannot be read.
    public static var hostKeyKnownHostsUnreadable: SSHError.Code {
        .init(
            "ssh.host-key.known-hosts-unreadable",
            .init(
                .fileReadError, .file, retry: .afterFix, exit: .localFailure,
                title: "Known Hosts Unreadable",
                meaning: "A known_hosts file that was explicitly named cannot be read.",
                remedy: "Check the path and its permissions.",
                example: "--known-hosts /missing"))
    }

    /// A new host key cannot be written to known_hosts, so it is not trusted.
    public static var hostKeyKnownHostsUnwritable: SSHError.Code {
        .init(
            "ssh.host-key.known-hosts-unwritable",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .localFailure,
                title: "Known Hosts Unwritable",
                meaning: "A new host key cannot be written to known_hosts, so it is not trusted.",
                remedy: "Make the file writable, or name another one that is.",
                example: "accept-new in a container with a read-only home directory"))
    }
}
