import BridgeSSH
import BridgeSSHFleet
import FleetSamples
import SSHRun
import Testing

/// The states of many servers' host keys, and which keys are written.
@Suite("Review of host keys") struct TrustReviewTests {
    private let one = ShownKeys.key(1)
    private let two = ShownKeys.key(2)
    private let other = ShownKeys.key(3, "ecdsa-sha2-nistp256")

    @Test("a server's state is that of its worst key; one known key makes it known") func states() throws {
        let trusted = (one, ShownKeys.trusted)
        let changed = (two, ShownKeys.changed(two, from: one))
        let revoked = (other, SSHHostKeyVerdict.revoked(SSHKnownHostsLocation(file: "/known", line: 2)))
        let unknown = (other, ShownKeys.unknown)
        let otherType = (other, SSHHostKeyVerdict.otherTypeKnown([]))
        #expect(try ShownKeys.entry("h", [unknown, otherType]).state == .new)
        #expect(try ShownKeys.entry("h", [unknown, trusted]).state == .known)
        #expect(try ShownKeys.entry("h", [trusted, otherType]).state == .known)
        #expect(try ShownKeys.entry("h", [trusted, changed]).state == .changed)
        #expect(try ShownKeys.entry("h", [changed, trusted]).state == .changed)
        #expect(try ShownKeys.entry("h", [changed, revoked, trusted]).state == .revoked)
        #expect(try ShownKeys.unreachable("h").state == .unreachable)
        // The failure is that of the worst key, too.
        #expect(try ShownKeys.entry("h", [unknown, changed, revoked]).outcome.obstacle?.verdict == revoked.1)
        #expect(try ShownKeys.entry("h", [unknown, changed]).outcome.obstacle?.verdict == changed.1)
        #expect(try ShownKeys.entry("h", [unknown, trusted]).outcome.obstacle == nil)
    }

    @Test("a yes writes the keys of new servers only") func changes() throws {
        let review = TrustReview([
            try ShownKeys.entry("new", [(one, ShownKeys.unknown), (other, ShownKeys.unknown)]),
            try ShownKeys.entry("known", [(one, ShownKeys.trusted), (other, .otherTypeKnown([]))]),
            try ShownKeys.entry("changed", [(two, ShownKeys.changed(two, from: one)), (other, ShownKeys.unknown)]),
            try ShownKeys.unreachable("gone"),
        ])
        #expect(review.newHosts == ["new"] && review.newKeys.map(\.key) == [one, other])
        let changes = review.changes(.all)
        #expect(changes.map(\.additions) == [[.init(one, host: "new", port: 22), .init(other, host: "new", port: 22)]])
        #expect(review.changes(.fingerprints([other.fingerprint])).map(\.additions) == [[.init(other, host: "new", port: 22)]])
        #expect(review.changes(.none(declined: true)).isEmpty)
        #expect(review.unmatched([one.fingerprint, "SHA256:x"]) == ["SHA256:x"])
    }

    @Test("each known_hosts file gets one change, under the host's name in that file") func files() throws {
        var alias = ShownKeys.configuration("/other")
        alias.hostKeyAlias = "cluster"
        let review = TrustReview([
            try ShownKeys.entry("a", [(one, ShownKeys.unknown)]), try ShownKeys.entry("b", [(two, ShownKeys.unknown)], alias),
            try ShownKeys.entry("c", [(two, ShownKeys.unknown)]),
        ])
        let changes = review.changes(.all)
        #expect(changes.map(\.files.user) == [["/known"], ["/other"]])
        #expect(changes.map { $0.additions.map(\.host) } == [["a", "c"], ["cluster"]])
    }

    @Test("what could not be written is a failure, and the rest is trusted") func conclusion() throws {
        let codes = try ShownKeys.concluded().entries.map { $0.outcome.error?.code.rawValue }
        #expect(codes == [nil, "ssh.host-key.changed", "ssh.host-key.changed", "ssh.connect.refused"])
    }

    @Test("a name that would match other hosts too is refused, and the others are written") func unwritableName() throws {
        var pattern = ShownKeys.configuration()
        pattern.hostKeyAlias = "*"
        var review = TrustReview([
            try ShownKeys.entry("a", [(one, ShownKeys.unknown)], pattern), try ShownKeys.entry("b", [(two, ShownKeys.unknown)]),
        ])
        let changes = review.changes(.all)
        #expect(changes.map { $0.additions.map(\.host) } == [["b"]])
        for change in changes { review.take([.added(SSHKnownHostsLocation(file: "/known", line: 1))], of: change) }
        review.conclude(.all)
        #expect(review.entries.map { $0.outcome.error?.code.rawValue } == ["ssh.local.usage", nil])
    }

    @Test("each server is asked about once, jump hosts before the hosts behind them") func targets() throws {
        var gate = ShownKeys.configuration()
        gate.hostKeyPolicy = .ask
        var behind = gate
        behind.jumpHosts = [
            SSHJumpHost(try SSHEndpoint(host: "gate", port: 22, user: "alice"), configuration: gate),
            SSHJumpHost(try SSHEndpoint(host: "inner", port: 22, user: "alice"), configuration: gate),
        ]
        var targets = TrustTargets(.questionable)
        let same = try SSHEndpoint(host: "10.0.0.1", port: 22, user: "alice")
        targets.add("a", same, behind)
        targets.add("b", same, behind)
        targets.add("direct", try SSHEndpoint(host: "gate", port: 22, user: "alice"), gate)
        var strict = gate
        strict.hostKeyPolicy = .strict
        targets.add("strict", try SSHEndpoint(host: "s", port: 22, user: "alice"), strict)
        #expect(targets.rounds.map { $0.map(\.hosts) } == [[["gate"]], [["inner"]], [["a", "b"], ["direct"]]])
        #expect(targets.rounds[1][0].configuration.jumpHosts.map(\.endpoint.host) == ["gate"])
        var all = TrustTargets(.all)
        all.add("strict", try SSHEndpoint(host: "s", port: 22, user: "alice"), strict)
        #expect(all.rounds.map { $0.map(\.hosts) } == [[["strict"]]])
    }
}
