/// The three curves of RFC 5656 section 10.1, under the names that SSH and ASN.1 give them.
package enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "nistp256"
    case p384 = "nistp384"
    case p521 = "nistp521"

    /// `ecdsa-sha2-nistp256` and so on.
    package var algorithm: String { "ecdsa-sha2-" + rawValue }

    var bits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// How many bytes a coordinate or a private scalar has.
    package var byteCount: Int { (bits + 7) / 8 }

    package init?(algorithm: String) {
        guard let curve = Self.allCases.first(where: { $0.algorithm == algorithm }) else { return nil }
        self = curve
    }
}
