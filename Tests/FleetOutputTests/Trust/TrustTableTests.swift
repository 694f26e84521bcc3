import BridgeSSHFleet
import FleetOutput
import FleetSamples
import Testing

/// Many servers' host keys, as a person reads them.
@Suite("Table of host keys") struct TrustTableTests {
    private let one = ShownKeys.key(1)
    private let two = ShownKeys.key(2)
    private let other = ShownKeys.key(3, "ecdsa-sha2-nistp256")

    @Test("rows: one for a key shared by hosts, one for each state; rows to be asked about come last") func table() throws {
        let review = TrustReview([
            try ShownKeys.entry("new1", [(one, ShownKeys.unknown), (other, ShownKeys.unknown)]),
            try ShownKeys.entry("old1", [(two, ShownKeys.trusted)]), try ShownKeys.entry("old2", [(one, ShownKeys.trusted)]),
            try ShownKeys.entry("bad", [(two, ShownKeys.changed(two, from: one))]), try ShownKeys.unreachable("gone"),
            try ShownKeys.entry("new2", [(one, ShownKeys.unknown)]),
        ])
        let lines = TrustTable(review, folded: ShownKeys.folded).text().split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(
            lines == [
                ["HOSTS", "STATE", "KEY", "FINGERPRINT"], ["old1,old2", "known"], ["gone", "unreachable", "ssh.connect.refused"],
                ["bad", "CHANGED", "ED25519", "256", two.fingerprint], ["known", "is", one.fingerprint, "in", "/known:7"],
                ["new1,new2", "new", "ED25519", "256", one.fingerprint], ["new1", "new", "ECDSA", other.fingerprint],
            ])
    }

    @Test("on a narrow terminal a fingerprint has its own line, whole") func narrow() throws {
        let review = TrustReview([
            try ShownKeys.entry("new1", [(one, ShownKeys.unknown)]), try ShownKeys.entry("old1", [(two, ShownKeys.trusted)]),
        ])
        let table = TrustTable(review, folded: ShownKeys.folded)
        let lines = table.text(width: 60).split(separator: "\n").map(String.init)
        #expect(lines.contains("    \(one.fingerprint)") && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
        #expect(lines.first?.contains("FINGERPRINT") == false)
        #expect(table.text(width: 200) == table.text())
    }

    @Test("the summary shows the current state, and counts hosts by outcome") func summary() throws {
        let summary = TrustSummary([try ShownKeys.concluded()], folded: ShownKeys.folded)
        #expect(summary.exitStatus(.bridge) == .mixed)
        #expect(summary.written == "Now known: 1 key of a in /known\n")
        #expect(
            summary.closing(OutputForm()).contains("4 hosts: 1 now known, 1 new and not remembered, 1 changed, 1 unreachable"))
    }
}
