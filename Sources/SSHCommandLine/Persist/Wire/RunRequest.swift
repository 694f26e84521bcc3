import BridgeSSH

/// A command for a helper to run, or a subsystem to start. The descriptors of a command's standard input, unless it has none, and of
/// its two outputs, unless they are collected, come with it; for a subsystem a socket, which its bytes go through both ways.
struct RunRequest: FieldCoded {
    /// The command, or the subsystem's name.
    var command = ""
    var isSubsystem = false
    var options = SSHCommandOptions()
    var connectTimeout = Duration.zero
    var hasInput = false
    var inputIsRepeatable = false
    var inputIsTerminal = false
    var collects = false
    /// Whether stages and notices are wanted.
    var wantsEvents = false
    var wantsWaitingNote = false
    /// Whether a silent server is asked meanwhile whether it is there: in a terminal session, and for a copy.
    var watchesServer = false
    var keepFor = 0.0

    static var blank: RunRequest { RunRequest() }

    /// How many descriptors come with it.
    var descriptorCount: Int { isSubsystem ? 1 : (hasInput ? 1 : 0) + (collects ? 0 : 2) }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&command)
        try coder.code(&isSubsystem)
        try coder.code(&options)
        try coder.code(&connectTimeout)
        try coder.code(&hasInput)
        try coder.code(&inputIsRepeatable)
        try coder.code(&inputIsTerminal)
        try coder.code(&collects)
        try coder.code(&wantsEvents)
        try coder.code(&wantsWaitingNote)
        try coder.code(&watchesServer)
        try coder.code(&keepFor)
    }
}

/// The size that a terminal has now.
struct TerminalSize: FieldCoded {
    var columns = 0
    var rows = 0

    static var blank: TerminalSize { TerminalSize() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&columns, in: 0...Int(Int32.max))
        try coder.code(&rows, in: 0...Int(Int32.max))
    }
}

/// Several texts.
struct Texts: FieldCoded {
    var texts: [String] = []

    static var blank: Texts { Texts() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) { try coder.code(&texts) }
}
