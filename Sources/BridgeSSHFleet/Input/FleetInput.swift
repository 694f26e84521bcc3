internal import BridgeSSH

/// What the command of every host reads, each attempt from its beginning.
package enum FleetInput: Sendable {
    /// Nothing: it ends at once.
    case none
    /// These bytes, such as a script.
    case bytes([UInt8])
    /// A file, or what is piped to this process.
    case shared(SharedInput)

    /// The next piece; nil at the end.
    package typealias Reader = @Sendable () async throws -> [UInt8]?

    /// For one attempt.
    var standardInput: SSHStandardInput {
        switch self {
        case .none: .none
        case .bytes(let bytes): bytes.isEmpty ? .none : .bytes(bytes)
        case .shared(let input): .pieces(input.reader())
        }
    }

    /// The same, piece by piece.
    package func reader() -> Reader {
        switch self {
        case .none: return { nil }
        case .bytes(let bytes):
            let rest = OneTake(bytes.isEmpty ? nil : bytes)
            return { rest.take() }
        case .shared(let input): return input.reader()
        }
    }
}
