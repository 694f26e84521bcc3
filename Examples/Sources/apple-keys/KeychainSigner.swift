#if canImport(CryptoKit) && canImport(Security)
    import BridgeSSH
    import CryptoKit
    import Foundation
    import Security

    /// An ECDSA key (P-256) of the keychain, by its label: `SSHIdentity(signer: KeychainSigner(label: "deploy"))`.
    struct KeychainSigner: SSHSigner {
        let publicKey: SSHPublicKey
        private let label: String

        /// - Throws: `KeychainProblem` if there is no such key.
        init(label: String) throws {
            self.label = label
            guard let key = SecKeyCopyPublicKey(try Self.key(label)) else { throw KeychainProblem(errSecInvalidKeyRef) }
            var problem: Unmanaged<CFError>?
            guard let point = SecKeyCopyExternalRepresentation(key, &problem) as Data? else { throw KeychainProblem(problem) }
            publicKey = try SSHPublicKey(P256.Signing.PublicKey(x963Representation: point), comment: label)
        }

        func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
            var problem: Unmanaged<CFError>?
            let signature = SecKeyCreateSignature(
                try Self.key(label), .ecdsaSignatureMessageX962SHA256, Data(data) as CFData, &problem)
            guard let signature = signature as Data? else { throw KeychainProblem(problem) }
            // The keychain writes both numbers in DER; SSH has its own format for integers.
            let numbers = try P256.Signing.ECDSASignature(derRepresentation: signature)
            return SSHSignature(ecdsaRawRepresentation: numbers.rawRepresentation)
        }

        /// Looked up each time: a `SecKey` cannot be sent from one task to another.
        private static func key(_ label: String) throws -> SecKey {
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrLabel: label, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecReturnRef: true,
            ]
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            guard status == errSecSuccess, let found else { throw KeychainProblem(status) }
            // Core Foundation's types cannot be tested for; the query asks for a key.
            // swift-format-ignore: NeverForceUnwrap
            return found as! SecKey
        }
    }

    /// What the keychain answered. bridge-ssh quotes it in the failure of a login.
    struct KeychainProblem: Error, CustomStringConvertible {
        let description: String

        init(_ status: OSStatus) { description = "the keychain answered with status \(status)" }

        init(_ problem: Unmanaged<CFError>?) {
            description = problem.map { "\($0.takeRetainedValue())" } ?? "the keychain gave no reason"
        }
    }
#endif
