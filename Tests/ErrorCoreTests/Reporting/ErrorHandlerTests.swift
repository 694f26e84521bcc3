import ErrorCore
import ErrorCoreTesting
import Foundation
import InMemoryLogging
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing

@Suite struct ErrorHandlerTests {
    @Test("one error reaches log, metrics, reporters and presenter") func oneErrorReachesEverything() async throws {
        let log = InMemoryLogHandler()
        let metrics = TestMetrics()
        let reporter = RecordingReporter()
        let seen = Mutex<[String]>([])
        let handler = ErrorHandler(
            logger: Logger(label: "test") { _ in log }, metrics: ErrorMetrics(prefix: "shop", factory: metrics),
            reporters: [reporter])
        let observation = await handler.observe { report in seen.withLock { $0.append(report.profile.code) } }

        let error = AppError.sshCommandFailed(
            command: "deploy --token=hunter2 to the far end of the world", exitCode: 3, stderr: nil)
        let context = ErrorContext(action: "deploy", requestID: "r-1", values: ["session_id": "s-9", "api_key": "hunter2"])
        let report = await handler.handle(error, context: context)
        await handler.stop(observation)
        await handler.handle(AppError.agentBusy)

        #expect(seen.withLock { $0 } == ["ssh.command-failed"])
        let records = await reporter.records
        #expect(records.map(\.code) == ["ssh.command-failed", "agent.busy"] && records.first == report.record)
        let entry = try #require(log.entries.first)
        #expect(entry.level == .error)
        let expected: Logger.Metadata = [
            "error_code": "ssh.command-failed", "category": "command", "severity": "error", "retry": "after-fix",
            "error_type": "sshCommandFailed", "exit_code": "3", "session_id": "s-9", "api_key": "•••", "action": "deploy",
            "request_id": "r-1", "ssh_command": "deploy --token=••• to the far end of the world",
        ]
        #expect(entry.metadata == expected)
        #expect(log.entries.map(\.level) == [.error, .info])
        let counter = try metrics.expectCounter(
            "shop_errors_total", [("code", "ssh.command-failed"), ("category", "command"), ("severity", "error")])
        #expect(counter.values == [1])
    }

    @Test("no secret leaves the process") func noSecretLeavesTheProcess() async throws {
        let log = InMemoryLogHandler()
        let reporter = RecordingReporter()
        let handler = ErrorHandler(logger: Logger(label: "test") { _ in log }, reporters: [reporter])
        let errors: [any Error] = [
            AppError.serverError(status: 500, message: "password=hunter2"),
            AppError.projectCloneFailed(url: "https://me:hunter2@h/a.git", reason: "token: hunter2"),
            AppError.sshCommandFailed(command: "PGPASSWORD=hunter2 psql", exitCode: 1, stderr: "Authorization: Bearer hunter2"),
            PipelineFailure(.clientError(.forbidden), response: RawResponse(status: 403, url: "http://a:hunter2@h/?k=hunter2")),
        ]
        for error in errors {
            await handler.handle(error, context: ErrorContext(action: "login --password hunter2"))
        }
        let json = try await String(decoding: JSONEncoder().encode(reporter.records), as: UTF8.self)
        #expect(!json.contains("hunter2"))
        #expect(!log.entries.contains { "\($0.message) \($0.metadata)".contains("hunter2") })
        #expect(log.entries.count == errors.count)
    }

    @Test("the app's own rule replaces the standard one") func theAppsOwnRuleReplacesOurs() async {
        let reporter = RecordingReporter()
        let handler = ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, reporters: [reporter],
            redactor: Redactor { $0.replacing("web1", with: "HOST") })
        await handler.handle(AppError.sshConnectionFailed(host: "web1", reason: "r"))
        #expect(await reporter.records.first?.message == "The SSH connection to HOST failed: r.")
        #expect(await reporter.records.first?.metadata["ssh_host"] == "HOST")
    }

    @Test("the place is the caller's") func thePlaceIsTheCallers() async {
        let recording = RecordingHandler()
        let report = await recording.handler.handle(AppError.agentBusy)
        #expect(report.context.file == "ErrorCoreTests/ErrorHandlerTests.swift")
        #expect(report.context.function == "thePlaceIsTheCallers()")
    }

    @Test("a record keeps the causes and is stable JSON") func aRecordKeepsTheCausesAndIsStableJSON() throws {
        let error = ShopError.paymentRefused(underlying: SignInError.directory(URLError(.timedOut)))
        let context = ErrorContext(file: "A/B.swift", function: "f()", line: 3)
        let record = ErrorOccurrence(error, context: context, date: Date(timeIntervalSince1970: 0.5)).record
        #expect(record.causes == ["sign-in.directory", "URLError"])
        #expect(record.time == "1970-01-01T00:00:00.500Z" && record.place == "A/B.swift:3 f()")
        #expect(record.code == "shop.payment-refused" && record.appErrorCase == "apiBadRequest")
        #expect(record.metadata["error_type"] == "ShopError")
        #expect(try JSONDecoder().decode(ErrorRecord.self, from: JSONEncoder().encode(record)) == record)
    }

    @Test("codes in metrics are bounded") func codesInMetricsAreBounded() async throws {
        struct Numbered: ClassifiedError {
            var number: Int
            var errorCode: String { "test.number-\(number)" }
        }
        let metrics = TestMetrics()
        let handler = ErrorHandler(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: ErrorMetrics(factory: metrics),
            shouldPresent: { _ in false })
        for number in 0..<300 { await handler.handle(Numbered(number: number)) }
        let codes = Set(metrics.counters.flatMap { $0.dimensions.filter { $0.0 == "code" }.map(\.1) })
        #expect(codes.count <= ErrorMetrics.codeLimit + 1 && codes.contains("other"))
    }
}
