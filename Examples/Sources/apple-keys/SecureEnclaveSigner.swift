#if canImport(CryptoKit) && canImport(Security)
    import BridgeSSH
    import CryptoKit
    import Foundation
    import Security

    /// A key that was made in the Secure Enclave and never leaves it: `SSHIdentity(signer: SecureEnclaveSigner())`.
    struct SecureEnclaveSigner: SSHSigner {
        let publicKey: SSHPublicKey
        /// The data by which the enclave finds its key. It is of use to this device alone, and belongs in the app's keychain.
        let stored: Data

        /// Makes a key. Its every use asks for Touch ID, Face ID or the passcode.
        init() throws {
            var problem: Unmanaged<CFError>?
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .userPresence], &problem)
            guard let access else { throw KeychainProblem(problem) }
            try self.init(SecureEnclave.P256.Signing.PrivateKey(accessControl: access))
        }

        /// A key that was made before.
        init(stored: Data) throws {
            try self.init(SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: stored))
        }

        private init(_ key: SecureEnclave.P256.Signing.PrivateKey) throws {
            publicKey = try SSHPublicKey(key.publicKey, comment: "Secure Enclave")
            stored = key.dataRepresentation
        }

        func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
            let key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: stored)
            return SSHSignature(ecdsaRawRepresentation: try key.signature(for: data).rawRepresentation)
        }
    }

    extension SSHPublicKey {
        /// An ECDSA key as SSH sends it: three strings, each with its length before it (RFC 5656 section 3.1).
        init(_ key: P256.Signing.PublicKey, comment: String) throws {
            let parts = [Array("ecdsa-sha2-nistp256".utf8), Array("nistp256".utf8), Array(key.x963Representation)]
            try self.init(
                blob: parts.flatMap { withUnsafeBytes(of: UInt32($0.count).bigEndian, Array.init) + $0 }, comment: comment)
        }
    }
#endif
