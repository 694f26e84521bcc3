internal import Synchronization

/// The state that all readers of one output stream share: whether one of them is reading, and the received bytes that no
/// reader has got. So a loop that is left and started again continues at the same place.
package struct StreamReading {
    /// Whether the stream can be read; false if only its tail is kept.
    private let isCollected: Bool
    private var isBeingRead = false
    private(set) var hasBegun = false
    private(set) var hasEnded = false
    private var lines = LineBuffer()

    init(isCollected: Bool) { self.isCollected = isCollected }

    /// Whether reading was started and did not reach the end.
    var isUnfinished: Bool { hasBegun && !(hasEnded && lines.isEmpty) }

    /// Why the stream cannot be read at present.
    package enum Refusal {
        case notCollected
        case isBeingRead
    }

    enum Step {
        case refused(Refusal)
        case chunk(SSHOutputChunk)
        /// The caller must receive the next chunk, and then call ``received(_:)``.
        case receive
    }

    enum LineStep {
        case refused(Refusal)
        case line(String)
        case tooLong
        case end
        /// The caller must receive chunks until the buffer has a line, and then call ``received(_:isAtEnd:)``. Meanwhile the
        /// caller owns the buffer.
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

    /// - Parameter isAtEnd: whether the stream has ended.
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

/// The reading state of both streams of a command.
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

    /// Whether reading one of the streams was started and did not reach its end.
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

    /// Reserves memory for `count` bytes. An array that grows by doubling is briefly in memory twice, while reserved memory takes
    /// no space until it is written. So reserve a lot early, but never so much that the next growth would exceed the limit.
    static func makeSpace(for count: Int, in bytes: inout [UInt8], limit: Int) {
        guard bytes.count + count > max(bytes.capacity, 1 << 20) else { return }
        bytes.reserveCapacity(space(beyond: bytes.capacity, limit: limit))
    }

    /// The capacity to reserve when this one is too small.
    static func space(beyond capacity: Int, limit: Int) -> Int {
        let larger = max(256 << 20, 2 * capacity)
        return larger > limit / 2 ? limit : larger
    }

    /// Reads to the end of the stream. Output beyond the limit ends the command.
    ///
    /// - Parameter arrived: called with everything collected so far, whenever output arrives.
    package func collect(from execution: SSHExecution, arrived: ([UInt8]) -> Void = { _ in }) async throws {
        while let chunk = try await execution.next(stream) {
            let fits = take(chunk)
            arrived(bytes)
            if !fits { return await overflowed(execution) }
        }
    }

    /// Stores as many bytes as fit.
    ///
    /// - Returns: whether all of them fit.
    package func take(_ chunk: SSHOutputChunk) -> Bool {
        collected.withLock { bytes in
            let space = limit - bytes.count
            Self.makeSpace(for: min(space, chunk.count), in: &bytes, limit: limit)
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(space)) }
            return chunk.count <= space
        }
    }

    /// Stores as many bytes as fit; there may be none.
    ///
    /// - Returns: whether all of them fit.
    func take(copying bytes: [UInt8]) -> Bool {
        bytes.isEmpty || take(SSHOutputChunk(copying: bytes, stream: stream))
    }

    /// Ends a command that has exceeded the output limit.
    package func overflowed(_ execution: SSHExecution) async { await execution.interrupt(.outputLimit(stream, limit)) }
}

extension SSHCommandEvidence {
    /// The end of the channel's command, as far as it is known.
    var termination: SSHTermination {
        if let exitStatus { return .exited(exitStatus) }
        return exitSignal.map { .signalled($0) } ?? .unknown
    }
}
