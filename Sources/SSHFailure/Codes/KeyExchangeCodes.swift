import ErrorCore

// Codes for key exchange.

extension SSHFailureCodes {
    /// Client and server share no key exchange method.
    public static var kexNoCommonKex: SSHError.Code {
        .init(
            "ssh.kex.no-common-kex",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "No Common Key Exchange",
                meaning: "Client and server share no key exchange method.",
                remedy: "Update the older side, or enable a method that both have with \(setting: "KexAlgorithms").",
                example: "a server with post-quantum methods only"))
    }

    /// Client and server share no host key algorithm.
    public static var kexNoCommonHostKeyAlgorithm: SSHError.Code {
        .init(
            "ssh.kex.no-common-host-key-algorithm",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "No Common Host Key",
                meaning: "Client and server share no host key algorithm.",
                remedy: "Give the server an Ed25519 or ECDSA host key.",
                example: "a server with only a DSA key"))
    }

    /// Client and server share no cipher.
    public static var kexNoCommonCipher: SSHError.Code {
        .init(
            "ssh.kex.no-common-cipher",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "No Common Cipher",
                meaning: "Client and server share no cipher.",
                remedy: "In the server's sshd_config: \(line: "Ciphers +aes256-ctr").",
                example: "a server with 3des-cbc only"))
    }

    /// Client and server share no message authentication code.
    public static var kexNoCommonMAC: SSHError.Code {
        .init(
            "ssh.kex.no-common-mac",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "No Common MAC",
                meaning: "Client and server share no message authentication code.",
                remedy: "In the server's sshd_config: \(line: "MACs +hmac-sha2-256").",
                example: "a server with umac-64 only"))
    }

    /// Client and server share no compression method.
    public static var kexNoCommonCompression: SSHError.Code {
        .init(
            "ssh.kex.no-common-compression",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "No Common Compression",
                meaning: "Client and server share no compression method.",
                remedy: """
                    Look at \(setting: "Compression") in the server's sshd_config: delayed and no allow connections without it.
                    """,
                example: "a server that requires zlib"))
    }

    /// The server closed the connection after its identification line, before key exchange began.
    public static var kexClosedEarly: SSHError.Code {
        .init(
            "ssh.kex.closed-early",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .protocolFailure,
                title: "Closed After Greeting",
                meaning: "The server closed the connection after its identification line, before key exchange began.",
                remedy: "Try again; look at the server's log.",
                example: "an access rule that closes connections from this address"))
    }

    /// The connection was closed or reset during key exchange.
    public static var kexClosed: SSHError.Code {
        .init(
            "ssh.kex.closed",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .protocolFailure,
                title: "Closed In Key Exchange",
                meaning: "The connection was closed or reset during key exchange.",
                remedy: "Try again; look at the server's log.",
                example: "a firewall that inspects SSH"))
    }

    /// The server sent a disconnect message before authentication.
    public static var kexDisconnected: SSHError.Code {
        .init(
            "ssh.kex.disconnected",
            .init(
                .sshConnectionFailed, .server, retry: .backoff(), exit: .protocolFailure,
                title: "Disconnected Before Login",
                meaning: "The server sent a disconnect message before authentication.",
                remedy: "Act on the server's message.",
                example: "\"Too many connections\""))
    }

    /// The deadline passed during key exchange.
    public static var kexTimedOut: SSHError.Code {
        .init(
            "ssh.kex.timed-out",
            .init(
                .sshTimeout, .network, retry: .backoff(), exit: .timedOut,
                title: "Key Exchange Timed Out",
                meaning: "The deadline passed during key exchange.",
                remedy: "Try again; check the MTU of the path.",
                example: "a VPN that drops large packets"))
    }

    /// The server could not prove that it holds its host key.
    public static var kexHostKeySignatureInvalid: SSHError.Code {
        .init(
            "ssh.kex.host-key-signature-invalid",
            .init(
                .sshHostKeyMismatch, .trust, severity: .critical, retry: .never,
                exit: .hostKeyFailure,
                title: "Host Key Not Proven",
                meaning: "The server could not prove that it holds its host key.",
                remedy: "Do not log in; inform the server's administrator.",
                example: "another machine that answers in the server's place"))
    }

    /// Malformed or corrupt packets were received before authentication.
    public static var kexProtocolError: SSHError.Code {
        .init(
            "ssh.kex.protocol-error",
            .init(
                .sshConnectionFailed, .protocol, retry: .backoff(), exit: .protocolFailure,
                title: "Key Exchange Corrupted",
                meaning: "Malformed or corrupt packets were received before authentication.",
                remedy: "Try from another network.",
                example: "a device on the path that changes the data"))
    }
}
