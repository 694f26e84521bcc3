/// How much of the server's banner has been reported to the observer.
struct ReportedBanner {
    private var count = 0

    /// Reports what has come since.
    mutating func report(of session: isolated Session, _ timeline: Timeline) {
        session.collectBanners()
        guard let banner = session.authentication.banner?.utf8, banner.count > count else { return }
        timeline.serverBanner(String(decoding: Array(banner.dropFirst(count)), as: UTF8.self))
        count = banner.count
    }
}

extension SSHAuthenticationEvidence {
    /// What the server has accepted, for a person: `the key ~/.ssh/id_ed25519 (SHA256:…) and a password`.
    var acceptedCredentials: String {
        let accepted = attempts.filter { $0.outcome == .accepted || $0.outcome == .partial }.map { attempt in
            switch attempt.method {
            case "publickey": "the key \(attempt.credential)\(attempt.fingerprint.map { " (\($0))" } ?? "")"
            case "password": "the password"
            default: "the answers to its questions"
            }
        }
        return accepted.isEmpty ? "no credential" : accepted.listed()
    }
}
