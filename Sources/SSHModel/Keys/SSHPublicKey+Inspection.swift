extension SSHPublicKey {
    /// The algorithm and size of a well-formed blob.
    static func inspect(_ blob: [UInt8]) throws -> (algorithm: String, bits: Int?) {
        var reader = SSHWireReader(blob)
        let algorithm = try reader.text()
        guard !algorithm.isEmpty, algorithm.utf8.count <= 64, algorithm.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SSHPublicKeyError("the algorithm's name is not one (RFC 4250 section 4.6.1)")
        }
        let bits: Int?
        switch algorithm {
        case PublicKeyAlgorithm.ed25519:
            guard try reader.string().count == 32 else { throw SSHPublicKeyError("an Ed25519 key has 32 bytes") }
            bits = 256
        case PublicKeyAlgorithm.rsa:
            let exponent = try reader.mpint()
            let modulus = try reader.mpint()
            guard !exponent.isEmpty, !modulus.isEmpty else { throw SSHPublicKeyError("an RSA key of zero") }
            bits = bitCount(of: modulus)
        case PublicKeyAlgorithm.dsa:
            bits = bitCount(of: try reader.mpint())
            for _ in 0..<3 { _ = try reader.mpint() }
        default:
            guard let curve = EllipticCurve(algorithm: algorithm) else {
                return (algorithm, PublicKeyAlgorithm.isSecurityKey(algorithm) ? 256 : nil)
            }
            guard try reader.text() == curve.rawValue else { throw SSHPublicKeyError("its curve is not its algorithm's") }
            let point = try reader.string()
            guard point.count == 1 + 2 * curve.byteCount, point.first == 4 else {
                throw SSHPublicKeyError("its point is not an uncompressed one of \(curve.rawValue) (RFC 5656 section 3.1)")
            }
            bits = curve.bits
        }
        try reader.expectEnd()
        return (algorithm, bits)
    }

    /// How many bits a big-endian number without leading zero bytes has.
    package static func bitCount(of magnitude: ArraySlice<UInt8>) -> Int {
        guard let first = magnitude.first else { return 0 }
        return magnitude.count * 8 - first.leadingZeroBitCount
    }
}
