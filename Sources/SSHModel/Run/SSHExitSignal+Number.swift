extension SSHExitSignal {
    /// The signal's number on Linux (signal(7)); nil for a name that is not a signal's there.
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

    /// The name of a signal by its number on Linux, without SIG.
    package static func name(ofNumber number: Int) -> String? {
        numbers.first { $0.value == number }?.key
    }
}
