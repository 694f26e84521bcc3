import SwiftASN1

/// AlgorithmIdentifier of RFC 5280 section 4.1.1.2.
struct PKCS8Algorithm {
    var identifier: ASN1ObjectIdentifier
    var parameters: ASN1Node?

    init(derEncoded nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "no algorithm") }
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            PKCS8Algorithm(identifier: try ASN1ObjectIdentifier(derEncoded: &nodes), parameters: nodes.next())
        }
    }

    init(identifier: ASN1ObjectIdentifier, parameters: ASN1Node?) {
        self.identifier = identifier
        self.parameters = parameters
    }
}
