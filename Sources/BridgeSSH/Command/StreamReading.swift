internal import Synchronization

/// What all readers of one output stream share: whether one of them reads now, and what has come and was not returned. So a
/// loop that is left and begun again goes on where it was.
package struct StreamReading {
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
    package enum Refusal {
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
        /// The caller receives chunks until the buffer, which is its own meanwhile, has a line, and then calls
        /// ``received(_:isAtEnd:)``.
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
package struct StreamReadings {
    private var standardOutput = StreamReading(isCollected: true)
    private var standardError: StreamReading

    package init(collectsErrors: Bool) { standardError = StreamReading(isCollected: collectsErrors) }

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
    package var areUnfinished: Bool { standardOutput.isUnfinished || standardError.isUnfinished }
}

/// Collects one stream up to a limit.
package final class OutputCollector: Sendable {
    private let stream: SSHEvidence.OutputStream
    private let limit: Int
    private let collected = Mutex<[UInt8]>([])

    package init(_ stream: SSHEvidence.OutputStream, limit: Int) {
        self.stream = stream
        self.limit = limit
    }

    package var bytes: [UInt8] { collected.withLock { $0 } }

    /// An array that grows by doubling is briefly in memory twice. Reserved room that is not written to takes no memory, so
    /// reserve much of it early, but never so much that growing once more would pass the limit.
    static func makeRoom(for count: Int, in bytes: inout [UInt8], limit: Int) {
        guard bytes.count + count > max(bytes.capacity, 1 << 20) else { return }
        bytes.reserveCapacity(room(beyond: bytes.capacity, limit: limit))
    }

    /// How much to reserve when this much is too little.
    static func room(beyond capacity: Int, limit: Int) -> Int {
        let larger = max(256 << 20, 2 * capacity)
        return larger > limit / 2 ? limit : larger
    }

    /// Reads to the end of the stream. Output beyond the limit ends the command.
    ///
    /// - Parameter arrived: called, as output arrives, with all that has been collected.
    package func collect(from execution: SSHExecution, arrived: ([UInt8]) -> Void = { _ in }) async throws {
        while let chunk = try await execution.next(stream) {
            let fits = take(chunk)
            arrived(bytes)
            if !fits { return await overflowed(execution) }
        }
    }

    /// Keeps what there is room for.
    ///
    /// - Returns: whether that was all of it.
    package func take(_ chunk: SSHOutputChunk) -> Bool {
        collected.withLock { bytes in
            let room = limit - bytes.count
            Self.makeRoom(for: min(room, chunk.count), in: &bytes, limit: limit)
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(room)) }
            return chunk.count <= room
        }
    }

    /// Keeps what there is room for of bytes that may be none.
    ///
    /// - Returns: whether that was all of them.
    func take(copying bytes: [UInt8]) -> Bool {
        bytes.isEmpty || take(SSHOutputChunk(copying: bytes, stream: stream))
    }

    /// Ends a command that has written more than the limit.
    package func overflowed(_ execution: SSHExecution) async { await execution.interrupt(.outputLimit(stream, limit)) }
}

extension SSHCommandEvidence {
    /// How it ended, as far as is known.
    var termination: SSHTermination {
        if let exitStatus { return .exited(exitStatus) }
        return exitSignal.map { .signalled($0) } ?? .unknown
    }
}

/// What runs on a session channel (RFC 4254 section 6.5).
package enum ChannelProgram: Sendable {
    case command(String)
    case subsystem(String)
    /// A shell that the command is typed into.
    case shell(String)

    /// The most bytes that libssh2 sends as a command.
    package static var mostBytes: Int { Session.longestCommand }

    package var text: String {
        switch self {
        case .command(let text), .subsystem(let text), .shell(let text): text
        }
    }

    /// The request that starts it.
    var request: SSHEvidence.ChannelRequest {
        switch self {
        case .command: .exec
        case .subsystem: .subsystem
        case .shell: .shell
        }
    }

    /// What the request says: a shell's says nothing.
    var argument: String {
        if case .shell = self { return "" }
        return text
    }

    var isShell: Bool { request == .shell }

    /// What a log says of its start.
    var opening: String {
        switch self {
        case .command: "opening a session channel"
        case .subsystem(let name): "starting the \(name) subsystem"
        case .shell: "starting a shell"
        }
    }

    /// What a log says of its run.
    var running: String {
        switch self {
        case .command: "running the command"
        case .subsystem(let name): "the \(name) subsystem runs"
        case .shell: "waiting for the shell's prompt"
        }
    }

    var field: String {
        switch self {
        case .command, .shell: "command"
        case .subsystem: "subsystem"
        }
    }
}
