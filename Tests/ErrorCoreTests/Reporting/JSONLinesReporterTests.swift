import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

@Suite struct JSONLinesReporterTests {
    private func inDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory.path)
    }

    private func record(_ error: any Error) -> ErrorRecord {
        ErrorOccurrence(error, context: ErrorContext()).record
    }

    private func lines(_ path: String) throws -> [ErrorRecord] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(ErrorRecord.self, from: Data($0.utf8))
        }
    }

    @Test("every line is a record") func everyLineIsARecord() async throws {
        try await inDirectory { directory in
            let path = directory + "/errors.jsonl"
            let reporter = JSONLinesReporter(path: path)
            let records = AppError.samples.map { record($0) } + [record(AppError.unknown(message: "two\nlines / \u{1B}"))]
            for record in records { await reporter.report(record) }
            #expect(try lines(path) == records)
            #expect(await reporter.lostRecords == 0)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("hidden characters are escaped") func hiddenCharactersAreEscaped() async throws {
        try await inDirectory { directory in
            let path = directory + "/errors.jsonl"
            struct Hidden: UserFacingError {
                var title: String { "Hidden" }
                var userMessage: String { "a\u{7f}\u{9b}\u{61c}\u{200e}\u{202e}\u{2029}\u{2066}\u{feff}b" }
            }
            let record = record(Hidden())
            await JSONLinesReporter(path: path).report(record)
            #expect(try lines(path) == [record])
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("\\u007f\\u009b\\u061c\\u200e\\u202e\\u2029\\u2066\\ufeffb"), "\(text)")
        }
    }

    @Test("files are bounded", arguments: [0, 1, 3]) func filesAreBounded(keeping: Int) async throws {
        try await inDirectory { directory in
            let path = directory + "/errors.jsonl"
            let reporter = JSONLinesReporter(path: path, maximumBytes: 4000, keeping: keeping)
            for number in 0..<200 { await reporter.report(record(AppError.timeout(seconds: number + 1))) }
            let files = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(files.count == keeping + 1)
            for file in files {
                let size = try FileManager.default.attributesOfItem(atPath: directory + "/" + file)[.size] as? Int ?? 0
                #expect(size <= 4000 && size > 0)
                #expect(try !lines(directory + "/" + file).isEmpty)
            }
            #expect(try lines(path).last?.message.contains("200 s") == true, "the newest is in the current file")
            #expect(await reporter.lostRecords == 0)
        }
    }

    @Test("one file for several reporters") func oneFileForSeveralReporters() async throws {
        try await inDirectory { directory in
            let path = directory + "/errors.jsonl"
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let reporter = JSONLinesReporter(path: path)
                        for error in AppError.samples {
                            await reporter.report(ErrorOccurrence(error, context: ErrorContext()).record)
                        }
                    }
                }
            }
            let count = try lines(path).count
            #expect(count == 4 * AppError.samples.count)
        }
    }

    @Test("failures are counted, not thrown") func failuresAreCountedNotThrown() async throws {
        let reporter = JSONLinesReporter(path: "/nowhere/at/all/errors.jsonl")
        await reporter.report(record(AppError.agentBusy))
        #expect(await reporter.lostRecords == 1)
        #expect(await reporter.lastFailure == .fileNotFound(path: "/nowhere/at/all/errors.jsonl"))
        let full = JSONLinesReporter(path: "/dev/full")
        await full.report(record(AppError.agentBusy))
        #expect(await full.lastFailure == .insufficientDiskSpace(required: 0, available: 0))
        let small = JSONLinesReporter(path: "/dev/null", maximumBytes: 10)
        await small.report(record(AppError.agentBusy))
        #expect(await small.lastFailure?.kind == .fileWriteError)
    }
}
