/// Certificates from files, in the order of ssh(1) (sshconnect2.c: pubkey_prepare). With CertificateFile, these certificates come
/// before all keys. Otherwise each identity is followed by the certificate next to it.
extension CandidateLoader {
    /// The certificate in `IDENTITY-cert.pub`, if CertificateFile is not set.
    ///
    /// - Parameter key: the key of the identity.
    func addCertificate(beside identity: SSHIdentity, of key: PublicKeyCandidate, to result: inout PublicKeyCandidates) {
        guard credentials.certificates.isEmpty, identity.signer == nil, !PublicKeyAlgorithm.isCertificate(key.key.algorithm)
        else { return }
        let path = identity.path + "-cert.pub"
        // A missing or unreadable implied certificate is not an error.
        guard let held = KeyFileReading.publicKey(in: path, orCertificate: true),
            PublicKeyAlgorithm.isCertificate(held.algorithm), !result.candidates.contains(where: { $0.key == held })
        else { return }
        do throws(SSHKeyProblem) {
            result.candidates.append(try candidate(held, path: path, among: [key]))
        } catch {
            result.leaveOut(held, error)
        }
    }

    /// The named certificates, each with the identity or agent key that it certifies.
    func addNamedCertificates(to result: inout PublicKeyCandidates) {
        var named: [PublicKeyCandidate] = []
        for path in credentials.certificates {
            do throws(SSHKeyProblem) {
                // Reports what is wrong with a file that cannot be read.
                _ = try KeyFileReading.read(path: path)
                guard let held = KeyFileReading.publicKey(in: path, orCertificate: true),
                    PublicKeyAlgorithm.isCertificate(held.algorithm)
                else { throw SSHKeyProblem(reason: .formatInvalid, path: path, detail: "It holds no certificate.") }
                do throws(SSHKeyProblem) {
                    let candidate = try candidate(held, path: path, among: result.candidates)
                    if !named.contains(where: { $0.key == candidate.key }) { named.append(candidate) }
                } catch {
                    result.leaveOut(held, error)
                }
            } catch {
                result.keyProblems.append(error)
                result.leftOut.append(KeyConsideration(path: path, use: .unusable(error)))
            }
        }
        result.candidates.removeAll { candidate in named.contains { $0.key == candidate.key } }
        result.candidates.insert(contentsOf: named, at: 0)
    }

    private func candidate(
        _ held: SSHPublicKey, path: String, among keys: [PublicKeyCandidate]
    ) throws(SSHKeyProblem) -> PublicKeyCandidate {
        guard let certificate = Certificate(held) else {
            throw SSHKeyProblem(
                reason: .formatInvalid, path: path, detail: "The certificate is damaged, or of a kind that is not known.")
        }
        guard certificate.isForUsers else {
            throw SSHKeyProblem(reason: .typeUnsupported, path: path, detail: "It is the certificate of a host, not of a user.")
        }
        guard OfferableKey.isOfferable(held.algorithm) else {
            throw SSHKeyProblem(reason: .typeUnsupported, path: path, detail: OfferableKey.advice(on: held.algorithm))
        }
        guard let key = keys.first(where: { $0.key == certificate.subject }) else {
            throw SSHKeyProblem(
                reason: .publicKeyMismatch, path: path,
                detail: "The certificate is about another key (\(certificate.subject.displayName) "
                    + "\(certificate.subject.fingerprint)) than those that are to be offered; name that one with IdentityFile.")
        }
        return PublicKeyCandidate(
            signer: CertificateSigner(certificate, path: path, signedBy: key.signer), label: path)
    }
}

extension PublicKeyCandidates {
    fileprivate mutating func leaveOut(_ key: SSHPublicKey, _ problem: SSHKeyProblem) {
        keyProblems.append(problem)
        leftOut.append(KeyConsideration(key, label: problem.path, isFromAgent: false, use: .unusable(problem)))
    }
}

extension SSHCredentials {
    /// The earliest expiry among the certificates that would be offered, in seconds since 1970: the named ones or, without
    /// CertificateFile, those next to the identities. Nil if none expires. Reads the files.
    package var certificateEnd: UInt64? {
        let paths = certificates.isEmpty ? identities.map { $0.path + "-cert.pub" } : certificates
        return paths.compactMap { path -> UInt64? in
            guard let key = KeyFileReading.publicKey(in: path, orCertificate: true) else { return nil }
            return Certificate(key)?.end
        }.min()
    }
}
