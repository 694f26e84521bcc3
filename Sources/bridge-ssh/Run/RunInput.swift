import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The command's standard input, opened.
struct RunInput {
    let standardInput: StandardInput
    /// Whether a person types it.
    let isTerminal: Bool

    /// A terminal's own end-of-input character, ^D: a pseudo-terminal knows no other end.
    private static let endOfInput: UInt8 = 4

    /// - Throws: `UsageProblem` if the file cannot be opened.
    init(_ plan: RunPlan) throws {
        let reader: InputReader?
        switch plan.input {
        case .none:
            reader = nil
            isTerminal = false
        case .inherited:
            reader = InputReader(descriptor: 0, isOwned: false)
            isTerminal = isatty(0) == 1
        case .file(let path):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw UsageProblem(field: "--stdin", problem: "\(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            reader = InputReader(descriptor: descriptor, isOwned: true)
            isTerminal = false
        }
        if plan.wantsTerminal, !isTerminal {
            standardInput = Self.ending(reader)
        } else if let reader {
            standardInput = .pieces { try await reader.next() }
        } else {
            standardInput = .none
        }
    }

    /// What the reader has, then ^D: twice after an unfinished line, which the first one only hands over (termios(3), VEOF).
    private static func ending(_ reader: InputReader?) -> StandardInput {
        let state = InputEnding()
        return .pieces {
            if await !state.isAtEnd {
                if let piece = try await reader?.next() {
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
