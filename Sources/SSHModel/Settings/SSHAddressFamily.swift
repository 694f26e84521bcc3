/// Which addresses of a host are tried.
public enum SSHAddressFamily: String, Sendable, Hashable, CaseIterable {
    /// All of them, IPv6 and IPv4 in the order that RFC 8305 gives.
    case any
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
}
