import ErrorCore

extension FailureCatalogue {
    /// Failures of reaching a server and agreeing on keys.
    static let connectionRows: [Row] = [
        Row(
            .resolveHostNotFound, .dnsError, .resolve, .network, .error, .afterFix, .unreachable,
            "Host Not Found", "The host name does not exist or has no address."),
        Row(
            .resolveTemporaryFailure, .dnsError, .resolve, .network, .warning, .backoff(), .unreachable,
            "Name Lookup Delayed", "The name servers did not answer, or said to try again."),
        Row(
            .resolveFailed, .dnsError, .resolve, .network, .error, .backoff(), .unreachable,
            "Name Lookup Failed", "The name could not be looked up, or has no address of the asked family."),
        Row(
            .resolveHostNameInvalid, .validationError, .resolve, .validation, .error, .never, .unreachable,
            "Invalid Host Name", "The host name cannot be one."),
        Row(
            .connectRefused, .sshConnectionFailed, .connect, .network, .error, .backoff(), .unreachable,
            "Connection Refused", "Every address of the host refused the connection."),
        Row(
            .connectTimedOut, .sshTimeout, .connect, .network, .error, .backoff(), .timedOut,
            "Connection Timed Out", "No address of the host answered by the deadline."),
        Row(
            .connectHostUnreachable, .sshConnectionFailed, .connect, .network, .error, .backoff(), .unreachable,
            "Host Unreachable", "There is no route to the host, or it is down."),
        Row(
            .connectNetworkUnreachable, .networkUnavailable, .connect, .network, .error, .backoff(), .unreachable,
            "Network Unreachable", "This machine has no network that leads to the host."),
        Row(
            .connectBlockedLocally, .sshConnectionFailed, .connect, .network, .error, .afterFix, .unreachable,
            "Connection Blocked Locally", "This machine's own firewall or sandbox forbade the connection."),
        Row(
            .connectLocalResources, .sshConnectionFailed, .connect, .network, .error, .backoff(), .unreachable,
            "Out Of Sockets", "This machine has run out of files, buffers or memory for a connection."),
        Row(
            .connectProxyFailed, .sshConnectionFailed, .connect, .network, .error, .afterFix, .unreachable,
            "Proxy Command Failed", "ProxyCommand did not start, or ended before the server spoke."),
        Row(
            .connectFailed, .sshConnectionFailed, .connect, .network, .error, .backoff(), .unreachable,
            "Connection Failed", "No address of the host could be connected to, for several reasons."),
        Row(
            .bannerTimedOut, .sshTimeout, .banner, .network, .error, .backoff(), .timedOut,
            "Server Silent", "Connected, but the server did not identify itself by the deadline."),
        Row(
            .bannerClosed, .sshConnectionFailed, .banner, .network, .error, .backoff(), .unreachable,
            "Closed Before Greeting", "The peer closed the connection before it identified itself."),
        Row(
            .bannerServerBusy, .sshConnectionFailed, .banner, .server, .warning, .backoff(), .unreachable,
            "Server Busy", "The server has too many connections that are not logged in yet."),
        Row(
            .bannerSourcePenalised, .sshConnectionFailed, .banner, .server, .warning,
            .backoff(minimumWait: DisconnectTexts.penalty), .unreachable,
            "Address Blocked For Now", "The server refuses this address for a while."),
        Row(
            .bannerNotSSH, .sshConnectionFailed, .banner, .protocol, .error, .never, .protocolFailure,
            "Not An SSH Server", "What answers on this port does not speak SSH."),
        Row(
            .bannerUnsupportedVersion, .sshConnectionFailed, .banner, .protocol, .error, .never, .protocolFailure,
            "SSH Version Too Old", "The server speaks SSH version 1 only."),
        Row(
            .bannerLibraryLimit, .sshConnectionFailed, .banner, .protocol, .error, .never, .protocolFailure,
            "Greeting Not Readable", "The installed libssh2 cannot read the server's greeting."),
        Row(
            .kexNoCommonKex, .sshConnectionFailed, .keyExchange, .protocol, .error, .never, .protocolFailure,
            "No Common Key Exchange", "Client and server share no key exchange method."),
        Row(
            .kexNoCommonHostKeyAlgorithm, .sshConnectionFailed, .keyExchange, .protocol, .error, .never, .protocolFailure,
            "No Common Host Key", "Client and server share no host key algorithm."),
        Row(
            .kexNoCommonCipher, .sshConnectionFailed, .keyExchange, .protocol, .error, .never, .protocolFailure,
            "No Common Cipher", "Client and server share no cipher."),
        Row(
            .kexNoCommonMAC, .sshConnectionFailed, .keyExchange, .protocol, .error, .never, .protocolFailure,
            "No Common MAC", "Client and server share no message authentication code."),
        Row(
            .kexNoCommonCompression, .sshConnectionFailed, .keyExchange, .protocol, .error, .never, .protocolFailure,
            "No Common Compression", "Client and server share no compression method."),
        Row(
            .kexClosedEarly, .sshConnectionFailed, .keyExchange, .network, .error, .backoff(), .protocolFailure,
            "Closed After Greeting", "The server closed the connection after its identification line, before key exchange began."),
        Row(
            .kexClosed, .sshConnectionFailed, .keyExchange, .network, .error, .backoff(), .protocolFailure,
            "Closed In Key Exchange", "The connection was closed or reset during key exchange."),
        Row(
            .kexDisconnected, .sshConnectionFailed, .keyExchange, .server, .error, .backoff(), .protocolFailure,
            "Turned Away", "The server sent a disconnect message before authentication."),
        Row(
            .kexTimedOut, .sshTimeout, .keyExchange, .network, .error, .backoff(), .timedOut,
            "Key Exchange Timed Out", "The deadline passed during key exchange."),
        Row(
            .kexHostKeySignatureInvalid, .sshHostKeyMismatch, .keyExchange, .trust, .critical, .never, .hostKeyFailure,
            "Host Key Not Proven", "The server could not prove that it holds its host key."),
        Row(
            .kexProtocolError, .sshConnectionFailed, .keyExchange, .protocol, .error, .backoff(), .protocolFailure,
            "Garbled Key Exchange", "Malformed or corrupt packets came before authentication."),
    ]
}
