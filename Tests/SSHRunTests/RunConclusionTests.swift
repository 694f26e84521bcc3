import BridgeSSH
import Testing

@testable import SSHRun

@Suite("Conclusion of a run") struct RunConclusionTests {
    private func conclusion(_ end: RunOutcome.End) throws -> RunConclusion {
        RunConclusion(try Runs.plan("web1"), RunOutcome(end: end))
    }

    private func ended(by signal: SSHExitSignal) -> SSHError {
        var evidence = SSHEvidence(local: .commandEnded, stage: .command)
        evidence.command = SSHCommandEvidence(command: "x")
        evidence.command?.exitSignal = signal
        return SSHFailureClassifier.classify(evidence)
    }

    @Test("a signal has its bare name, with or without an error") func signals() throws {
        let signal = SSHExitSignal(name: "SIGTERM")
        #expect(try conclusion(.ended(.signalled(signal), ended(by: signal))).report.exitSignal == "TERM")
        #expect(try conclusion(.ended(.signalled(signal), nil)).report.exitSignal == "TERM")
    }

    @Test("the error's spelling of a signal wins: it is safe to print and masks secrets") func masked() throws {
        let said = SSHExitSignal(name: "se\u{1B}cret@x")
        let safe = SSHExitSignal(name: "•••@x")
        #expect(try conclusion(.ended(.signalled(said), ended(by: safe))).report.exitSignal == "•••@x")
        let alone = try #require(try conclusion(.ended(.signalled(said), nil)).report.exitSignal)
        #expect(!alone.contains("\u{1B}"))
    }

    @Test("the log of a success has its facts, without the command's secrets") func metadata() throws {
        let plan = try Runs.plan("web1", command: "mysql --password=hunter2 db")
        var outcome = RunOutcome(end: .ended(.exited(0), nil))
        (outcome.attempts, outcome.durationSeconds) = (3, 1.5)
        let values = RunConclusion(plan, outcome).metadata(.success)
        let text = values.mapValues { "\($0)" }
        #expect(text["ssh_host"] == "web1" && text["exit_status"] == "0")
        #expect(text["attempts"] == "3" && text["elapsed_seconds"] == "1.5")
        let command = "\(try #require(values["ssh_command"]))"
        #expect(command.hasPrefix("mysql") && !command.contains("hunter2"))
    }

    @Test("exit statuses by convention") func statuses() throws {
        let rows: [(RunOutcome.End, Int32, Int32)] = [
            (.ended(.exited(0), nil), 0, 0), (.outputClosed, 141, 255), (.cancelled(signal: "INT"), 130, 255),
            (.cancelled(signal: "TERM"), 143, 255), (.unforeseen("x"), 199, 255), (.failed(Runs.refused("web1")), 193, 255),
        ]
        for (end, bridge, ssh) in rows {
            #expect(try conclusion(end).exitStatus(.bridge).rawValue == bridge, "\(end)")
            #expect(try conclusion(end).exitStatus(.ssh).rawValue == ssh, "\(end)")
        }
    }

    @Test("an exit status is reported, and a failure before the command has none") func report() throws {
        #expect(try conclusion(.ended(.exited(0), nil)).report.exitStatus == 0)
        let failed = try conclusion(.failed(Runs.refused("web1"))).report
        #expect(failed.exitStatus == nil && failed.exitSignal == nil && failed.error != nil)
    }
}
