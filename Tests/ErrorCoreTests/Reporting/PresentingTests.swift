import ErrorCore
import ErrorCoreTesting
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing

@Suite struct PresentingTests {
    @Test func theMostSevereIsShownAndTheRestWait() async {
        let handler = RecordingHandler().handler
        await handler.handle(AppError.agentBusy)
        await handler.handle(AppError.fileNotFound(path: "1"))
        await handler.handle(AppError.sshHostKeyMismatch(host: "h"))
        await handler.handle(AppError.fileReadError(path: "2", reason: ""))
        await handler.handle(AppError.networkUnavailable)
        var codes: [String] = []
        while let shown = await handler.current {
            codes.append(shown.code)
            await handler.dismiss(shown.id)
        }
        #expect(codes == ["ssh.host-key-mismatch", "file.not-found", "file.read", "network.unavailable", "agent.busy"])
    }

    @Test func cancellationsAndWhatTheAppKeepsBackAreNotShown() async {
        let recording = RecordingHandler()
        await recording.handler.handle(CancellationError())
        await recording.handler.handle(AppError.cancelled)
        #expect(await recording.handler.current == nil)
        #expect(await recording.codes == ["general.cancelled", "general.cancelled"])
        let quiet = ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            shouldPresent: { $0.summary.severity > .warning })
        await quiet.handle(AppError.networkUnavailable)
        #expect(await quiet.current == nil)
    }

    @Test func aRecoveryThatWorksClosesTheError() async throws {
        let metrics = TestMetrics()
        let handler = ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: ErrorMetrics(factory: metrics))
        let runs = Mutex(0)
        await handler.handle(AppError.networkUnavailable, actions: [.retry: { runs.withLock { $0 += 1 } }])
        let shown = try #require(await handler.current)
        #expect(await handler.choose(.openSettings, in: shown.id) == false, "it is not bound")
        #expect(await handler.choose(.retry, in: shown.id))
        #expect(runs.withLock { $0 } == 1)
        #expect(await handler.current == nil)
        #expect(await handler.choose(.retry, in: shown.id) == false, "it is closed")
        let dimensions = [("code", "network.unavailable"), ("option", "retry"), ("outcome", "succeeded")]
        #expect(try metrics.expectTimer("app_error_recovery", dimensions).values.count == 1)
    }

    @Test func aRecoveryThatFailsShowsTheErrorAgain() async throws {
        let recording = RecordingHandler()
        let handler = recording.handler
        await handler.handle(AppError.networkUnavailable, actions: [.retry: { throw AppError.dnsError(host: "web1") }])
        let shown = try #require(await handler.current)
        #expect(await handler.choose(.retry, in: shown.id) == false)
        let again = try #require(await handler.current)
        #expect(again.id == shown.id && again.code == "network.unavailable")
        #expect(again.recoveryFailure == AppError.dnsError(host: "web1").userMessage)
        #expect(await recording.codes == ["network.unavailable", "network.dns"])
        #expect(await recording.records.last?.action == "recover: retry")
    }

    @Test func aRecoveryThatIsCancelledLeavesTheErrorAsItIs() async throws {
        let handler = RecordingHandler().handler
        await handler.handle(AppError.networkUnavailable, actions: [.retry: { throw CancellationError() }])
        let shown = try #require(await handler.current)
        #expect(await handler.choose(.retry, in: shown.id) == false)
        #expect(await handler.current?.recoveryFailure == nil)
        #expect(await handler.current?.id == shown.id)
    }

    @Test func anErrorDuringARecoveryWaits() async throws {
        let handler = RecordingHandler().handler
        await handler.handle(
            AppError.networkUnavailable,
            actions: [
                .retry: { [handler] in
                    await handler.handle(AppError.internalError(detail: "worse"))
                    #expect(await handler.current?.code == "network.unavailable")
                    let shown = await handler.current
                    if let shown { #expect(await handler.choose(.retry, in: shown.id) == false, "one at a time") }
                    throw AppError.networkUnavailable
                }
            ])
        let shown = try #require(await handler.current)
        await handler.choose(.retry, in: shown.id)
        #expect(await handler.current?.recoveryFailure != nil)
        await handler.dismiss(shown.id)
        #expect(await handler.current?.code == "general.internal")
    }

    @Test func followersSeeEachChange() async throws {
        let handler = RecordingHandler().handler
        var states = await handler.presentations().makeAsyncIterator()
        let first = try #require(await states.next())
        #expect(first?.id == nil)
        await handler.handle(AppError.agentBusy)
        let shown = try #require(await states.next() ?? nil)
        #expect(shown.code == "agent.busy")
        await handler.dismiss(shown.id)
        let last = try #require(await states.next())
        #expect(last?.id == nil)
    }

    @Test func theQueueIsBoundedAndKeepsTheSevere() async {
        let handler = RecordingHandler().handler
        for _ in 0..<200 { await handler.handle(AppError.agentBusy) }
        await handler.handle(AppError.internalError(detail: ""))
        var count = 0
        #expect(await handler.current?.code == "general.internal")
        while let shown = await handler.current {
            count += 1
            await handler.dismiss(shown.id)
        }
        #expect(count == 50)
    }
}
