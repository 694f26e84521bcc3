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
