/// A signature, in SSH's encoding for its algorithm.
public struct SSHSignature: Sendable, Hashable {
    /// What follows the algorithm's name in a signature blob (RFC 4253 section 6.6).
    package let bytes: [UInt8]

    /// A signature that SSH takes as it is: Ed25519's 64 bytes (RFC 8709 section 6), RSA's of PKCS #1 v1.5 (RFC 8332 section 3).
    public init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    /// An ECDSA signature of its two numbers, each big-endian (RFC 5656 section 3.1.2).
    public init(ecdsaR r: some Collection<UInt8>, s: some Collection<UInt8>) {
        var writer = SSHWireWriter()
        writer.mpint(r)
        writer.mpint(s)
        bytes = writer.bytes
    }

    /// An ECDSA signature of both numbers in a row and of equal length, as swift-crypto's `rawRepresentation` has them.
    public init(ecdsaRawRepresentation raw: some Collection<UInt8>) {
        self.init(ecdsaR: raw.prefix(raw.count / 2), s: raw.suffix(raw.count / 2))
    }
}
