import CAllocations
import ErrorCore
import Foundation

/// Measures the cost of an error in nanoseconds and allocations per call, and compares it with its limits.
@main struct Benchmark {
    struct Row {
        var name: String
        var nanosecondLimit: Double?
        var allocationLimit: Double?
        var body: () -> Int
    }

    static func main() {
        let counted = countsAllocations()
        if !counted { print("allocations are not counted on this platform") }
        var failures = 0
        for row in rows() {
            let (nanoseconds, allocations) = measure(row.body)
            let slow = row.nanosecondLimit.map { nanoseconds > $0 } ?? false
            let hungry = counted && (row.allocationLimit.map { allocations > $0 } ?? false)
            if slow || hungry { failures += 1 }
            let name = row.name.padding(toLength: 40, withPad: " ", startingAt: 0)
            let figures = String(format: "%9.0f ns %7.2f allocations", nanoseconds, allocations)
            print(name + figures + (slow ? "  TOO SLOW" : "") + (hungry ? "  TOO MANY ALLOCATIONS" : ""))
        }
        if failures > 0 { exit(1) }
    }

    static func rows() -> [Row] {
        let plain: [AppError] = [
            .networkUnavailable, .sshConnectionFailed(host: "web1", reason: "refused"), .apiRateLimited(retryAfter: 3),
            .fileNotFound(path: "/srv/app/config.json"), .sshHostKeyMismatch(host: "web1"),
        ]
        let errors: [any Error] = plain
        let posix: any Error = POSIXError(.ENOENT)
        let url: any Error = URLError(.timedOut)
        let cancelled: any Error = CancellationError()
        return [
            Row(name: "errorCode, five cases", nanosecondLimit: 2000, allocationLimit: 0) {
                // No closure and no iterator: in a debug build they would allocate.
                var bytes = 0
                for index in plain.indices { bytes &+= plain[index].errorCode.utf8.count }
                return bytes
            },
            Row(name: "category, severity, retry, five cases", nanosecondLimit: 10_000) {
                plain.reduce(0) {
                    $0 &+ ($1.isRetryable ? 1 : 0) &+ $1.category.rawValue.utf8.count &+ ($1.severity == .error ? 1 : 0)
                }
            },
            Row(name: "AppError(AppError)", nanosecondLimit: 2000) { AppError(errors[1]).errorCode.utf8.count },
            Row(name: "AppError(URLError)", nanosecondLimit: 2000) { AppError(url).errorCode.utf8.count },
            Row(name: "AppError(POSIXError)", nanosecondLimit: 2000) { AppError(posix).errorCode.utf8.count },
            Row(name: "AppError(CancellationError)", nanosecondLimit: 2000) { AppError(cancelled).errorCode.utf8.count },
            Row(name: "ErrorProfile: code and retry", nanosecondLimit: 4000) {
                let summary = ErrorProfile(errors[2])
                return summary.code.utf8.count &+ (summary.retry.allowsRetry ? 1 : 0)
            },
            Row(name: "userMessage") { plain[1].userMessage.utf8.count },
            Row(name: "ErrorOccurrence with its record") {
                ErrorOccurrence(plain[1], context: ErrorContext()).record.message.utf8.count
            },
        ]
    }

    static func measure(_ body: () -> Int) -> (nanoseconds: Double, allocations: Double) {
        var sum = 0
        for _ in 0..<200 { sum &+= body() }
        let rounds = 5000
        let clock = ContinuousClock()
        let before = allocation_count()
        let took = clock.measure { for _ in 0..<rounds { sum &+= body() } }
        let allocations = allocation_count() - before
        // The sum is used, so the compiler cannot remove the work.
        precondition(sum > 0)
        let nanoseconds = Double(took.components.seconds) * 1e9 + Double(took.components.attoseconds) * 1e-9
        return (nanoseconds / Double(rounds), Double(allocations) / Double(rounds))
    }

    static func countsAllocations() -> Bool {
        let before = allocation_count()
        let array = [UInt8](repeating: 1, count: Int.random(in: 1000...2000))
        return withExtendedLifetime(array) { allocation_count() > before }
    }
}
