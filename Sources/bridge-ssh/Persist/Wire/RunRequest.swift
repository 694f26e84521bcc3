import BridgeSSH

/// A command for a helper to run. The descriptors of its standard input, unless it has none, and of its two outputs, unless
/// they are collected, come with it.
struct RunRequest: FieldCoded {
    var command = ""
    var environment: [String] = []
    var timeout: Duration?
    var idleTimeout: Duration?
    var drain: Duration?
    var outputLimit = 0
    var terminal: TerminalRequest?
    var connectTimeout = Duration.zero
    var hasInput = false
    var inputIsRepeatable = false
    var inputIsTerminal = false
    var collects = false
    /// Whether stages and notices are wanted.
    var wantsEvents = false
    var wantsWaitingNote = false
    var keepFor = 0.0

    static var blank: RunRequest { RunRequest() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&command)
        try coder.code(&environment)
        try coder.code(&timeout)
        try coder.code(&idleTimeout)
        try coder.code(&drain)
        try coder.code(&outputLimit)
        try coder.code(&terminal)
        try coder.code(&connectTimeout)
        try coder.code(&hasInput)
        try coder.code(&inputIsRepeatable)
        try coder.code(&inputIsTerminal)
        try coder.code(&collects)
        try coder.code(&wantsEvents)
        try coder.code(&wantsWaitingNote)
        try coder.code(&keepFor)
    }
}

extension RunRequest {
    /// The command's options, which travel as fields.
    var options: CommandOptions {
        get {
            var options = CommandOptions()
            options.environment = stride(from: 0, to: environment.count - 1, by: 2).map { (environment[$0], environment[$0 + 1]) }
            options.timeout = timeout
            options.idleTimeout = idleTimeout
            options.drain = drain
            options.outputLimit = outputLimit
            options.pty = terminal?.options
            return options
        }
        set {
            environment = newValue.environment.flatMap { [$0.name, $0.value] }
            timeout = newValue.timeout
            idleTimeout = newValue.idleTimeout
            drain = newValue.drain
            outputLimit = newValue.outputLimit
            terminal = newValue.pty.map(TerminalRequest.init)
        }
    }
}

/// A pseudo-terminal.
struct TerminalRequest: FieldCoded {
    var options = PTYOptions()

    static var blank: TerminalRequest { TerminalRequest() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&options.terminal)
        try coder.code(&options.columns, in: 0...Int(Int32.max))
        try coder.code(&options.rows, in: 0...Int(Int32.max))
        try coder.code(bytes: &options.modes)
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
