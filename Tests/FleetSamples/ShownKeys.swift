package import BridgeSSHFleet
import SSHRun

/// Servers and their host keys, without a network.
package enum ShownKeys {
    package static func key(_ seed: UInt8, _ algorithm: String = "ssh-ed25519") -> SSHHostKey {
        func field(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
        return SSHHostKey(
            algorithm: algorithm, blob: field(Array(algorithm.utf8)) + field([UInt8](repeating: seed, count: 32)))
    }

    package static let unknown = SSHHostKeyVerdict.unknown(skippedLines: 0, certificateAuthority: nil)
    package static let trusted = SSHHostKeyVerdict.trusted(SSHKnownHostsLocation(file: "/known", line: 1))

    package static func changed(_ key: SSHHostKey, from known: SSHHostKey) -> SSHHostKeyVerdict {
        .changed(
            presented: key.fingerprint,
            known: [
                SSHKnownHostKey(
                    algorithm: known.algorithm, fingerprint: known.fingerprint,
                    location: SSHKnownHostsLocation(file: "/known", line: 7))
            ])
    }

    package static func configuration(_ file: String = "/known") -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.knownHosts = SSHKnownHostsFiles(user: [file])
        return configuration
    }

    package static func target(
        _ host: String, _ configuration: SSHConnectionConfiguration = configuration()
    ) throws -> TrustTarget {
        TrustTarget(host, try SSHEndpoint(host: host, port: 22, user: "alice"), configuration)
    }

    package static func entry(
        _ host: String, _ offers: [(SSHHostKey, SSHHostKeyVerdict)],
        _ configuration: SSHConnectionConfiguration = configuration()
    ) throws -> TrustReview.Entry {
        let target = try target(host, configuration)
        let scan = SSHHostKeyScan(
            name: host, port: 22, offers: offers.map { SSHHostKeyScan.Offer(key: $0, verdict: $1) }, unavailable: [])
        return TrustReview.Entry(target, TrustOutcome(endpoint: target.endpoint, scan: scan))
    }

    package static func unreachable(_ host: String) throws -> TrustReview.Entry {
        let target = try target(host)
        let refused = SSHError(.connectRefused, host: host, commandMayHaveRun: .no)
        return TrustReview.Entry(target, TrustOutcome(endpoint: target.endpoint, error: refused))
    }

    /// A finished review. Of its four servers, one is now known, one was changed meanwhile, one shows another key than the known
    /// one, and one is unreachable.
    package static func concluded() throws -> TrustReview {
        let (one, two) = (key(1), key(2))
        var review = TrustReview([
            try entry("a", [(one, unknown)]), try entry("b", [(two, unknown)]),
            try entry("c", [(two, changed(two, from: one))]), try unreachable("d"),
        ])
        for change in review.changes(.all) {
            review.take(
                [.added(SSHKnownHostsLocation(file: "/known", line: 9)), .contradicted(changed(two, from: one))], of: change)
        }
        review.conclude(.all)
        return review
    }

    package static let folded: @Sendable ([String]) -> String = { $0.joined(separator: ",") }
}
