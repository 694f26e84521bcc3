/// The marker of a known_hosts line (sshd(8): MARKERS).
public enum SSHKnownHostMarker: String, Sendable, Hashable, Codable {
    /// No marker: the key is the host's.
    case trusted
    /// `@cert-authority`: the key signs host certificates.
    case certificateAuthority = "cert-authority"
    /// `@revoked`: the key is never to be accepted.
    case revoked
}
