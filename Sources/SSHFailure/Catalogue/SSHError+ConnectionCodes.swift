extension SSHError.Code {
    /// The host name does not exist or has no address.
    public static let resolveHostNotFound = Self(rawValue: "ssh.resolve.host-not-found")
    /// The name servers did not answer, or said to try again.
    public static let resolveTemporaryFailure = Self(rawValue: "ssh.resolve.temporary-failure")
    /// The name could not be looked up, or has no address of the asked family.
    public static let resolveFailed = Self(rawValue: "ssh.resolve.failed")
    /// The host name cannot be one.
    public static let resolveHostNameInvalid = Self(rawValue: "ssh.resolve.host-name-invalid")
    /// Every address of the host refused the connection.
    public static let connectRefused = Self(rawValue: "ssh.connect.refused")
    /// No address of the host answered by the deadline.
    public static let connectTimedOut = Self(rawValue: "ssh.connect.timed-out")
    /// There is no route to the host, or it is down.
    public static let connectHostUnreachable = Self(rawValue: "ssh.connect.host-unreachable")
    /// This machine has no network that leads to the host.
    public static let connectNetworkUnreachable = Self(rawValue: "ssh.connect.network-unreachable")
    /// This machine's own firewall or sandbox forbade the connection.
    public static let connectBlockedLocally = Self(rawValue: "ssh.connect.blocked-locally")
    /// This machine has run out of files, buffers or memory for a connection.
    public static let connectLocalResources = Self(rawValue: "ssh.connect.local-resources")
    /// ProxyCommand did not start, or ended before the server spoke.
    public static let connectProxyFailed = Self(rawValue: "ssh.connect.proxy-failed")
    /// No address of the host could be connected to, for several reasons.
    public static let connectFailed = Self(rawValue: "ssh.connect.failed")
    /// Connected, but the server did not identify itself by the deadline.
    public static let bannerTimedOut = Self(rawValue: "ssh.banner.timed-out")
    /// The peer closed the connection before it identified itself.
    public static let bannerClosed = Self(rawValue: "ssh.banner.closed")
    /// The server has too many connections that are not logged in yet.
    public static let bannerServerBusy = Self(rawValue: "ssh.banner.server-busy")
    /// The server refuses this address for a while.
    public static let bannerSourcePenalised = Self(rawValue: "ssh.banner.source-penalised")
    /// What answers on this port does not speak SSH.
    public static let bannerNotSSH = Self(rawValue: "ssh.banner.not-ssh")
    /// The server speaks SSH version 1 only.
    public static let bannerUnsupportedVersion = Self(rawValue: "ssh.banner.unsupported-version")
    /// The installed libssh2 cannot read the server's greeting.
    public static let bannerLibraryLimit = Self(rawValue: "ssh.banner.library-limit")
    /// Client and server share no key exchange method.
    public static let kexNoCommonKex = Self(rawValue: "ssh.kex.no-common-kex")
    /// Client and server share no host key algorithm.
    public static let kexNoCommonHostKeyAlgorithm = Self(rawValue: "ssh.kex.no-common-host-key-algorithm")
    /// Client and server share no cipher.
    public static let kexNoCommonCipher = Self(rawValue: "ssh.kex.no-common-cipher")
    /// Client and server share no message authentication code.
    public static let kexNoCommonMAC = Self(rawValue: "ssh.kex.no-common-mac")
    /// Client and server share no compression method.
    public static let kexNoCommonCompression = Self(rawValue: "ssh.kex.no-common-compression")
    /// The server closed the connection after its identification line, before key exchange began.
    public static let kexClosedEarly = Self(rawValue: "ssh.kex.closed-early")
    /// The connection was closed or reset during key exchange.
    public static let kexClosed = Self(rawValue: "ssh.kex.closed")
    /// The server sent a disconnect message before authentication.
    public static let kexDisconnected = Self(rawValue: "ssh.kex.disconnected")
    /// The deadline passed during key exchange.
    public static let kexTimedOut = Self(rawValue: "ssh.kex.timed-out")
    /// The server could not prove that it holds its host key.
    public static let kexHostKeySignatureInvalid = Self(rawValue: "ssh.kex.host-key-signature-invalid")
    /// Malformed or corrupt packets came before authentication.
    public static let kexProtocolError = Self(rawValue: "ssh.kex.protocol-error")
}

