internal import NIOCore

/// One output stream of a running command: pieces as they arrive, with back-pressure.
///
/// A slow reader slows the server down. Unread output stays on the server once the channel's window is full. The window is 2 MiB,
/// and up to 32 MiB on a path with a long round trip. Both streams of a command share it, so an unread stream can block the
/// other; see ``SSHConnection/execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
///
/// Only one task may read at a time: a second one gets an error. All readers share the stream's position. A loop that is left and
/// started again loses nothing, even if one loop reads lines and the next reads pieces.
public struct SSHOutput: AsyncSequence, Sendable {
    /// A piece of output.
    public typealias Element = SSHOutputChunk

    let source: any OutputSource
    let stream: SSHEvidence.OutputStream

    package init(source: any OutputSource, stream: SSHEvidence.OutputStream) {
        self.source = source
        self.stream = stream
    }

    /// Reads a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: any OutputSource
        let stream: SSHEvidence.OutputStream

        /// The next piece; nil at the end of the stream.
        ///
        /// - Throws: `SSHError` if the connection is lost before the end; `ssh.local.usage` if another task is reading the
        ///   stream, or if only its tail is kept; `CancellationError`.
        public mutating func next() async throws -> SSHOutputChunk? {
            try await source.next(stream)
        }
    }

    /// An iterator. All iterators of a stream share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source, stream: stream)
    }

    /// The stream as lines of UTF-8, at most 1 MiB each, without line ends. Invalid bytes become U+FFFD.
    public var lines: SSHOutputLines { lines(maximumLength: 1 << 20) }

    /// The stream as lines of UTF-8, without line ends. Invalid bytes become U+FFFD.
    ///
    /// - Parameter maximumLength: the greatest length of a line in bytes, without its line end; 0 or less allows only empty
    ///   lines. A longer line throws `ssh.command.output-limit-exceeded`, and stays in the stream.
    public func lines(maximumLength: Int) -> SSHOutputLines {
        SSHOutputLines(output: self, maximumLength: Swift.max(0, maximumLength))
    }
}

/// A stream as lines. Text without a line end at the end of the stream is a line; a final line end does not start another one.
public struct SSHOutputLines: AsyncSequence, Sendable {
    /// A line, without LF or CR LF.
    public typealias Element = String

    let output: SSHOutput
    let maximumLength: Int

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let output: SSHOutput
        let maximumLength: Int

        /// The next line; nil at the end. Throws the stream's errors, and an error for a line that is too long.
        public mutating func next() async throws -> String? {
            try await output.source.nextLine(output.stream, limit: maximumLength)
        }
    }

    /// An iterator. All iterators of a stream share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(output: output, maximumLength: maximumLength)
    }

    /// The first line for which a closure on the caller's actor returns true; nil if there is none.
    ///
    /// - Throws: as ``AsyncIterator/next()``; errors of `predicate`.
    public func first(
        isolation: isolated (any Actor)? = #isolation, where predicate: (String) async throws -> Bool
    ) async throws -> String? {
        for try await line in self where try await predicate(line) { return line }
        return nil
    }
}

/// Received bytes of a stream that have not been returned as lines yet.
struct LineBuffer {
    private var bytes: [UInt8] = []
    /// The start of the next line.
    private var position = 0
    /// Between ``position`` and this index there is no line end.
    private var searched = 0
    /// The stream of the latest bytes.
    private var stream = SSHEvidence.OutputStream.standardOutput

    enum Outcome: Equatable {
        case line(String)
        case incomplete
        /// The next line exceeds the length limit.
        case tooLong
    }

    var isEmpty: Bool { position == bytes.count }

    mutating func append(_ chunk: SSHOutputChunk) {
        if position > 0 {
            bytes.removeSubrange(..<position)
            (position, searched) = (0, searched - position)
        }
        stream = chunk.stream
        chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Takes the next line.
    ///
    /// - Parameters:
    ///   - limit: the greatest length in bytes, without the line end.
    ///   - isAtEnd: whether the stream has ended, so that the remaining bytes are a line.
    mutating func take(limit: Int, isAtEnd: Bool) -> Outcome {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) ?? (isAtEnd && !isEmpty ? bytes.count : nil) else {
            searched = bytes.count
            return Self.length(bytes[position...]) > limit ? .tooLong : .incomplete
        }
        let count = Self.length(bytes[position..<end])
        guard count <= limit else { return .tooLong }
        let line = String(decoding: bytes[position..<position + count], as: UTF8.self)
        position = min(end + 1, bytes.count)
        searched = position
        return .line(line)
    }

