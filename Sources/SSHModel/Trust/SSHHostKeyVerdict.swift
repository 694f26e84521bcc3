/// The verdict of known_hosts on the key that a server presented.
///
/// A value: whether to go on is ``SSHHostKeyPolicy``'s business.
public enum SSHHostKeyVerdict: Sendable, Hashable, Codable {
    /// The very key is known for this host, at this place.
    case trusted(SSHKnownHostsLocation)
    /// Another key of the same type is known: the server was reinstalled, or it is not the server.
    ///
    /// - Parameters:
    ///   - presented: the fingerprint of the server's key, `SHA256:…`.
    ///   - known: the keys of that type that known_hosts has for the host, in the order of the files; never empty.
    case changed(presented: String, known: [SSHKnownHostKey])
    /// A `@revoked` line for this host has the key. It beats every other line.
    case revoked(SSHKnownHostsLocation)
    /// Only keys of other types are known for this host (in the order of the files; never empty).
    case otherTypeKnown([SSHKnownHostKey])
    /// No line has a key for this host.
    ///
    /// - Parameters:
    ///   - skippedLines: how many lines of all files could not be understood; one of them may have been meant for this host.
    ///   - certificateAuthority: the first `@cert-authority` line for this host. Host certificates are not supported, so
    ///     the host may be known to OpenSSH by its certificate and yet be unknown here.
    case unknown(skippedLines: Int, certificateAuthority: SSHKnownHostsLocation?)
}
