// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The part of CryptoKit that the example apple-keys uses. swift-crypto has the same types, except for the enclave.
@_exported import Crypto
import Foundation
import Security

public enum SecureEnclave {
    public enum P256 {
        public enum Signing {
            // Not Sendable, so that nothing relies on it.
            public struct PrivateKey {
                public let dataRepresentation: Data
                public var publicKey: Crypto.P256.Signing.PublicKey { fatalError("a stand-in") }
                public init(compactRepresentable: Bool = true, accessControl: SecAccessControl) throws {
                    fatalError("a stand-in")
                }
                public init(dataRepresentation: Data) throws { self.dataRepresentation = dataRepresentation }
                public func signature<D: DataProtocol>(for data: D) throws -> Crypto.P256.Signing.ECDSASignature {
                    fatalError("a stand-in")
                }
            }
        }
    }
}

@available(*, unavailable)
extension SecureEnclave.P256.Signing.PrivateKey: Sendable {}
