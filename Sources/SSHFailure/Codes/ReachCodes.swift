import ErrorCore

// Codes for reaching a server: name lookup, connection and identification.

extension SSHFailureCodes {
    /// The host name does not exist or has no address.
    public static var resolveHostNotFound: SSHError.Code {
        .init(
            "ssh.resolve.host-not-found",
            .init(
                .dnsError, .network, retry: .afterFix, exit: .unreachable,
                title: "Host Not Found",
                meaning: "The host name does not exist or has no address.",
                remedy: "Check the spelling and the network or VPN; \(run: "getent hosts NAME") shows its addresses.",
                example: "web-1.invalid, or a name that only the office's name server knows"))
    }

    /// The name servers did not answer, or asked to try again later.
    public static var resolveTemporaryFailure: SSHError.Code {
        .init(
            "ssh.resolve.temporary-failure",
            .init(
                .dnsError, .network, severity: .warning, retry: .backoff(), exit: .unreachable,
                title: "Name Lookup Failed",
                meaning: "The name servers did not answer, or asked to try again later.",
                remedy: "Try again; check the network and /etc/resolv.conf.",
                example: "no network, or a name server that is down"))
    }

    /// The name has no address of the requested family, or the lookup failed for good.
    public static var resolveFailed: SSHError.Code {
        .init(
            "ssh.resolve.failed",
            .init(
                .dnsError, .network, retry: .backoff(), exit: .unreachable,
                title: "No Usable Address",
                meaning: "The name has no address of the requested family, or the lookup failed for good.",
                remedy: "\(.anyFamily); check /etc/nsswitch.conf.",
                example: "-6 for a host with only an IPv4 address"))
    }

    /// The host name is not a valid one.
    public static var resolveHostNameInvalid: SSHError.Code {
        .init(
            "ssh.resolve.host-name-invalid",
            .init(
                .validationError, .validation, retry: .never, exit: .unreachable,
                title: "Invalid Host Name",
                meaning: "The host name is not a valid one.",
                remedy: "Correct the name; write an IPv6 address with a port as [::1]:22.",
                example: "a..b, or a name that begins with a hyphen"))
    }

