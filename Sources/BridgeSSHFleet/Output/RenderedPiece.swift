/// A piece of what is shown of a run, in the order in which it is written.
package struct RenderedPiece: Sendable {
    /// Where it goes: what hosts say to either, what bridge-ssh says to standard error.
    package let stream: SSHEvidence.OutputStream
    /// Makes the bytes when they are written, so that long ones are not in memory at once.
    package let make: @Sendable () throws -> [UInt8]

    package init(_ stream: SSHEvidence.OutputStream, make: @escaping @Sendable () throws -> [UInt8]) {
        self.stream = stream
        self.make = make
    }

    package init(_ stream: SSHEvidence.OutputStream, _ bytes: [UInt8]) {
        self.init(stream) { bytes }
    }

    package init(_ stream: SSHEvidence.OutputStream, _ text: String) {
        self.init(stream, Array(text.utf8))
    }
}

/// Makes one form of output of a run's events. It writes nothing itself: its pieces are written in order before the next event.
package protocol FleetRenderer: Sendable {
    /// Whether it shows output as it comes, and so needs the events `output`.
    var needsPieces: Bool { get }
    /// Whether nothing more is shown once it has thrown.
    var endsWithFailure: Bool { get }

    /// Takes the next event.
    ///
    /// - Throws: `SSHError` if what it keeps on disk cannot be written.
    mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws
}

extension FleetRenderer {
    package var endsWithFailure: Bool { true }
}

/// Where rendered pieces are written.
package protocol FleetSink: Sendable {
    /// Takes all bytes; returns when the next may come.
    func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws
}
