import ErrorCore
import ErrorCoreTesting
import InMemoryLogging
import Logging
import Synchronization
import Testing

@Suite struct RecordingContextTests {
    @Test("both values of an equal key are kept") func equalKeysKeepBoth() {
        let error = AppError.fileNotFound(path: "/a")
        let record = ErrorOccurrence(error, context: ErrorContext(values: ["file_path": "/b", "error_type": "fileNotFound"]))
            .record
        #expect(record.metadata["file_path"] == "/a" && record.metadata["context_file_path"] == "/b")
        #expect(record.metadata["context_error_type"] == nil, "the same value once")
        let log = ErrorOccurrence(
            AppError.agentBusy, context: ErrorContext(action: "a", values: ["action": "b", "category": "c"])
        ).record
            .logMetadata
        #expect(log["action"] == "a" && log["fact_action"] == "b" && log["category"] == "agent" && log["fact_category"] == "c")
    }

    @Test("a synchronous log") func aSynchronousLog() throws {
        let log = InMemoryLogHandler()
        let seen = Mutex(0)
        let handler = ErrorHandler(logger: Logger(label: "test") { _ in log })
        handler.log(AppError.agentBusy)
        let occurrence = handler.log(AppError.networkUnavailable, context: ErrorContext(action: "sync"))
        #expect(occurrence.profile.code == "network.unavailable" && seen.withLock { $0 } == 0)
        #expect(log.entries.map(\.level) == [.info, .warning] && log.entries.last?.metadata["action"] == "sync")
    }

    @Test("observers are informed of a logged error") func observersHearOfALog() async {
        let seen = Mutex<[String]>([])
        let handler = RecordingHandler().handler
        let observation = await handler.observe { occurrence in seen.withLock { $0.append(occurrence.profile.code) } }
        handler.log(AppError.agentBusy)
        #expect(seen.withLock { $0 } == ["agent.busy"])
        await handler.stop(observation)
        handler.log(AppError.agentBusy)
        #expect(seen.withLock { $0.count } == 1)
        #expect(await handler.current == nil, "it is not shown")
    }

    @Test("a crash reporter sees the error") func aCrashReporterSeesTheError() async {
        actor Crashes: ErrorReporter {
            var errors: [any Error] = []
            func report(_ record: ErrorRecord) {}
            func report(_ record: ErrorRecord, of error: any Error) { errors.append(error) }
        }
        let crashes = Crashes()
        let plain = RecordingReporter()
        let handler = ErrorHandler(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, reporters: [crashes, plain])
        await handler.handle(ShopError.soldOut(item: "Lamp"))
        #expect(await crashes.errors.first is ShopError)
        #expect(await plain.records.map(\.code) == ["shop.sold-out"])
    }

    @Test("stack and app state") func stackAndState() async throws {
        let reporter = RecordingReporter()
        let handler = ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, reporters: [reporter],
            captureState: { ["screen": "checkout", "file_path": "/state"] })
        await handler.handle(AppError.fileNotFound(path: "/a"), context: ErrorContext(capturesStack: true))
        await handler.handle(AppError.agentBusy)
        let records = await reporter.records
        #expect(records[0].metadata["screen"] == "checkout" && records[0].metadata["context_file_path"] == "/state")
        let stack = try #require(records[0].stack)
        #expect((1...ErrorContext.stackLimit).contains(stack.count) && stack.allSatisfy { $0.count <= 200 })
        #expect(records[1].stack == nil)
    }
}
