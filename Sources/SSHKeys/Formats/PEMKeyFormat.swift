import SwiftASN1

/// Private keys in ASN.1: PKCS#1 (RFC 8017 A.1.2), SEC1 (RFC 5915) and PKCS#8 (RFC 5208, RFC 5958).
enum PEMKeyFormat: String, Sendable {
    case pkcs1 = "RSA PRIVATE KEY"
    case sec1 = "EC PRIVATE KEY"
    case pkcs8 = "PRIVATE KEY"

    func privateKey(der: [UInt8]) throws(KeyDefect) -> SSHPrivateKey {
        do {
            let root = try DER.parse(der)
            return switch self {
            case .pkcs1: try Self.rsa(root)
            case .sec1: try Self.elliptic(root, curve: nil)
            case .pkcs8: try Self.wrapped(root)
            }
        } catch let error as KeyDefect {
            throw error
        } catch {
            throw KeyDefect(.formatInvalid, "The ASN.1 data of the \(rawValue) block is damaged or has bytes left over.")
        }
    }

    private static func rsa(_ node: ASN1Node) throws -> SSHPrivateKey {
        try DER.sequence(node, identifier: .sequence) { nodes in
            guard try Int(derEncoded: &nodes) == 0 else {
                throw KeyDefect(.typeUnsupported, "RSA keys of more than two primes are not supported.")
            }
            let modulus = try number(&nodes)
            let exponent = try number(&nodes)
            let privateExponent = try number(&nodes)
            let prime1 = try number(&nodes)
            let prime2 = try number(&nodes)
            _ = try (number(&nodes), number(&nodes))
            let coefficient = try number(&nodes)
            return try SSHPrivateKey.rsa(
                RSANumbers(
                    modulus: modulus, exponent: exponent, privateExponent: privateExponent, prime1: prime1,
                    prime2: prime2, coefficient: coefficient))
        }
    }

    /// Reads an INTEGER without leading zeros. SwiftASN1 refuses negative numbers for this type.
    private static func number(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ArraySlice<UInt8> {
        try ArraySlice<UInt8>(derEncoded: &nodes).drop { $0 == 0 }
    }

    /// - Parameter outer: the curve that PKCS#8 names outside the key. The key need not name it again.
    private static func elliptic(_ node: ASN1Node, curve outer: EllipticCurve?) throws -> SSHPrivateKey {
        try DER.sequence(node, identifier: .sequence) { nodes in
            guard try Int(derEncoded: &nodes) == 1 else { throw KeyDefect(.formatInvalid, "The EC key's version is not 1.") }
            let scalar = try ASN1OctetString(derEncoded: &nodes)
            let inner = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { node in
                try namedCurve(node)
            }
            let point = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                try ASN1BitString(derEncoded: node)
            }
            guard let curve = inner ?? outer, outer == nil || outer == curve else {
                throw KeyDefect(.formatInvalid, "The EC key names no curve, or two different curves.")
            }
            let key = try SSHPrivateKey.ecdsa(curve, scalar: scalar.bytes)
            if let point, !isPoint(point.bytes, of: key.publicKey, on: curve) {
                throw KeyDefect(.formatInvalid, "The public key in the file does not belong to the private key in it.")
            }
            return key
        }
    }

    /// Whether the bytes are the key's point, uncompressed or compressed (SEC 1 section 2.3.3).
    private static func isPoint(_ bytes: ArraySlice<UInt8>, of key: SSHPublicKey, on curve: EllipticCurve) -> Bool {
        let full = key.blob.suffix(1 + 2 * curve.byteCount)
        guard let form = bytes.first, let last = full.last, form == 2 || form == 3 else { return bytes.elementsEqual(full) }
        return form & 1 == last & 1 && bytes.dropFirst().elementsEqual(full.dropFirst().prefix(curve.byteCount))
    }

    /// RFC 5480 section 2.1.1.1.
    private static let curves: [ASN1ObjectIdentifier: EllipticCurve] = [
        [1, 2, 840, 10045, 3, 1, 7]: .p256, [1, 3, 132, 0, 34]: .p384, [1, 3, 132, 0, 35]: .p521,
    ]

    private static func namedCurve(_ node: ASN1Node) throws -> EllipticCurve {
        guard node.identifier == .objectIdentifier else {
            throw KeyDefect(
                .typeUnsupported, "EC keys with explicit curve parameters are not supported; the curve must be named.")
        }
        let identifier = try ASN1ObjectIdentifier(derEncoded: node)
        guard let curve = curves[identifier] else {
            throw KeyDefect(
                .typeUnsupported, "SSH has no EC keys on the curve \(identifier); it has nistp256, nistp384 and nistp521.")
        }
        return curve
    }

    private static func wrapped(_ node: ASN1Node) throws -> SSHPrivateKey {
        try DER.sequence(node, identifier: .sequence) { nodes in
            guard (0...1).contains(try Int(derEncoded: &nodes)) else {
                throw KeyDefect(.formatInvalid, "The PKCS#8 version is unknown.")
            }
            let algorithm = try PKCS8Algorithm(derEncoded: &nodes)
            let content = try ASN1OctetString(derEncoded: &nodes).bytes
            while nodes.next() != nil {}  // attributes and, in RFC 5958, the public key
            switch algorithm.identifier {
            case [1, 2, 840, 113549, 1, 1, 1]: return try rsa(try DER.parse(content))
            case [1, 2, 840, 10045, 2, 1]:
                return try elliptic(try DER.parse(content), curve: try algorithm.parameters.map(namedCurve))
            case [1, 3, 101, 112]: return try SSHPrivateKey.ed25519(seed: try ASN1OctetString(derEncoded: content).bytes)
            case [1, 2, 840, 10040, 4, 1]: throw KeyDefect.typeUnsupported(PublicKeyAlgorithm.dsa)
            default:
                throw KeyDefect(
                    .typeUnsupported, "SSH has no keys of the kind with the object identifier \(algorithm.identifier).")
            }
        }
    }
}
