/// A pseudo-terminal (RFC 4254 section 6.2).
public struct SSHPTYOptions: Sendable, Hashable {
    /// The value of TERM; without a NUL.
    public var terminal: String
    /// Width in characters; a number outside of 0 to 65535, which no terminal has, counts as the nearest of these.
    public var columns: Int
    /// Height in characters; as the width.
    public var rows: Int
    /// Encoded terminal modes, TTY_OP_END behind them (RFC 4254 section 8); empty for the server's own.
    public var modes: [UInt8] = []

    /// A terminal of this kind and size.
    public init(terminal: String = "xterm", columns: Int = 80, rows: Int = 24) {
        self.terminal = terminal
        self.columns = columns
        self.rows = rows
    }
}

/// As they are passed to the process that has a kept connection.
extension SSHPTYOptions: FieldCoded {
    package static var blank: SSHPTYOptions { SSHPTYOptions() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&terminal)
        try coder.code(&columns, in: 0...Int(Int32.max))
        try coder.code(&rows, in: 0...Int(Int32.max))
        try coder.code(bytes: &modes)
    }
}
