/// The signature algorithms to try for a key, best first; none for an unsupported key type.
///
/// An RSA key signs with several (RFC 8332); for other keys there is one, and it is offered whatever the server lists,
/// because `server-sig-algs` need not be complete (RFC 8308 section 3.1).
///
/// - Parameters:
///   - serverOffers: the server's `server-sig-algs`, nil if it sent none.
///   - allowingSHA1: whether an RSA key may fall back to `ssh-rsa`, which servers since OpenSSH 8.8 refuse.
package func signatureAlgorithms(
    for key: SSHPublicKey, serverOffers: [String]?, allowingSHA1: Bool = false
) -> [String] {
    signatureAlgorithms(named: key.algorithm, serverOffers: serverOffers, allowingSHA1: allowingSHA1)
}

/// The same for any key of this algorithm.
package func signatureAlgorithms(named algorithm: String, serverOffers: [String]? = nil, allowingSHA1: Bool = false) -> [String] {
    guard algorithm == PublicKeyAlgorithm.rsa else {
        let isSupported = algorithm == PublicKeyAlgorithm.ed25519 || EllipticCurve(algorithm: algorithm) != nil
        return isSupported ? [algorithm] : []
    }
    let known = [PublicKeyAlgorithm.rsaSHA512, PublicKeyAlgorithm.rsaSHA256] + (allowingSHA1 ? [PublicKeyAlgorithm.rsa] : [])
    guard let serverOffers else { return known }
    return known.filter(serverOffers.contains)
}
