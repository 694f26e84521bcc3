/// A pseudo-terminal (RFC 4254 section 6.2).
public struct SSHPTYOptions: Sendable, Hashable {
    /// The value of TERM; without a NUL.
    public var terminal: String
    /// Width in characters; a number outside of 0 to 65535, which no terminal has, counts as the nearest of these.
    public var columns: Int
    /// Height in characters; as the width.
    public var rows: Int
    /// Encoded terminal modes, each an opcode from 1 to 159 and four bytes of its value, the most significant first, and TTY_OP_END, a
    /// zero, behind them (RFC 4254 section 8); empty for the server's own. With other bytes the command is not run: a server may end
    /// the connection for them. With ``terminal`` at most 256 bytes, which is libssh2's limit.
    public var modes: [UInt8]

    /// A terminal of this kind and size.
    public init(terminal: String = "xterm", columns: Int = 80, rows: Int = 24, modes: [UInt8] = []) {
        self.terminal = terminal
        self.columns = columns
        self.rows = rows
        self.modes = modes
    }
}

extension SSHPTYOptions {
    /// Why a server would not understand it; nil if it would.
    var problem: (field: String, text: String)? {
        if terminal.utf8.contains(0) { return ("terminal", "TERM holds a NUL character; remove it") }
        let count = terminal.utf8.count + modes.count
        if count > 256 { return ("pty", "TERM and the modes have \(count) bytes together; libssh2 can send 256") }
        guard !modes.isEmpty else { return nil }
        let entries = stride(from: 0, to: modes.count - 1, by: 5)
        guard modes.count % 5 == 1, modes.last == 0, entries.allSatisfy({ (1...159).contains(modes[$0]) }) else {
            return (
                "pty.modes",
                "they are no terminal modes; write each as an opcode from 1 to 159 and four bytes, and a 0 behind the last"
            )
        }
        return nil
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