    /// The length without a CR at the end, which is part of a line end or may be.
    private static func length(_ line: ArraySlice<UInt8>) -> Int {
        line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
    }

    /// Takes all remaining bytes, for a reader that does not want lines.
    mutating func takeRest() -> SSHOutputChunk? {
        guard !isEmpty else { return nil }
        defer { self = LineBuffer() }
        return SSHOutputChunk(ByteBuffer(bytes: bytes[position...]), stream: stream)
    }
}

/// The source of an output stream: a command's channel or, in tests, a script.
package protocol OutputSource: AnyObject, Sendable {
    /// The next piece; nil at the end.
    func next(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk?
    /// The next line; nil at the end.
    ///
    /// - Parameter limit: the greatest length of the line, in bytes.
    func nextLine(_ stream: SSHEvidence.OutputStream, limit: Int) async throws -> String?
}

/// A source whose readers share the position in each stream.
package protocol SharedOutputSource: OutputSource {
    /// Gives access to the state that the readers of its streams share.
    func withReadings<Result>(_ body: (inout StreamReadings) -> Result) -> Result
    /// - Throws: `ssh.local.closed` after the closure that borrowed the command has returned.
    func checkLent() async throws
    /// Waits for the next piece of a stream; nil at the end.
    func receive(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk?
    /// The error for a fault, with the known facts about the command.
    func failure(_ fault: Fault) async -> SSHError
}

extension SharedOutputSource {
    package func next(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk? {
        try await checkLent()
        switch withReadings({ $0[stream].begin() }) {
        case .chunk(let rest): return rest
        case .refused(let refusal): throw await failure(refusal.fault(on: stream))
        case .receive: break
        }
        do {
            let chunk = try await receive(stream)
            withReadings { $0[stream].received(isAtEnd: chunk == nil) }
            return chunk
        } catch {
            withReadings { $0[stream].received(isAtEnd: false) }
            throw error
        }
    }

    package func nextLine(_ stream: SSHEvidence.OutputStream, limit: Int) async throws -> String? {
        try await checkLent()
        var buffer: LineBuffer
        switch withReadings({ $0[stream].beginLine(limit: limit) }) {
        case .line(let line): return line
        case .end: return nil
        case .tooLong: throw await failure(Self.tooLong(stream, limit))
        case .refused(let refusal): throw await failure(refusal.fault(on: stream))
        case .receive(let pending): buffer = pending
        }
        var isAtEnd = false
        defer { withReadings { [buffer, isAtEnd] in $0[stream].received(buffer, isAtEnd: isAtEnd) } }
        while true {
            let chunk = try await receive(stream)
            if let chunk { buffer.append(chunk) } else { isAtEnd = true }
            switch buffer.take(limit: limit, isAtEnd: isAtEnd) {
            case .line(let line): return line
            case .tooLong: throw await failure(Self.tooLong(stream, limit))
            case .incomplete: if isAtEnd { return nil }
            }
        }
    }

    private static func tooLong(_ stream: SSHEvidence.OutputStream, _ limit: Int) -> Fault {
        Fault(.lineTooLong(stream: stream, limit: limit), stage: .command)
    }
}

extension StreamReading.Refusal {
    fileprivate func fault(on stream: SSHEvidence.OutputStream) -> Fault {
        let field = stream == .standardOutput ? "standard output" : "standard error"
        let problem =
            switch self {
            case .notCollected: "only its tail is kept; to read it, call execute with standardError: .stream"
            case .isBeingRead: "another task is reading it; a stream has one reader at a time"
            }
        return Fault(.usage(field: field, problem: problem), stage: .local)
    }
}

/// The target of standard input: a command's channel or, in tests, a script.
package protocol InputTarget: AnyObject, Sendable {
    /// Whether the command is being ended. After that, write failures are not reported to the writer.
    var isInterrupted: Bool { get }
    /// - Returns: whether the other end still reads.
    func send(_ piece: InputPiece) async throws(Fault) -> Bool
    func endInput() async throws(Fault)
    /// The error for a fault, with the known facts about the command.
    func failure(_ fault: Fault) async -> SSHError
}
