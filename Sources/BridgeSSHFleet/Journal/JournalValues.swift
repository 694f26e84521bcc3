import GRDB

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The encoding of options in one column.
enum ArgumentList {
    static func text(_ arguments: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
    }

    static func read(_ text: String) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }
}

extension [UInt8] {
    /// As the value of a BLOB column.
    var data: Data { Data(self) }
}

/// A row of a journal. Unexpected values make reading fail; they never crash the process.
struct JournalRow {
    private let row: Row
    private let path: String

    init(_ row: Row, _ path: String) {
        self.row = row
        self.path = path
    }

    /// The most bytes of a name.
    static let maximumNameLength = 4096

    func text(_ column: String, maximumLength: Int = .max) throws -> String {
        guard let text = try optionalText(column, maximumLength: maximumLength) else { throw problem(column) }
        return text
    }

    func optionalText(_ column: String, maximumLength: Int = .max) throws -> String? {
        switch try storage(column) {
        case .null: return nil
        case .string(let text) where text.utf8.count <= maximumLength: return text
        default: throw problem(column)
        }
    }

    /// A name exactly as it was written; a name that is not valid UTF-8 is refused.
    func name(_ column: String) throws -> String {
        let name = try text(column, maximumLength: Self.maximumNameLength)
        guard !name.isEmpty, !name.contains("\u{FFFD}") else { throw problem(column) }
        return name
    }

    func integer(_ column: String) throws -> Int64 {
        guard let number = try optionalInteger(column) else { throw problem(column) }
        return number
    }

    func optionalInteger(_ column: String) throws -> Int64? {
        switch try storage(column) {
        case .null: return nil
        case .int64(let number): return number
        default: throw problem(column)
        }
    }

    /// A count, 0 or more.
    func count(_ column: String, or missing: Int = 0) throws -> Int {
        guard let number = try optionalInteger(column) else { return missing }
        guard (0...Int64(1 << 53)).contains(number) else { throw problem(column) }
        return Int(number)
    }

    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    /// A duration, in the range of clocks and timers.
    func duration(_ column: String) throws -> Duration {
        switch try storage(column) {
        case .null: return .zero
        case .double(let seconds): return .bounded(seconds: seconds)
        case .int64(let seconds): return .bounded(seconds: Double(seconds))
        default: throw problem(column)
        }
    }

    func bytes(_ column: String) throws -> [UInt8]? {
        switch try storage(column) {
        case .null: return nil
        case .blob(let data): return [UInt8](data)
        default: throw problem(column)
        }
    }

    /// A text parsed by `body`.
    func parsed<Value>(_ column: String, _ body: (String) throws -> Value) throws -> Value? {
        guard let text = try optionalText(column) else { return nil }
        guard let value = try? body(text) else { throw problem(column) }
        return value
    }

    private func storage(_ column: String) throws -> DatabaseValue.Storage {
        try row.decode(DatabaseValue.self, forColumn: column).storage
    }

    private func problem(_ column: String) -> JournalProblem { .damaged(path, "its \(column) is invalid") }
}

/// What a journal knows about one host.
package struct HostRecord: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// There is no record: the run never began the host.
        case none
        /// The command may have been sent, and no outcome was written.
        case armed
        case ended(FleetHostOutcome)
    }

    package var host: String
    package var state: State
    /// The code of the failure, if there is one.
    package var code: String?
    /// The command's exit status, where one came.
    package var exitStatus: Int64?
    /// When it ended, in milliseconds since 1970.
    package var endedAt: Int64?

    package init(
        _ host: String, _ state: State, code: String? = nil, exitStatus: Int64? = nil, endedAt: Int64? = nil
    ) {
        self.host = host
        self.state = state
        self.code = code
        self.exitStatus = exitStatus
        self.endedAt = endedAt
    }

    /// The host's outcome, as far as is known.
    package var outcome: FleetHostOutcome {
        switch state {
        case .none: .skipped
        case .armed: .unknown
        case .ended(let outcome): outcome
        }
    }
}