extension SSHError {
    // The same codes for `catch SSHError.resolveHostNotFound`.

    /// Matches `ssh.resolve.host-not-found` in a `catch`.
    public static var resolveHostNotFound: Code { .resolveHostNotFound }
    /// Matches `ssh.resolve.temporary-failure` in a `catch`.
    public static var resolveTemporaryFailure: Code { .resolveTemporaryFailure }
    /// Matches `ssh.resolve.failed` in a `catch`.
    public static var resolveFailed: Code { .resolveFailed }
    /// Matches `ssh.resolve.host-name-invalid` in a `catch`.
    public static var resolveHostNameInvalid: Code { .resolveHostNameInvalid }
    /// Matches `ssh.connect.refused` in a `catch`.
    public static var connectRefused: Code { .connectRefused }
    /// Matches `ssh.connect.timed-out` in a `catch`.
    public static var connectTimedOut: Code { .connectTimedOut }
    /// Matches `ssh.connect.host-unreachable` in a `catch`.
    public static var connectHostUnreachable: Code { .connectHostUnreachable }
    /// Matches `ssh.connect.network-unreachable` in a `catch`.
    public static var connectNetworkUnreachable: Code { .connectNetworkUnreachable }
    /// Matches `ssh.connect.blocked-locally` in a `catch`.
    public static var connectBlockedLocally: Code { .connectBlockedLocally }
    /// Matches `ssh.connect.local-resources` in a `catch`.
    public static var connectLocalResources: Code { .connectLocalResources }
    /// Matches `ssh.connect.proxy-failed` in a `catch`.
    public static var connectProxyFailed: Code { .connectProxyFailed }
    /// Matches `ssh.connect.failed` in a `catch`.
    public static var connectFailed: Code { .connectFailed }
    /// Matches `ssh.banner.timed-out` in a `catch`.
    public static var bannerTimedOut: Code { .bannerTimedOut }
    /// Matches `ssh.banner.closed` in a `catch`.
    public static var bannerClosed: Code { .bannerClosed }
    /// Matches `ssh.banner.server-busy` in a `catch`.
    public static var bannerServerBusy: Code { .bannerServerBusy }
    /// Matches `ssh.banner.source-penalised` in a `catch`.
    public static var bannerSourcePenalised: Code { .bannerSourcePenalised }
    /// Matches `ssh.banner.not-ssh` in a `catch`.
    public static var bannerNotSSH: Code { .bannerNotSSH }
    /// Matches `ssh.banner.unsupported-version` in a `catch`.
    public static var bannerUnsupportedVersion: Code { .bannerUnsupportedVersion }
    /// Matches `ssh.banner.library-limit` in a `catch`.
    public static var bannerLibraryLimit: Code { .bannerLibraryLimit }
    /// Matches `ssh.kex.no-common-kex` in a `catch`.
    public static var kexNoCommonKex: Code { .kexNoCommonKex }
    /// Matches `ssh.kex.no-common-host-key-algorithm` in a `catch`.
    public static var kexNoCommonHostKeyAlgorithm: Code { .kexNoCommonHostKeyAlgorithm }
    /// Matches `ssh.kex.no-common-cipher` in a `catch`.
    public static var kexNoCommonCipher: Code { .kexNoCommonCipher }
    /// Matches `ssh.kex.no-common-mac` in a `catch`.
    public static var kexNoCommonMAC: Code { .kexNoCommonMAC }
    /// Matches `ssh.kex.no-common-compression` in a `catch`.
    public static var kexNoCommonCompression: Code { .kexNoCommonCompression }
    /// Matches `ssh.kex.closed-early` in a `catch`.
    public static var kexClosedEarly: Code { .kexClosedEarly }
    /// Matches `ssh.kex.closed` in a `catch`.
    public static var kexClosed: Code { .kexClosed }
    /// Matches `ssh.kex.disconnected` in a `catch`.
    public static var kexDisconnected: Code { .kexDisconnected }
    /// Matches `ssh.kex.timed-out` in a `catch`.
    public static var kexTimedOut: Code { .kexTimedOut }
    /// Matches `ssh.kex.host-key-signature-invalid` in a `catch`.
    public static var kexHostKeySignatureInvalid: Code { .kexHostKeySignatureInvalid }
    /// Matches `ssh.kex.protocol-error` in a `catch`.
    public static var kexProtocolError: Code { .kexProtocolError }
}
