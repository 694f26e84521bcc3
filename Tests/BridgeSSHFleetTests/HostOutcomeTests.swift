import BridgeSSH
import SSHRun
import Testing

@testable import BridgeSSHFleet

@Suite("Outcome of a host")
struct HostOutcomeTests {
    @Test("the five outcomes have the names of the schema")
    func names() {
        #expect(FleetHostOutcome.allCases.map(\.rawValue) == ["ok", "failed", "error", "unknown", "skipped"])
    }

    @Test(
        "the outcome of a lost connection follows the command's progress and status; a status of 0 lacks output",
        arguments: [
            (.notSent, nil, .error), (.sent, nil, .unknown), (.accepted, nil, .unknown), (.accepted, 3, .failed),
            (.accepted, 0, .unknown),
        ] as [(SSHCommandEvidence.Progress, Int?, FleetHostOutcome)])
    func lost(progress: SSHCommandEvidence.Progress, status: Int?, outcome: FleetHostOutcome) {
        var command = SSHCommandEvidence(command: "true")
        (command.progress, command.exitStatus) = (progress, status)
        let report = AttemptReport(.failed(ScriptedWork.failure(.streamEnded, at: .command, command)))
        #expect(report.conclusion(wasArmed: true).outcome == outcome)
    }
}
