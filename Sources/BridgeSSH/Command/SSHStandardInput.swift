public import NIOCore
internal import Synchronization

/// What a command reads: a value, which can be used for any number of commands.
///
/// Bytes, text and files are read from their beginning by every command. A sequence or a closure can be read once: a second
/// command that is given it is not run, and throws `ssh.local.usage`.
public struct SSHStandardInput: Sendable {
    /// The next piece, nil at the end. Called ahead of the server's window by at most 128 KiB and a piece.
    package typealias Source = @Sendable () async throws -> InputPiece?

    /// Begins reading. Called once a command, before anything is sent.
    private let open: @Sendable () async throws -> Source
    let isEmpty: Bool

    private init(isEmpty: Bool = false, _ open: @escaping @Sendable () async throws -> Source) {
        self.open = open
        self.isEmpty = isEmpty
    }

    /// - Throws: `Fault` for a source that cannot be read, or not again.
    package func opened() async throws(Fault) -> Source {
        do {
            return try await open()
        } catch {
            throw error as? Fault ?? .cancelled
        }
    }

    /// Nothing: its standard input ends at once.
    public static let none = SSHStandardInput(isEmpty: true) { { nil } }

    /// These bytes.
    public static func bytes(_ bytes: [UInt8]) -> SSHStandardInput { whole(.bytes(bytes)) }

    /// This text, as UTF-8.
    public static func string(_ text: String) -> SSHStandardInput { bytes(Array(text.utf8)) }

    /// The readable bytes of this buffer, without a copy.
    public static func buffer(_ buffer: ByteBuffer) -> SSHStandardInput { whole(.buffer(buffer)) }

    /// The content of a local file: opened for each command, read in pieces of 64 KiB, and closed at its end.
    ///
    /// - Parameter path: its path. What is not a regular file, or cannot be opened, fails the command before it is sent.
    public static func file(_ path: String) -> SSHStandardInput {
        SSHStandardInput {
            let file = try await LocalInputFile.open(path)
            return { try await file.next() }
        }
    }

    /// Whatever `next` returns, until it returns nil. It can be read once. What it throws ends the command, and is what the run
    /// throws.
    public static func pieces(_ next: @escaping @Sendable () async throws -> [UInt8]?) -> SSHStandardInput {
        once { try await next().map { .bytes($0) } }
    }

    /// The pieces of a sequence. It can be read once. What it throws ends the command, and is what the run throws.
    ///
    /// The sequence is not asked for more than about 128 KiB beyond what the server has room for.
    public static func sequence<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> SSHStandardInput
    where Pieces.Element == [UInt8] {
        once(pieces) { .bytes($0) }
    }

    /// The pieces of a sequence of buffers, which are not copied; otherwise as a sequence of arrays.
    public static func sequence<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> SSHStandardInput
    where Pieces.Element == ByteBuffer {
        once(pieces) { .buffer($0) }
    }

    private static func whole(_ piece: InputPiece) -> SSHStandardInput {
        SSHStandardInput(isEmpty: piece.isEmpty) {
            let source = OneShot(piece)
            return { source.take() }
        }
    }

    private static func once(_ source: @escaping Source) -> SSHStandardInput {
        let source = OneShot(source)
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
    /// This text, as UTF-8.
    public init(stringLiteral text: String) { self = .string(text) }
}

/// Reads a sequence that one task reads, piece by piece.
private final class SequenceReader<Pieces: AsyncSequence & Sendable>: Sendable {
    // An iterator need not be Sendable. One task at a time calls `next`, which takes the iterator out while it is used.
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
