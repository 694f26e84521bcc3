public import NIOCore
internal import Synchronization

/// The input for a command: a value that can be used for several commands.
///
/// Each command reads bytes, text and files from the start. A sequence or a closure can be read only once: a second command with
/// it does not run, and throws `ssh.local.usage`.
public struct SSHStandardInput: Sendable {
    /// The next piece; nil at the end. It is called before the server accepts more, at most 128 KiB and one piece ahead.
    package typealias Source = @Sendable () async throws -> InputPiece?

    /// Starts reading. Called once per command, before anything is sent.
    private let open: @Sendable () async throws -> Source
    let isEmpty: Bool

    private init(isEmpty: Bool = false, _ open: @escaping @Sendable () async throws -> Source) {
        self.open = open
        self.isEmpty = isEmpty
    }

    /// - Throws: `Fault` for a source that cannot be read, or cannot be read again.
    package func opened() async throws(Fault) -> Source {
        do {
            return try await open()
        } catch {
            throw error as? Fault ?? .cancelled
        }
    }

    /// No input: standard input ends at once.
    public static let none = SSHStandardInput(isEmpty: true) { { nil } }

    /// Bytes.
    public static func bytes(_ bytes: [UInt8]) -> SSHStandardInput { whole(.bytes(bytes)) }

    /// Text, as UTF-8.
    public static func string(_ text: String) -> SSHStandardInput { bytes(Array(text.utf8)) }

    /// The readable bytes of a buffer, without copying.
    public static func buffer(_ buffer: ByteBuffer) -> SSHStandardInput { whole(.buffer(buffer)) }

    /// The content of a local file. It is opened for each command, read in pieces of 64 KiB, and closed at its end.
    ///
    /// - Parameter path: the path. If it cannot be opened, or is not a regular file, the command fails before it is sent.
    public static func file(_ path: String) -> SSHStandardInput {
        SSHStandardInput {
            let file = try await LocalInputFile.open(path)
            return { try await file.next() }
        }
    }

    /// The results of `next`, until it returns nil. It can be read only once. If `next` throws, the command is ended, and the run
    /// throws that error.
    public static func pieces(_ next: @escaping @Sendable () async throws -> [UInt8]?) -> SSHStandardInput {
        once { try await next().map { .bytes($0) } }
    }

    /// The pieces of a sequence. It can be read only once. If the sequence throws, the command is ended, and the run throws that
    /// error.
    ///
    /// The sequence is read at most about 128 KiB further than the server accepts.
    public static func sequence<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> SSHStandardInput
    where Pieces.Element == [UInt8] {
        once(pieces) { .bytes($0) }
    }

    /// The pieces of a sequence of buffers, without copying; otherwise like a sequence of arrays.
    public static func sequence<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> SSHStandardInput
    where Pieces.Element == ByteBuffer {
        once(pieces) { .buffer($0) }
    }

    private static func whole(_ piece: InputPiece) -> SSHStandardInput {
        SSHStandardInput(isEmpty: piece.isEmpty) {
            let source = OneTimeValue(piece)
            return { source.take() }
        }
    }

    private static func once(_ source: @escaping Source) -> SSHStandardInput {
        let source = OneTimeValue(source)
        return SSHStandardInput {
            guard let source = source.take() else { throw Self.isSpent }
            return source
        }
    }

    private static func once<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, _ piece: @escaping @Sendable (Pieces.Element) -> InputPiece
    ) -> SSHStandardInput {
        let reader = SequenceReader(pieces)
        return once { try await reader.next().map(piece) }
    }

    private static var isSpent: Fault {
        Fault(
            .usage(
                field: "standard input",
                problem: "a sequence or closure can be read once, and a command has read this one; make another for each command"),
            stage: .local)
    }
}

extension SSHStandardInput: ExpressibleByStringLiteral {
    /// Text, as UTF-8.
    public init(stringLiteral text: String) { self = .string(text) }
}

/// Reads a sequence piece by piece, from one task.
private final class SequenceReader<Pieces: AsyncSequence & Sendable>: Sendable {
    // An iterator need not be Sendable. Only one task calls `next`, which takes the iterator out while using it.
    private struct Iterator: @unchecked Sendable { var iterator: Pieces.AsyncIterator }
    private let iterator: Mutex<Iterator?>

    init(_ pieces: Pieces) {
        iterator = Mutex(Iterator(iterator: pieces.makeAsyncIterator()))
    }

    func next() async throws -> Pieces.Element? {
        guard var taken = iterator.withLock({ $0.take() }) else { return nil }
        let element = try await taken.iterator.next()
        iterator.withLock { [taken] in $0 = taken }
        return element
    }
}
