/// How a command is to be run.
public struct CommandOptions: Sendable {
    /// Environment variables to set at the server, in order. One that it refuses (AcceptEnv of sshd_config(5)) is a notice.
    public var environment: [(name: String, value: String)] = []
    /// Allocates a pseudo-terminal; standard error then comes on standard output.
    public var pty: PTYOptions?
    /// Reads both streams as one, in the order in which their packets arrived: all comes on standard output, standard error is
    /// empty, and ``OutputChunk/stream`` gives the stream that each piece was written to. Default false.
    ///
    /// The order is the server's: what a command writes to both streams before the server looks may be sent standard output
    /// first (OpenSSH's sshd does so), and a server that is held up joins what it has of each.
    public var mergesOutput = false
    /// Seconds that the command may run; nil for any.
    public var timeout: Double?
    /// Seconds for which it may write nothing; nil for any.
    public var idleTimeout: Double?
    /// Seconds after the exit status for which its output may stay open, held by what it left behind; nil for any.
    public var drain: Double?
    /// The longest output that is collected, in bytes a stream. Default 64 MiB.
    public var outputLimit = 64 << 20

    /// The defaults.
    public init() {}

    /// Whether a clock is to be watched while it runs.
    var hasDeadlines: Bool { timeout != nil || idleTimeout != nil || drain != nil }
}

/// A pseudo-terminal (RFC 4254 section 6.2).
public struct PTYOptions: Sendable, Hashable {
    /// The value of TERM.
    public var terminal: String
    /// Width in characters.
    public var columns: Int
    /// Height in characters.
    public var rows: Int
    /// Encoded terminal modes (RFC 4254 section 8); empty for the server's own.
    public var modes: [UInt8] = []

    /// A terminal of this kind and size.
    public init(terminal: String = "xterm", columns: Int = 80, rows: Int = 24) {
        self.terminal = terminal
        self.columns = columns
        self.rows = rows
    }
}

/// What a command reads.
public struct StandardInput: Sendable {
    /// The next piece, nil at the end. Asked for ahead of what the server has room for by 128 KiB and a piece at most.
    let next: @Sendable () async throws -> [UInt8]?
    let isEmpty: Bool

    /// Nothing: its standard input ends at once.
    public static let none = StandardInput(next: { nil }, isEmpty: true)

    /// These bytes.
    public static func bytes(_ bytes: [UInt8]) -> StandardInput {
        let source = OneShot(bytes)
        return StandardInput(next: { source.take() }, isEmpty: bytes.isEmpty)
    }

    /// Whatever `next` returns, until it returns nil. What it throws ends the run.
    public static func pieces(_ next: @escaping @Sendable () async throws -> [UInt8]?) -> StandardInput {
        StandardInput(next: next, isEmpty: false)
    }
}
