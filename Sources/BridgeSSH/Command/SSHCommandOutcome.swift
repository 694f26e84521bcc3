/// How a streaming run ended.
public struct SSHCommandOutcome<Value> {
    /// What the closure returned.
    public let value: Value
    /// How the command ended; `unknown` where it was ended and the server did not say how.
    public let termination: SSHTermination
    /// Whether the command still ran when the closure returned, and was ended then
    /// (``SSHExecution/WhenBodyReturns``). How it ended is no failure then.
    public let wasTerminated: Bool
    /// The time from the exec request to the end of the output.
    public let duration: Duration
    /// What is known of the command; at least where it did not succeed.
    var evidence: SSHEvidence? { seen?.value }
    let seen: Boxed<SSHEvidence>?

    init(value: Value, _ ending: SSHExecution.Ending, duration: Duration) {
        self.value = value
        termination = ending.termination
        wasTerminated = ending.wasTerminated
        self.duration = duration
        seen = ending.seen
    }

    /// The outcome of a command that was not run, for tests.
    public init(value: Value, termination: SSHTermination = .exited(0), wasTerminated: Bool = false, duration: Duration = .zero) {
        self.value = value
        self.termination = termination
        self.wasTerminated = wasTerminated
        self.duration = duration
        seen = Boxed(SSHCommandResult(command: "", termination: termination).evidence)
    }

    /// The outcome of a command that a script has answered.
    package init(value: Value, of command: SSHCommandResult, wasTerminated: Bool) {
        self.value = value
        termination = command.termination
        self.wasTerminated = wasTerminated
        duration = command.duration
        seen = Boxed(command.evidence)
    }

    /// The verdict on a command that did not succeed; nil for exit status 0, and for a command that was ended on purpose.
    public var error: SSHError? {
        termination.isSuccess || wasTerminated ? nil : evidence.map { SSHFailureClassifier.classify($0) }
    }

    /// The closure's value, if the command exited with status 0 or was ended because the closure had returned.
    ///
    /// - Throws: ``error`` if it did neither.
    public func checked() throws -> Value {
        if let error { throw error }
        return value
    }
}

extension SSHCommandOutcome: Sendable where Value: Sendable {}

/// One of a running command's output streams: pieces as they come, with back-pressure.
///
/// A slow reader slows the server down: unread output stays with the server once the channel's window is full: 2 MiB, and up to
/// 32 MiB on a path whose delay needs more than that for a round trip. The two streams of a command share that window, so an
/// unread stream can block the other; see
/// ``SSHConnection/execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
///
/// For one reader at a time: a second one gets an error. All readers share the stream's position, so a loop that is left and
/// begun again loses nothing, also where one reads lines and the next pieces.
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
        /// - Throws: `SSHError` when the connection is lost before the end, `ssh.local.usage` when another task is reading the
        ///   stream or only its tail is kept; `CancellationError`.
        public mutating func next() async throws -> SSHOutputChunk? {
            try await source.next(stream)
        }
    }

    /// An iterator; all of a stream's iterators share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source, stream: stream)
    }

    /// The stream as lines of UTF-8 of at most 1 MiB, without their line ends; invalid bytes become U+FFFD.
    public var lines: SSHOutputLines { lines(maximumLength: 1 << 20) }

    /// The stream as lines of UTF-8, without their line ends; invalid bytes become U+FFFD.
    ///
    /// - Parameter maximumLength: the most bytes that a line may have without its line end; 0 or less lets only empty lines
    ///   pass. A longer line throws `ssh.command.output-limit-exceeded`, and stays in the stream.
    public func lines(maximumLength: Int) -> SSHOutputLines {
        SSHOutputLines(output: self, maximumLength: Swift.max(0, maximumLength))
    }
}
