import ErrorCore
import ErrorCoreTesting
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing

@Suite struct AutomaticRecoveryTests {
    private func handler(_ recoveries: [AutomaticRecovery], metrics: ErrorMetrics = ErrorMetrics()) -> ErrorHandler {
        ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: metrics, recoveries: recoveries,
            clock: ManualClock(skipping: true))
    }

    @Test("an automatic recovery runs before the person is asked") func runsBeforeThePersonIsAsked() async throws {
        let metrics = TestMetrics()
        let runs = Mutex(0)
        let recovery = AutomaticRecovery(for: .authentication) { _ in runs.withLock { $0 += 1 } }
        let handler = handler([recovery], metrics: ErrorMetrics(factory: metrics))
        let recovered = await handler.handle(AppError.apiUnauthorized)
        #expect(recovered.isRecovered && runs.withLock { $0 } == 1)
        #expect(await handler.current == nil)
        let other = await handler.handle(AppError.networkUnavailable)
        #expect(!other.isRecovered && runs.withLock { $0 } == 1)
        #expect(await handler.current?.code == "network.unavailable")
        let dimensions = [("code", "api.unauthorized"), ("option", "automatic"), ("outcome", "succeeded")]
        #expect(try metrics.expectTimer("app_error_recovery", dimensions).values.count == 1)
    }

    @Test("after a failed recovery the next one runs, then the person is asked") func theNextIsAskedAndThenThePerson() async {
        let order = Mutex<[Int]>([])
        let handler = handler([
            AutomaticRecovery(where: { _ in true }) { _, _ in
                order.withLock { $0.append(1) }
                return false
            },
            AutomaticRecovery(for: .network) { _ in
                order.withLock { $0.append(2) }
                throw AppError.dnsError(host: "web1")
            },
        ])
        let outcome = await handler.handle(AppError.networkUnavailable)
        #expect(!outcome.isRecovered && order.withLock { $0 } == [1, 2])
        #expect(await handler.current?.recoveryFailure == AppError.dnsError(host: "web1").userMessage)
    }

    @Test("chooses a bound option") func choosesABoundOption() async {
        let runs = Mutex(0)
        let handler = handler([.choosing(.retry, for: .network)])
        #expect(await handler.handle(AppError.networkUnavailable, actions: [.retry: { runs.withLock { $0 += 1 } }]).isRecovered)
        #expect(runs.withLock { $0 } == 1)
        #expect(await handler.handle(AppError.networkUnavailable).isRecovered == false, "nothing is bound")
    }

    @Test("a recovery does not recover from itself") func doesNotRecoverFromItself() async {
        let runs = Mutex(0)
        let shared = Mutex<ErrorHandler?>(nil)
        let recovery = AutomaticRecovery(for: .network) { _ in
            runs.withLock { $0 += 1 }
            await shared.withLock { $0 }?.handle(AppError.networkUnavailable)
        }
        let handler = handler([recovery])
        shared.withLock { $0 = handler }
        await handler.handle(AppError.networkUnavailable)
        #expect(runs.withLock { $0 } == 1)
        #expect(await handler.waiting.count == 1, "the error of the recovery is shown")
        shared.withLock { $0 = nil }
    }

    @Test("cancellations are not recovered") func cancellationsAreNotRecovered() async {
        let runs = Mutex(0)
        let handler = handler([
            AutomaticRecovery(where: { _ in true }) { _, _ in
                runs.withLock { $0 += 1 }; return true
            }
        ])
        await handler.handle(CancellationError())
        #expect(runs.withLock { $0 } == 0)
    }
}
