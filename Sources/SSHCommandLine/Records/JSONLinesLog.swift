import BridgeSSH
import ErrorCore
import Logging
import SSHRun
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Logs to a file, one JSON object per line: `time`, `level`, `message`, then the metadata by name.
struct JSONLinesLog: LogHandler {
    let file: RecordFile
    let run: RunIdentity
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    init(file: RecordFile, run: RunIdentity) {
        self.file = file
        self.run = run
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = run.facts.merging(metadata) { _, new in new }.merging(event.metadata ?? [:]) { _, new in new }
        file.append(Self.line(level: event.level, message: event.message.description, facts, at: Date()))
    }

    /// The line, its line feed included.
    static func line(level: Logger.Level, message: String, _ facts: Logger.Metadata, at date: Date) -> [UInt8] {
        var members: [JSONValue.Member] = [
            .init(name: "time", value: .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))),
            .init(name: "level", value: .string(level.rawValue)),
            .init(name: "message", value: .string(Redactor.standard.text(message).cut(to: 1000))),
        ]
        let own = Set(members.map(\.name))
        for (key, value) in facts.sorted(by: { $0.key < $1.key }) where !own.contains(key) {
            members.append(.init(name: key, value: json(key, value)))
        }
        return JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
    }

    private static func json(_ key: String, _ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .stringConvertible(let number as Int): .integer(number)
        case .stringConvertible(let number as Double): .number(number)
        // A failure's metadata are texts.
        case .string(let text) where numbers.contains(key): Int(text).map { .integer($0) } ?? .string(harmless(key, text))
        case .string(let text): .string(harmless(key, text))
        case .stringConvertible(let other): .string(harmless(key, other.description))
        case .array(let values): .array(values.map { json(key, $0) })
        case .dictionary(let values):
            .object(values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: json($0.key, $0.value)) })
        }
    }

    /// The keys whose values are written as numbers.
    private static let numbers: Set = ["attempt", "attempts", "exit_code", "exit_status", "pid", "ssh_port"]

    private static func harmless(_ key: String, _ text: String) -> String {
        Redactor.standard.metadata([key: text] as ErrorMetadata)[key] ?? ""
    }
}

/// A file for appended lines. It is opened before the first event.
final class RecordFile: Sendable {
    private let descriptor: Int32
    private let failure = Mutex<Int32?>(nil)

    /// - Throws: `UsageProblem` if it cannot be written.
    init(_ path: String, option: String) throws {
        descriptor = openToAppend(path, creates: true, blocks: true)
        guard descriptor >= 0 else {
            throw UsageProblem(
                field: option,
                problem:
                    "\(path) cannot be written: \(String(cString: strerror(errno))); name a file in a directory that you can write to"
            )
        }
    }

    deinit { close(descriptor) }

    /// The error of the last line that could not be written.
    var problem: String? { failure.withLock { $0 }.map { String(cString: strerror($0)) } }

    /// Appends a line in one write, so that lines of several processes do not mix (write(2), O_APPEND).
    func append(_ line: [UInt8]) {
        let written = line.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
        guard written != line.count else { return }
        let number = written < 0 ? errno : ENOSPC
        failure.withLock { $0 = number }
    }
}
