/// Which addresses of a host are tried.
public enum SSHAddressFamily: String, Sendable, Hashable, CaseIterable {
    /// IPv6 and IPv4, in the order of RFC 8305.
    case any
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
}
