package import BridgeSSH
internal import Synchronization

/// The command's standard input as the library reads it.
package struct RunInput: Sendable {
    package let standardInput: SSHStandardInput
    /// The same, piece by piece, for a command without a terminal; nil where there is nothing to read.
    package let reader: Piece?

    package typealias Piece = @Sendable () async throws -> [UInt8]?

    /// A terminal's own end-of-input character, ^D: a pseudo-terminal knows no other end.
    private static let endOfInput: UInt8 = 4

    /// - Parameters:
    ///   - wantsTerminal: whether the command has a terminal.
    ///   - use: records that something was read that cannot be read again.
    package init(_ input: CommandInput, wantsTerminal: Bool, use: InputUse) {
        let next = Self.reading(input, use)
        reader = next
        if wantsTerminal, !input.isTerminal {
            standardInput = Self.ending(next)
        } else if let next {
            standardInput = .pieces(next)
        } else {
            standardInput = .none
        }
    }

    private static func reading(_ input: CommandInput, _ use: InputUse) -> Piece? {
        guard let next = input.next else { return nil }
        let (isRepeatable, isTerminal) = (input.isRepeatable, input.isTerminal)
        return {
            let piece = try await next()
            // The end of a pipe is there again; that of a terminal was typed once.
            if !isRepeatable, piece != nil || isTerminal { use.took() }
            return piece
        }
    }

    /// What the reader has, then ^D: twice after an unfinished line, which the first one only hands over (termios(3), VEOF).
    private static func ending(_ next: Piece?) -> SSHStandardInput {
        let state = InputEnding()
        return .pieces {
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

/// How far an input with an end of its own has come.
private actor InputEnding {
    private(set) var isAtEnd = false
    private var isInLine = false

    func saw(_ piece: [UInt8]) { isInLine = piece.last != UInt8(ascii: "\n") }

    /// The characters that end it, once.
    func finish(with character: UInt8) -> [UInt8]? {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        return isInLine ? [character, character] : [character]
    }
}

/// The opened source of a command's standard input. Handed in.
package struct CommandInput: Sendable {
    /// The next piece; nil at the end, and after a cancellation. Nil if there is nothing to read.
    package let next: (@Sendable () async throws -> [UInt8]?)?
    /// Whether another attempt can read it from its beginning.
    package let isRepeatable: Bool
    /// Whether a person types it.
    package let isTerminal: Bool

    package init(next: (@Sendable () async throws -> [UInt8]?)?, isRepeatable: Bool, isTerminal: Bool) {
        self.next = next
        self.isRepeatable = isRepeatable
        self.isTerminal = isTerminal
    }

    /// Nothing to read.
    package static let none = CommandInput(next: nil, isRepeatable: true, isTerminal: false)
}

/// Whether any of the command's input was taken that cannot be read a second time: then no other attempt could be given it.
package final class InputUse: Sendable {
    private let taken = Mutex(false)

    package init() {}

    package var isTaken: Bool { taken.withLock { $0 } }

    package func took() { taken.withLock { $0 = true } }
}
