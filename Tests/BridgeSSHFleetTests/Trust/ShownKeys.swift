import BridgeSSH
import BridgeSSHFleet
import SSHRun

/// Servers and what they show, without a network.
enum ShownKeys {
    static func key(_ seed: UInt8, _ algorithm: String = "ssh-ed25519") -> SSHHostKey {
        func field(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
        return SSHHostKey(
            algorithm: algorithm, blob: field(Array(algorithm.utf8)) + field([UInt8](repeating: seed, count: 32)))
    }

    static let unknown = SSHHostKeyVerdict.unknown(skippedLines: 0, certificateAuthority: nil)
    static let trusted = SSHHostKeyVerdict.trusted(SSHKnownHostsLocation(file: "/known", line: 1))

    static func changed(_ key: SSHHostKey, from known: SSHHostKey) -> SSHHostKeyVerdict {
        .changed(
            presented: key.fingerprint,
            known: [
                SSHKnownHostKey(
                    algorithm: known.algorithm, fingerprint: known.fingerprint,
                    location: SSHKnownHostsLocation(file: "/known", line: 7))
            ])
    }

    static func configuration(_ file: String = "/known") -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.knownHosts = SSHKnownHostsFiles(user: [file])
        return configuration
    }

    static func target(_ host: String, _ configuration: SSHConnectionConfiguration = configuration()) throws -> TrustTarget {
        TrustTarget(host, try SSHEndpoint(host: host, port: 22, user: "alice"), configuration)
    }

    static func entry(
        _ host: String, _ offers: [(SSHHostKey, SSHHostKeyVerdict)],
        _ configuration: SSHConnectionConfiguration = configuration()
    ) throws -> TrustReview.Entry {
        let target = try target(host, configuration)
        let scan = SSHHostKeyScan(
            name: host, port: 22, offers: offers.map { SSHHostKeyScan.Offer(key: $0, verdict: $1) }, unavailable: [])
        return TrustReview.Entry(target, TrustOutcome(endpoint: target.endpoint, scan: scan))
    }

    static func unreachable(_ host: String) throws -> TrustReview.Entry {
        let target = try target(host)
        return TrustReview.Entry(target, TrustOutcome(endpoint: target.endpoint, error: ScriptedWork.refused))
    }

    static let folded: @Sendable ([String]) -> String = { $0.joined(separator: ",") }
}
