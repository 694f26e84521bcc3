package import BridgeSSH

/// Where one output of a command goes. Handed in.
package protocol OutputSink: Sendable {
    /// Takes all of a piece, one at a time; returns when the next may come.
    ///
    /// - Throws: `OutputFailure`.
    func write(_ chunk: SSHOutputChunk) async throws

    /// Ends the waiting for a reader that has stalled. Nothing more is taken.
    func abandon()

    /// Whether it was given up with a reader that had stalled: what came later would overtake what that one still has to get.
    var isAbandoned: Bool { get }

    /// How long ago the last piece was taken; nil while one is being taken.
    var idleTime: Duration? { get }
}

/// Why an output takes nothing more.
package enum OutputFailure: Error, Equatable {
    /// Nothing reads it any more.
    case closed
    /// The system refused, with another errno.
    case system(Int32)
    /// The run was given up while the reader stalled.
    case abandoned
}

/// Where an output goes that nothing shows: it is read, so that it cannot block the channel.
package struct NoOutput: OutputSink {
    package init() {}
    package var isAbandoned: Bool { false }
    package var idleTime: Duration? { .zero }
    package func write(_ chunk: SSHOutputChunk) {}
    package func abandon() {}
}
