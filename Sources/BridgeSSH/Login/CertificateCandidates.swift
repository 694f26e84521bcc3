/// Certificates from files, in the order in which ssh(1) offers them (sshconnect2.c: pubkey_prepare): those of CertificateFile
/// before all keys, or else, behind each identity, the one that lies beside it.
extension CandidateLoader {
    /// The certificate in `IDENTITY-cert.pub`, where no CertificateFile is set.
    ///
    /// - Parameter key: the key of the identity.
    func addCertificate(beside identity: SSHIdentity, of key: PublicKeyCandidate, to result: inout PublicKeyCandidates) {
        guard credentials.certificates.isEmpty, identity.signer == nil, !PublicKeyAlgorithm.isCertificate(key.key.algorithm)
        else { return }
        let path = identity.path + "-cert.pub"
        // An implied certificate that is missing or unreadable is not an error.
        guard let held = KeyFileReading.publicKey(in: path, orCertificate: true),
            PublicKeyAlgorithm.isCertificate(held.algorithm), !result.candidates.contains(where: { $0.key == held })
        else { return }
        do throws(SSHKeyProblem) {
            result.candidates.append(try candidate(held, path: path, among: [key]))
        } catch {
            result.leaveOut(held, error)
        }
    }

    /// The certificates that were named, each with the identity or the agent's key that it certifies.
    func addNamedCertificates(to result: inout PublicKeyCandidates) {
        var named: [PublicKeyCandidate] = []
        for path in credentials.certificates {
            do throws(SSHKeyProblem) {
                // Says what is wrong with a file that cannot be read.
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
    /// When the first of the certificates ends that would be offered, in seconds since 1970: those that are named, or else
    /// those that lie beside the identities. Nil where there is none, or none that ends. Reads their files.
    package var certificateEnd: UInt64? {
        let paths = certificates.isEmpty ? identities.map { $0.path + "-cert.pub" } : certificates
        return paths.compactMap { path -> UInt64? in
            guard let key = KeyFileReading.publicKey(in: path, orCertificate: true) else { return nil }
            return Certificate(key)?.end
        }.min()
    }
}
