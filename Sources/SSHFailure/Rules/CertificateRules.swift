/// Certificates that a server did not take. It never says why; what the certificate says of itself often does.
enum CertificateRules {
    static let refused: [FailureRule] = [
        FailureRule(
            .authKeyRejected, .likely, source: "OpenSSH sshkey.c: sshkey_cert_check_authority",
            when: { AuthenticationRules.refused($0, "publickey") && $0.login.lastDefective != nil }
        ) { evidence in
            let attempt = evidence.login.lastDefective
            let defect = attempt?.certificateDefect
            return Words(
                "\(evidence.server) did not accept \(attempt?.described ?? "the certificate") for \(evidence.person): "
                    + "\(defect?.detail.oneLine(300) ?? "").",
                hint: remedy(defect, evidence), alternatives: alternatives)
        },
        FailureRule(
            .authKeyRejected, .exact, source: "RFC 4252 section 7; OpenSSH PROTOCOL.certkeys",
            when: { AuthenticationRules.refused($0, "publickey") && $0.login.lastRefused?.isCertificate == true }
        ) { evidence in
            Words(
                AuthenticationRules.refusal(evidence, unnamed: "the certificate"),
                hint:
                    "See that TrustedUserCAKeys in sshd_config there names the authority that signed it; sshd's log says why it "
                    + "refused.",
                alternatives: alternatives + AuthenticationRules.keyAlternatives(evidence))
        },
    ]

    private static let alternatives = [
        "the server does not trust the authority that signed the certificate (TrustedUserCAKeys)",
        "the server expects other principals (AuthorizedPrincipalsFile)", "the certificate is revoked there (RevokedKeys)",
    ]

    private static func remedy(_ defect: SSHCertificateDefect?, _ evidence: SSHEvidence) -> String {
        switch defect?.reason {
        case .otherPrincipals, nil:
            "Have the key certified for \(evidence.userWord), or log in as one of those."
        case .notYetValid: "Wait until then, check this machine's clock, or have the key certified again."
        case .expired: "Have the key certified again, or check this machine's clock."
        }
    }

    /// Those that lay at hand and that this libssh2 cannot offer, which may be what the server wants.
    static func notOffered(_ evidence: SSHEvidence) -> [String] {
        evidence.login.keyProblems.filter { $0.reason == .typeUnsupported && $0.path.hasSuffix("-cert.pub") }.map {
            "the certificate \($0.path.oneLine(200)) could not be offered: \($0.detail.oneLine(300))"
        }
    }
}
