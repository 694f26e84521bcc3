/// The end of a remote command. A non-zero status is a value, not an error, until the caller asks with `checked()`.
public enum SSHTermination: Sendable, Hashable, Codable {
    /// The command exited with this status: 0–255 on any POSIX system (RFC 4254 section 6.10).
    case exited(Int)
    /// A signal ended the command.
    case signalled(SSHExitSignal)
    /// The channel closed without a status or signal. This is never a success.
    case unknown

    /// Whether it exited with status 0.
    public var isSuccess: Bool { self == .exited(0) }
}

/// `exit-signal` (RFC 4254 section 6.10).
public struct SSHExitSignal: Sendable, Hashable, Codable {
    /// The signal's name without SIG, such as `KILL`; names outside the RFC's list may carry `@domain`.
    public var name: String
    /// Whether a core was dumped.
    public var coreDumped: Bool
    /// The server's explanation, usually empty.
    public var message: String

    /// Makes an exit signal.
    public init(name: String, coreDumped: Bool = false, message: String = "") {
        self.name = name
        self.coreDumped = coreDumped
        self.message = message
    }
}

extension SSHExitSignal {
    /// The signal's number on Linux (signal(7)); nil if Linux has no such signal.
    public var number: Int? {
        let bare = name.split(separator: "@", omittingEmptySubsequences: false).first.map(String.init) ?? name
        return Self.numbers[bare.hasPrefix("SIG") ? String(bare.dropFirst(3)) : bare]
    }

    /// signal(7), the numbers of x86 and ARM.
    private static let numbers: [String: Int] = [
        "HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "TRAP": 5, "ABRT": 6, "BUS": 7, "FPE": 8, "KILL": 9, "USR1": 10, "SEGV": 11,
        "USR2": 12, "PIPE": 13, "ALRM": 14, "TERM": 15, "STKFLT": 16, "CHLD": 17, "CONT": 18, "STOP": 19, "TSTP": 20,
        "TTIN": 21, "TTOU": 22, "URG": 23, "XCPU": 24, "XFSZ": 25, "VTALRM": 26, "PROF": 27, "WINCH": 28, "IO": 29,
        "PWR": 30, "SYS": 31,
    ]

    /// The name, without SIG, of the signal with this number on Linux.
    package static func name(ofNumber number: Int) -> String? {
        numbers.first { $0.value == number }?.key
    }
}
