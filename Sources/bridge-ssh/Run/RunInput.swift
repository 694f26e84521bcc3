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

    private typealias Piece = @Sendable () async throws -> [UInt8]?

    /// A terminal's own end-of-input character, ^D: a pseudo-terminal knows no other end.
    private static let endOfInput: UInt8 = 4

    /// - Parameter use: told when something is read that cannot be read again.
    /// - Throws: `UsageProblem` if the file cannot be opened.
    init(_ plan: RunPlan, use: InputUse) throws {
        let reader: InputReader?
        var isRepeatable = false
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
            isRepeatable = Self.isRegularFile(descriptor)
            isTerminal = false
        }
        let next = Self.reading(reader, isRepeatable: isRepeatable, isTerminal: isTerminal, use)
        if plan.wantsTerminal, !isTerminal {
            standardInput = Self.ending(next)
        } else if let next {
            standardInput = .pieces(next)
        } else {
            standardInput = .none
        }
    }

    private static func reading(_ reader: InputReader?, isRepeatable: Bool, isTerminal: Bool, _ use: InputUse) -> Piece? {
        guard let reader else { return nil }
        return {
            let piece = try await reader.next()
            // The end of a pipe is there again; that of a terminal was typed once.
            if !isRepeatable, piece != nil || isTerminal { use.took() }
            return piece
        }
    }

    private static func isRegularFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What the reader has, then ^D: twice after an unfinished line, which the first one only hands over (termios(3), VEOF).
    private static func ending(_ next: Piece?) -> StandardInput {
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
