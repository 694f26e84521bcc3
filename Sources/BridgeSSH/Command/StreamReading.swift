/// What all readers of one output stream share: whether one of them reads now, and what has come and was not returned. So a loop
/// that is left and begun again goes on where it was.
struct StreamReading {
    /// Whether it can be read at all, or only its tail is kept.
    private let isCollected: Bool
    private var isBeingRead = false
    private(set) var hasBegun = false
    private(set) var hasEnded = false
    private var lines = LineBuffer()

    init(isCollected: Bool) { self.isCollected = isCollected }

    /// Whether it was begun and not read to its end.
    var isUnfinished: Bool { hasBegun && !(hasEnded && lines.isEmpty) }

    /// Why it cannot be read now.
    enum Refusal {
        case notCollected
        case isBeingRead
    }

    enum Step {
        case refused(Refusal)
        case chunk(SSHOutputChunk)
        /// The caller receives the next chunk, and then calls ``received(_:)``.
        case receive
    }

    enum LineStep {
        case refused(Refusal)
        case line(String)
        case tooLong
        case end
        /// The caller receives chunks until the buffer, which is its own meanwhile, has a line, and then calls ``received(_:isAtEnd:)``.
        case receive(LineBuffer)
    }

    private mutating func refusal() -> Refusal? {
        if !isCollected { return .notCollected }
        if isBeingRead { return .isBeingRead }
        hasBegun = true
        return nil
    }

    mutating func begin() -> Step {
        if let refusal = refusal() { return .refused(refusal) }
        if let rest = lines.takeRest() { return .chunk(rest) }
        isBeingRead = true
        return .receive
    }

    /// - Parameter isAtEnd: whether the end of the stream came.
    mutating func received(isAtEnd: Bool) {
        isBeingRead = false
        if isAtEnd { hasEnded = true }
    }

    mutating func beginLine(limit: Int) -> LineStep {
        if let refusal = refusal() { return .refused(refusal) }
        switch lines.take(limit: limit, isAtEnd: hasEnded) {
        case .line(let line): return .line(line)
        case .tooLong: return .tooLong
        case .incomplete where hasEnded: return .end
        case .incomplete:
            isBeingRead = true
            defer { lines = LineBuffer() }
            return .receive(lines)
        }
    }

    mutating func received(_ rest: LineBuffer, isAtEnd: Bool) {
        lines = rest
        received(isAtEnd: isAtEnd)
    }
}

/// Both streams of a command.
struct StreamReadings {
    private var standardOutput = StreamReading(isCollected: true)
    private var standardError: StreamReading

    init(collectsErrors: Bool) { standardError = StreamReading(isCollected: collectsErrors) }

    subscript(stream: SSHEvidence.OutputStream) -> StreamReading {
        _read {
            switch stream {
            case .standardOutput: yield standardOutput
            case .standardError: yield standardError
            }
        }
        _modify {
            switch stream {
            case .standardOutput: yield &standardOutput
            case .standardError: yield &standardError
            }
        }
    }

    /// Whether a stream was begun and not read to its end.
    var areUnfinished: Bool { standardOutput.isUnfinished || standardError.isUnfinished }
}