    /// Every address of the host refused the connection.
    public static var connectRefused: SSHError.Code {
        .init(
            "ssh.connect.refused",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
                title: "Connection Refused",
                meaning: "Every address of the host refused the connection.",
                remedy: """
                    Check the port, and that sshd listens on it: \(run: "ss -ltn", .mayBeWrong, on: .server) on the server lists the \
                    ports.
                    """,
                example: "port 2222 where sshd is on 22"))
    }

    /// No address of the host answered by the deadline.
    public static var connectTimedOut: SSHError.Code {
        .init(
            "ssh.connect.timed-out",
            .init(
                .sshTimeout, .network, retry: .backoff(), exit: .timedOut,
                title: "Connection Timed Out",
                meaning: "No address of the host answered by the deadline.",
                remedy: "Check the address, the VPN and firewalls.",
                example: "a firewall that drops packets"))
    }

    /// There is no route to the host, or it is down.
    public static var connectHostUnreachable: SSHError.Code {
        .init(
            "ssh.connect.host-unreachable",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
                title: "Host Unreachable",
                meaning: "There is no route to the host, or it is down.",
                remedy: "Check that the host is up and that its network can be reached from this machine.",
                example: "a host that is switched off"))
    }

    /// This machine has no route to the host's network.
    public static var connectNetworkUnreachable: SSHError.Code {
        .init(
            "ssh.connect.network-unreachable",
            .init(
                .networkUnavailable, .network, retry: .backoff(), exit: .unreachable,
                title: "Network Unreachable",
                meaning: "This machine has no route to the host's network.",
                remedy: "Check this machine's own network: its addresses, routes and VPN.",
                example: "an IPv6 address on a machine without IPv6"))
    }

    /// A firewall or sandbox on this machine blocked the connection.
    public static var connectBlockedLocally: SSHError.Code {
        .init(
            "ssh.connect.blocked-locally",
            .init(
                .sshConnectionFailed, .network, retry: .afterFix, exit: .unreachable,
                title: "Connection Blocked Locally",
                meaning: "A firewall or sandbox on this machine blocked the connection.",
                remedy: "Check this machine's firewall, and whether a sandbox forbids network access.",
                example: "a container without network"))
    }

    /// This machine has no free file descriptors, buffers or memory for a connection.
    public static var connectLocalResources: SSHError.Code {
        .init(
            "ssh.connect.local-resources",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
                title: "Out Of Sockets",
                meaning: "This machine has no free file descriptors, buffers or memory for a connection.",
                remedy: "Close connections, or raise this machine's limit of open files.",
                example: "a process with 1024 open files"))
    }

    /// ProxyCommand did not start, or ended before the server identified itself.
    public static var connectProxyFailed: SSHError.Code {
        .init(
            "ssh.connect.proxy-failed",
            .init(
                .sshConnectionFailed, .network, retry: .afterFix, exit: .unreachable,
                title: "Proxy Command Failed",
                meaning: "ProxyCommand did not start, or ended before the server identified itself.",
                remedy: "Run the proxy command by itself to see its error.",
                example: "ProxyCommand nc %h %p without nc"))
    }

    /// No address of the host accepted a connection; the reasons differ.
    public static var connectFailed: SSHError.Code {
        .init(
            "ssh.connect.failed",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
                title: "Connection Failed",
                meaning: "No address of the host accepted a connection; the reasons differ.",
                remedy: "Look at the reason of each address.",
                example: "IPv6 unreachable, IPv4 refused"))
    }

    /// The connection was opened, but the server did not identify itself by the deadline.
    public static var bannerTimedOut: SSHError.Code {
        .init(
            "ssh.banner.timed-out",
            .init(
                .sshTimeout, .network, retry: .backoff(), exit: .timedOut,
                title: "Server Silent",
                meaning: "The connection was opened, but the server did not identify itself by the deadline.",
                remedy: "Check the port, and whether the server hangs.",
                example: "a web server's port, a stopped sshd"))
    }

    /// The server closed the connection before it identified itself.
    public static var bannerClosed: SSHError.Code {
        .init(
            "ssh.banner.closed",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
                title: "Closed Before Greeting",
                meaning: "The server closed the connection before it identified itself.",
                remedy: "Try again; look at the server's log.",
                example: "hosts.deny, a load balancer without a server behind it"))
    }

    /// The server refused the connection: too many unauthenticated connections.
    public static var bannerServerBusy: SSHError.Code {
        .init(
            "ssh.banner.server-busy",
            .init(
                .sshConnectionFailed, .server, severity: .warning, retry: .backoff(), exit: .unreachable,
                title: "Server Busy",
                meaning: "The server refused the connection: too many unauthenticated connections.",
                remedy: "Wait and try again; \(setting: "MaxStartups") in sshd_config sets the limit.",
                example: "a deployment to all hosts at once"))
    }

    /// The server temporarily refuses connections from this address.
    public static var bannerSourcePenalised: SSHError.Code {
        .init(
            "ssh.banner.source-penalised",
            .init(
                .sshConnectionFailed, .server, severity: .warning,
                retry: .backoff(minimumWait: .seconds(15)), exit: .unreachable,
                title: "Address Temporarily Blocked",
                meaning: "The server temporarily refuses connections from this address.",
                remedy: """
                    Wait at least 15 seconds before you try again; \(setting: "PerSourcePenalties") in sshd_config sets the time.
                    """,
                example: "five wrong passwords in a row"))
    }

    /// The service on this port does not speak SSH.
    public static var bannerNotSSH: SSHError.Code {
        .init(
            "ssh.banner.not-ssh",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "Not An SSH Server",
                meaning: "The service on this port does not speak SSH.",
                remedy: "Check the port: SSH is usually on 22.",
                example: "port 443, where HTTPS answers"))
    }

    /// The server speaks SSH version 1 only.
    public static var bannerUnsupportedVersion: SSHError.Code {
        .init(
            "ssh.banner.unsupported-version",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "SSH Version Too Old",
                meaning: "The server speaks SSH version 1 only.",
                remedy: "Update the server, or turn on version 2.",
                example: "SSH-1.5-Cisco-1.25"))
    }

    /// The installed libssh2 cannot read what the server sends before its identification line.
    public static var bannerLibraryLimit: SSHError.Code {
        .init(
            "ssh.banner.library-limit",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "Greeting Unreadable",
                meaning: "The installed libssh2 cannot read what the server sends before its identification line.",
                remedy: "Use libssh2 1.11 or later.",
                example: "a long text before the identification line"))
    }
}
