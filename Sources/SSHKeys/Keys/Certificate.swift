#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An OpenSSH certificate: a public key and an authority's signed statement about it (OpenSSH PROTOCOL.certkeys).
///
/// The server decides whether to trust the authority. This does not verify anything.
package struct Certificate: Sendable {
    /// The public key that is offered: the certificate itself.
    let key: SSHPublicKey
    /// The certified key, which makes the signatures.
    package let subject: SSHPublicKey
    /// Whether it is a user certificate, not a host certificate.
    package let isForUsers: Bool
    /// The principals that it is valid for, usually login names. Untrusted text.
    let principals: [String]
    /// The start of validity, in seconds since 1970.
    let validAfter: UInt64
    /// The end of validity, exclusive, in seconds since 1970. All bits are set if the certificate never expires.
    let validBefore: UInt64

    /// Returns nil if the key is not a certificate, has an unknown type, or is damaged.
    package init?(_ key: SSHPublicKey) {
        let plain = PublicKeyAlgorithm.plain(key.algorithm)
        guard plain != key.algorithm, let count = Self.fieldCount(plain) else { return nil }
        do {
            var reader = SSHWireReader(key.blob)
            // The algorithm and the nonce; the key's own fields follow.
            for _ in 0..<2 { _ = try reader.string() }
            var writer = SSHWireWriter()
            writer.string(plain)
            for _ in 0..<count { writer.string(Array(try reader.string())) }
            subject = try SSHPublicKey(blob: writer.bytes)
            _ = try reader.uint64()
            isForUsers = try reader.uint32() == 1
            _ = try reader.string()
            var names = SSHWireReader(Array(try reader.string()))
            var principals: [String] = []
            while !names.isAtEnd { principals.append(String(decoding: try names.string(), as: UTF8.self)) }
            self.principals = principals
            validAfter = try reader.uint64()
            validBefore = try reader.uint64()
            // Critical options, extensions, reserved, the authority's key, its signature.
            for _ in 0..<5 { _ = try reader.string() }
            try reader.expectEnd()
        } catch {
            return nil
        }
        self.key = key
    }

    /// Seconds since 1970; nil if it never ends.
    package var end: UInt64? { validBefore == .max ? nil : validBefore }

    private static func fieldCount(_ plain: String) -> Int? {
        switch plain {
        case PublicKeyAlgorithm.ed25519: 1
        case PublicKeyAlgorithm.rsa: 2
        case PublicKeyAlgorithm.dsa: 4
        case "sk-ssh-ed25519@openssh.com": 2
        case "sk-ecdsa-sha2-nistp256@openssh.com": 3
        default: EllipticCurve(algorithm: plain) == nil ? nil : 2
        }
    }

    /// Why the certificate is not valid for this use; nil if it is (OpenSSH sshkey.c: sshkey_cert_check_authority).
    ///
    /// - Parameters:
    ///   - user: the login name at the server. The server may be configured to accept other principals.
    ///   - now: seconds since 1970 by the local clock. The server decides by its own clock.
    package func defect(for user: String, at now: UInt64) -> SSHCertificateDefect? {
        if now < validAfter {
            return SSHCertificateDefect(reason: .notYetValid, detail: "it is not valid before \(Self.text(validAfter))")
        }
        if now >= validBefore {
            return SSHCertificateDefect(reason: .expired, detail: "it was valid until \(Self.text(validBefore))")
        }
        guard !principals.contains(user) else { return nil }
        let names = principals.isEmpty ? "no user" : principals.map { $0.oneLine(40) }.listed(5)
        return SSHCertificateDefect(reason: .otherPrincipals, detail: "it is for \(names), and not for \(user.oneLine(40))")
    }

    /// The time in UTC. Every time after the year 9999 is `the year 10000`.
    private static func text(_ time: UInt64) -> String {
        time > 253_402_300_799 ? "the year 10000" : Date(timeIntervalSince1970: Double(time)).ISO8601Format()
    }
}

/// Signs for a certificate with the key that it certifies: from a file or an agent.
package struct CertificateSigner: Signer {
    package let publicKey: SSHPublicKey
    package let origin: SignerOrigin
    private let signer: any Signer

    /// - Parameter path: the certificate's file.
    package init(_ certificate: Certificate, path: String, signedBy signer: any Signer) {
        publicKey = certificate.key
        origin = .file(path: path)
        self.signer = signer
    }

    package var mayWait: Bool { signer.mayWait }

    /// Signs with the algorithm of the certified key, as the server expects.
    package func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        try await signer.sign(data, algorithm: PublicKeyAlgorithm.plain(algorithm))
    }
}
