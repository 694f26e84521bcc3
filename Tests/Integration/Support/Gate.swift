import BridgeSSH
import Foundation
import SSHTestSupport

/// Lets a few cases run at a time: each needs several processes, and too many of them would only wait for one another.
actor Gate {
    static let shared = Gate(12)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ width: Int) { free = width }

    func pass<Value>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value) async rethrows -> Value {
        await enter()
        do {
            let value = try await body()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// Deadlines that a test wants to pass at one stage, on however busy a machine.
enum Patience {
    /// Makes a run that may take `seconds` to connect, log in and open its channel. If such a deadline passes at another
    /// stage, the machine was too busy, and the run is repeated with four times the seconds, and then with sixteen times.
    ///
    /// A program that reports a wrong stage does so each time, so the last run is returned.
    static func run<Outcome>(
        _ seconds: Double, isElsewhere: (Outcome) -> Bool, _ body: (Double) async throws -> Outcome
    ) async throws -> Outcome {
        for factor in [1.0, 4] {
            let outcome = try await body(seconds * factor)
            guard isElsewhere(outcome) else { return outcome }
        }
        return try await body(seconds * 16)
    }
}

/// What a run told of the time limit that it exceeded.
struct TimedOut {
    let code: SSHError.Code?
    /// Nil if the run did not say.
    let mayHaveRun: SSHError.CommandMayHaveRun?

    /// Whether a time limit passed at another stage than the test's. The stage of the channel has two parts: before the command was
    /// sent, and after.
    func isElsewhere(than expected: SSHError.Code?, _ expectedToRun: SSHError.CommandMayHaveRun) -> Bool {
        code?.isConnectDeadline == true && (code != expected || mayHaveRun == .no && expectedToRun != .no)
    }
}

extension SSHError.Code {
    /// Whether the time to connect, log in and open a channel was exceeded.
    var isConnectDeadline: Bool {
        [.connectTimedOut, .bannerTimedOut, .kexTimedOut, .authTimedOut, .channelTimedOut].contains(self)
    }
}

extension ProcessResult {
    /// The code of the failure, and in JSON whether the command may have run.
    var timedOut: TimedOut {
        TimedOut(
            code: failure, mayHaveRun: error?["commandMayHaveRun"]?.text.flatMap { SSHError.CommandMayHaveRun(rawValue: $0) })
    }

    /// The error in its JSON.
    var error: JSON? { (try? JSON(parsing: Data(standardOutput)))?["error"] }

    /// The code of the failure in its JSON, or in the line for a person.
    var failure: SSHError.Code? {
        (error?["code"]?.text ?? errorOutput.firstMatch(of: /\((ssh\.[a-z.-]+)\)/).map { String($0.1) })
            .map { SSHError.Code(rawValue: $0) }
    }
}
