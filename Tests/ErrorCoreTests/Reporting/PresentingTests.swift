import ErrorCore
import ErrorCoreTesting
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing

@Suite struct PresentingTests {
    @Test("the most severe error is shown, and the others wait") func theMostSevereIsShownAndTheRestWait() async {
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

    @Test("cancellations and errors that the app withholds are not shown") func cancellationsAndWhatTheAppKeepsBackAreNotShown()
        async
    {
        let recording = RecordingHandler()
        await recording.handler.handle(CancellationError())
        await recording.handler.handle(AppError.cancelled)
        #expect(await recording.handler.current == nil)
        #expect(await recording.codes == ["general.cancelled", "general.cancelled"])
        let quiet = ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            shouldPresent: { $0.profile.severity > .warning })
        await quiet.handle(AppError.networkUnavailable)
        #expect(await quiet.current == nil)
    }

    @Test("a recovery that works closes the error") func aRecoveryThatWorksClosesTheError() async throws {
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

    @Test("a recovery that fails shows the error again") func aRecoveryThatFailsShowsTheErrorAgain() async throws {
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

    @Test("a cancelled recovery leaves the error unchanged") func aRecoveryThatIsCancelledLeavesTheErrorAsItIs() async throws {
        let handler = RecordingHandler().handler
        await handler.handle(AppError.networkUnavailable, actions: [.retry: { throw CancellationError() }])
        let shown = try #require(await handler.current)
        #expect(await handler.choose(.retry, in: shown.id) == false)
        #expect(await handler.current?.recoveryFailure == nil)
        #expect(await handler.current?.id == shown.id)
    }

    @Test("an error that is being recovered from gives way") func anErrorThatIsBeingRecoveredFromGivesWay() async throws {
        let handler = RecordingHandler().handler
        await handler.handle(
            AppError.networkUnavailable,
            actions: [
                .retry: { [handler] in
                    let recovering = try #require(await handler.current)
                    #expect(recovering.code == "network.unavailable" && recovering.isRecovering, "alone, it stays")
                    #expect(await handler.choose(.retry, in: recovering.id) == false, "one at a time")
                    await handler.handle(AppError.agentBusy)
                    #expect(await handler.current?.code == "agent.busy", "its buttons have been answered")
                    throw AppError.networkUnavailable
                }
            ])
        let shown = try #require(await handler.current)
        await handler.choose(.retry, in: shown.id)
        let failed = try #require(await handler.current)
        #expect(failed.recoveryFailure != nil && !failed.isRecovering)
        await handler.dismiss(shown.id)
        #expect(await handler.current?.code == "agent.busy")
    }

    @Test("a recovery that hangs disables its own error only") func aRecoveryThatHangsDisablesItsOwnErrorOnly() async throws {
        let handler = RecordingHandler().handler
        let (hang, release) = AsyncStream.makeStream(of: Void.self)
        await handler.handle(AppError.networkUnavailable, actions: [.retry: { for await _ in hang {} }])
        let hanging = try #require(await handler.current)
        async let outcome = handler.choose(.retry, in: hanging.id)
        while await handler.current?.isRecovering == false { await Task.yield() }
        await handler.handle(AppError.fileNotFound(path: "/a"), actions: [.browse: {}])
        let other = try #require(await handler.current)
        #expect(other.code == "file.not-found")
        #expect(await handler.choose(.browse, in: other.id))
        #expect(await handler.waiting.map(\.id) == [hanging.id])
        release.finish()
        #expect(await outcome)
        #expect(await handler.current == nil)
    }

    @Test("equal errors are one, with a count") func equalErrorsAreOneWithANumber() async throws {
        let handler = RecordingHandler().handler
        let retried = Mutex<[Int]>([])
        let opened = Mutex(0)
        for number in 0..<10 {
            await handler.handle(
                AppError.networkUnavailable,
                actions: [
                    .retry: { retried.withLock { $0.append(number) } }, .openSettings: { opened.withLock { $0 += 1 } },
                ])
        }
        await handler.handle(AppError.dnsError(host: "web1"))
        #expect(await handler.waiting.map(\.count).sorted() == [1, 10])
        let shown = try #require(await handler.waiting.first { $0.count == 10 })
        #expect(shown.occurrences == "This happened 10 times.")
        #expect(TerminalBanner().render(shown).contains("This happened 10 times."))
        #expect(await handler.choose(.retry, in: shown.id))
        #expect(retried.withLock { $0.sorted() } == Array(0..<10), "each is retried")
        #expect(await handler.waiting.map(\.code) == ["network.dns"])

        for _ in 0..<3 {
            await handler.handle(AppError.networkUnavailable, actions: [.openSettings: { opened.withLock { $0 += 1 } }])
        }
        let again = try #require(await handler.waiting.first { $0.count == 3 })
        await handler.choose(.openSettings, in: again.id)
        #expect(opened.withLock { $0 } == 1, "settings are opened once")
    }

    @Test("of equal errors, those that fail again remain") func ofEqualErrorsThoseThatFailAgainRemain() async throws {
        let handler = RecordingHandler().handler
        let runs = Mutex<[Int: Int]>([:])
        for number in 0..<5 {
            await handler.handle(
                AppError.networkUnavailable,
                actions: [
                    .retry: {
                        let times = runs.withLock { runs in
                            runs[number, default: 0] += 1
                            return runs[number] ?? 0
                        }
                        if number >= 3, times == 1 { throw AppError.dnsError(host: "web1") }
                    }
                ])
        }
        let shown = try #require(await handler.current)
        #expect(await handler.choose(.retry, in: shown.id) == false)
        let left = try #require(await handler.current)
        #expect(left.count == 2 && left.recoveryFailure != nil)
        #expect(await handler.choose(.retry, in: shown.id))
        #expect(runs.withLock { $0 } == [0: 1, 1: 1, 2: 1, 3: 2, 4: 2], "what worked is not done again")
    }

    @Test("an equal error of a recovery is not lost with it") func anEqualErrorOfARecoveryIsNotLostWithIt() async throws {
        let handler = RecordingHandler().handler
        await handler.handle(
            AppError.networkUnavailable,
            actions: [.retry: { await handler.handle(AppError.networkUnavailable, actions: [.retry: {}]) }])
        let shown = try #require(await handler.current)
        #expect(await handler.choose(.retry, in: shown.id))
        let equal = try #require(await handler.current)
        #expect(equal.code == "network.unavailable" && equal.count == 1)
    }

    @Test("closing chooses the closing option") func closingChoosesTheClosingOption() async throws {
        let handler = RecordingHandler().handler
        let closed = Mutex(0)
        await handler.handle(AppError.timeout(seconds: 1), actions: [.retry: {}, .cancel: { closed.withLock { $0 += 1 } }])
        await handler.close(try #require(await handler.current).id)
        #expect(closed.withLock { $0 } == 1)
        #expect(await handler.current == nil)
        await handler.handle(AppError.timeout(seconds: 1), actions: [.retry: {}])
        await handler.close(try #require(await handler.current).id)
        #expect(await handler.current == nil)
    }

    @Test("followers see each change") func followersSeeEachChange() async throws {
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

    @Test("the queue is bounded and keeps the severe errors") func theQueueIsBoundedAndKeepsTheSevere() async {
        let handler = RecordingHandler().handler
        for number in 0..<200 { await handler.handle(AppError.sessionArchived(id: String(number))) }
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
