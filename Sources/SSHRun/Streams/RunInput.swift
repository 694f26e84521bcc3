package import BridgeSSH
internal import Synchronization

/// The command's standard input in the form that the library takes.
package struct RunInput: Sendable {
    package let standardInput: SSHStandardInput
    /// The same input piece by piece; nil if there is no input.
    package let reader: Piece?

    package typealias Piece = @Sendable () async throws -> [UInt8]?

    /// The terminal's end-of-input character, ^D: a pseudo-terminal has no other end of input.
    private static let endOfInput: UInt8 = 4

    /// - Parameters:
    ///   - wantsTerminal: whether the command has a terminal.
    ///   - use: records that something was read that cannot be read again.
    package init(_ input: CommandInput, wantsTerminal: Bool, use: InputUse) {
        let next = Self.reading(input, use)
        reader = wantsTerminal && !input.isTerminal ? Self.ending(next) : next
        standardInput = reader.map { .pieces($0) } ?? .none
    }

    private static func reading(_ input: CommandInput, _ use: InputUse) -> Piece? {
        guard let next = input.next else { return nil }
        let (isRepeatable, isTerminal) = (input.isRepeatable, input.isTerminal)
        return {
            let piece = try await next()
            // A pipe signals its end again at the next attempt; a person types ^D only once.
            if !isRepeatable, piece != nil || isTerminal { use.markTaken() }
            return piece
        }
    }

    /// The reader's input, then ^D. After an unfinished line ^D is sent twice, because the first one only delivers the line
    /// (termios(3), VEOF).
    private static func ending(_ next: Piece?) -> Piece {
        let state = InputEnding()
        return {
            if await !state.isAtEnd {
                if let piece = try await next?() {
                    await state.saw(piece)
                    return piece
                }
                try Task.checkCancellation()
            }
            return await state.finish(with: endOfInput)
        }
    }
}

/// The state of an input that needs an explicit end.
private actor InputEnding {
    private(set) var isAtEnd = false
    private var isInLine = false

    func saw(_ piece: [UInt8]) { isInLine = piece.last != UInt8(ascii: "\n") }

    /// The end characters; nil after the first call.
    func finish(with character: UInt8) -> [UInt8]? {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        return isInLine ? [character, character] : [character]
    }
}

/// The open source of a command's standard input. The caller provides it.
package struct CommandInput: Sendable {
    /// The next piece; nil at the end and after a cancellation. The function itself is nil if there is no input.
    package let next: (@Sendable () async throws -> [UInt8]?)?
    /// Whether another attempt can read the input from its start.
    package let isRepeatable: Bool
    /// Whether a person types it.
    package let isTerminal: Bool

    package init(next: (@Sendable () async throws -> [UInt8]?)?, isRepeatable: Bool, isTerminal: Bool) {
        self.next = next
        self.isRepeatable = isRepeatable
        self.isTerminal = isTerminal
    }

    /// No input.
    package static let none = CommandInput(next: nil, isRepeatable: true, isTerminal: false)
}

/// Records whether any unrepeatable input was read. If so, another attempt is impossible.
package final class InputUse: Sendable {
    private let taken = Mutex(false)

    package init() {}

    package var isTaken: Bool { taken.withLock { $0 } }

    package func markTaken() { taken.withLock { $0 = true } }
}
