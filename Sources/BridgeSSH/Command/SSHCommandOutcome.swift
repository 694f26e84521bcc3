/// How a streaming run ended.
public struct SSHCommandOutcome<Value> {
    /// What the closure returned.
    public let value: Value
    /// How the command ended; `unknown` if it was ended and the server did not report how.
    public let termination: SSHTermination
    /// Whether the command was still running when the closure returned, and was then ended (``SSHExecution/WhenBodyReturns``). In
    /// that case its termination is not a failure.
    public let wasTerminated: Bool
    /// The time from the exec request to the end of the output.
    public let duration: Duration
    /// The evidence of the command; always present if it did not succeed.
    var evidence: SSHEvidence? { boxedEvidence?.value }
    let boxedEvidence: Boxed<SSHEvidence>?

    init(value: Value, _ ending: SSHExecution.CommandEnd, duration: Duration) {
        self.value = value
        termination = ending.termination
        wasTerminated = ending.wasTerminated
        self.duration = duration
        boxedEvidence = ending.boxedEvidence
    }

    /// The outcome of a command that did not run, for tests.
    public init(value: Value, termination: SSHTermination = .exited(0), wasTerminated: Bool = false, duration: Duration = .zero) {
        self.value = value
        self.termination = termination
        self.wasTerminated = wasTerminated
        self.duration = duration
        boxedEvidence = Boxed(SSHCommandResult(command: "", termination: termination).evidence)
    }

    /// The outcome of a command that a test script answered.
    package init(value: Value, of command: SSHCommandResult, wasTerminated: Bool) {
        self.value = value
        termination = command.termination
        self.wasTerminated = wasTerminated
        duration = command.duration
        boxedEvidence = Boxed(command.evidence)
    }

    /// The verdict on a command that failed; nil for exit status 0, and for a command that was ended on purpose.
    public var error: SSHError? {
        termination.isSuccess || wasTerminated ? nil : evidence.map { SSHFailureClassifier.classify($0) }
    }

    /// The closure's value, if the command exited with status 0, or was ended because the closure had returned.
    ///
    /// - Throws: ``error`` otherwise.
    public func checked() throws -> Value {
        if let error { throw error }
        return value
    }
}

extension SSHCommandOutcome: Sendable where Value: Sendable {}
extension SSHCommandOutcome: Equatable where Value: Equatable {}
extension SSHCommandOutcome: Hashable where Value: Hashable {}

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
