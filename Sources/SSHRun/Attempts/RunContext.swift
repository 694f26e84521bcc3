package import BridgeSSH
package import Logging

/// What a run works with. Handed in: one process may have any number of runs, each with its own.
package struct RunContext: Sendable {
    /// Connects to a host; the times are in the timeline also if it fails.
    package typealias Connect = @Sendable (SSHEndpoint, SSHConnectionConfiguration, Timeline) async throws -> SSHConnection

    package let control: RunControl
    package let log: any RunLog
    package let logger: Logger
    /// What pauses between attempts, durations and patience are measured by.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The terminal of the person who started the run; nil without one.
    package var terminal: (any RunTerminal)?
    /// Reports that the exit status has arrived and the output stays open; nil where the note would have no reader.
    package var waitingNote: (@Sendable (SSHTermination) -> Void)?
    package var connect: Connect = { try await SSHClient.connect(to: $0, configuration: $1, timeline: $2) }

    package init(control: RunControl, log: any RunLog, logger: Logger) {
        self.control = control
        self.log = log
        self.logger = logger
    }
}

/// The terminal of the person who started a run. Handed in.
package protocol RunTerminal: Sendable {
    /// Columns and rows; nil where they are not known.
    var size: (columns: Int, rows: Int)? { get }

    /// The terminal's modes, encoded as in RFC 4254 section 8; empty where there are none.
    ///
    /// - Parameter terminal: the value of TERM that they are sent with.
    func modes(for terminal: String) -> [UInt8]

    /// Every key goes to the command as it is, ^C and ^Z too.
    func makeRaw()

    /// Ends ``makeRaw()``.
    func restore()
}
