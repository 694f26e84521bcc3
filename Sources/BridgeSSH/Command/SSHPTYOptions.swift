/// A pseudo-terminal (RFC 4254 section 6.2).
public struct SSHPTYOptions: Sendable, Hashable {
    /// The value of TERM; without a NUL.
    public var terminal: String
    /// Width in characters; a number outside of 0 to 65535, which no terminal has, counts as the nearest of these.
    public var columns: Int
    /// Height in characters; as the width.
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
