internal import Synchronization

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
