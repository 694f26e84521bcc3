import BridgeSSH
import Logging
import Synchronization

@testable import SSHRun

/// Parts of runs that connect to nothing.
enum Runs {
    static let environment = LaunchEnvironment(home: "/home/me", loginName: "me", canAsk: false)

    /// A plan for a host without any configuration.
    static func plan(
        _ host: String, command: String = "true", retries: Int = 0, isIdempotent: Bool = false,
        secrets: any AccessSecrets = NoSecrets()
    ) throws -> RunPlan {
        let settings = try HostConfigurations(AccessRequest(), in: environment).settings(for: host)
        let access = try AccessPlan(AccessRequest(), settings, in: environment, secrets: { _ in secrets })
        var request = RunCommandRequest()
        request.retry = RetryPlan(retries: retries, isIdempotent: isIdempotent)
        return RunPlan(request, command: command, access, settings, in: environment)
    }

    static func context(_ control: RunControl = RunControl(), log: any RunLog = SilentLog()) -> RunContext {
        RunContext(control: control, log: log, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// A failure after which another attempt may succeed.
    static func refused(_ host: String) -> SSHError {
        var evidence = SSHEvidence(event: .connectionFailed, stage: .connect, host: host, port: 22, user: "me")
        evidence.addresses = [SSHAddressFailure(address: "192.0.2.1:22", systemError: 111)]
        return SSHFailureClassifier.classify(evidence)
    }
}

/// A closure gives the outcome of each attempt, by its number.
final class ScriptedCarrier: CommandCarrier {
    private let count = Mutex(0)
    private let body: @Sendable (Int, RunAttempt) async -> RunOutcome.End

    init(_ body: @escaping @Sendable (Int, RunAttempt) async -> RunOutcome.End) {
        self.body = body
    }

    var attempts: Int { count.withLock { $0 } }

    func perform(_ attempt: RunAttempt) async -> RunOutcome {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return RunOutcome(end: await body(number, attempt))
    }
}

/// Keeps all lines.
final class KeptLog: RunLog {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func line(_ text: String) { kept.withLock { $0.append(text) } }
    func stageBegan(_ stage: SSHStage, detail: String) {}
    func notice(_ text: String) {}
}
