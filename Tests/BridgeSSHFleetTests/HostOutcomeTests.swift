import BridgeSSHFleet
import Testing

@Suite("Outcome of a host")
struct HostOutcomeTests {
    @Test("the five outcomes have the names of the schema")
    func names() {
        #expect(FleetHostOutcome.allCases.map(\.rawValue) == ["ok", "failed", "error", "unknown", "skipped"])
    }
}
