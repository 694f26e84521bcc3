/// Which kinds of public key the loaded libssh2 can offer, and what can be done about the others (userauth.c:
/// _libssh2_userauth_publickey packs the signature, and has to know how for each kind).
package enum OfferableKey {
    /// Whether a key of this type can be offered, regardless of its signer.
    package static func isOfferable(_ algorithm: String) -> Bool {
        if PublicKeyAlgorithm.isCertificate(algorithm) {
            let plain = PublicKeyAlgorithm.plain(algorithm)
            if EllipticCurve(algorithm: plain) != nil { return true }
            // 1.11.1 is the first to know that RSA certificates are signed with SHA-2 too.
            if plain == PublicKeyAlgorithm.rsa { return Library.isAtLeast(1, 11, 1) }
            return plain == PublicKeyAlgorithm.ed25519 && Library.isAtLeast(1, 11)
        }
        if PublicKeyAlgorithm.isSecurityKey(algorithm) { return Library.isAtLeast(1, 11) }
        return !signatureAlgorithms(named: algorithm).isEmpty
    }

    /// Why a key of a kind is not offered, and what to do: for a person, without saying which key.
    package static func advice(on algorithm: String) -> String {
        let name = PublicKeyAlgorithm.displayName(of: algorithm)
        let version = Library.version
        if PublicKeyAlgorithm.isCertificate(algorithm) {
            let other = "Have the plain key accepted by the server, or an ECDSA key certified."
            let first = [PublicKeyAlgorithm.ed25519: "1.11", PublicKeyAlgorithm.rsa: "1.11.1"][
                PublicKeyAlgorithm.plain(algorithm)]
            guard let first else { return "libssh2 cannot offer \(name) certificates. \(other)" }
            return "libssh2 \(version) cannot offer \(name) certificates; libssh2 \(first) can. \(other)"
        }
        if PublicKeyAlgorithm.isSecurityKey(algorithm) {
            return "libssh2 \(version) cannot offer security keys (\(name)); libssh2 1.11 can, from an agent. Use an Ed25519 key."
        }
        return "Keys of the kind \(printable(algorithm)) are not supported; use Ed25519, ECDSA or RSA."
    }
}
