import BridgeSSH
import SSHRun

/// A request to run a command or start a subsystem. Descriptors come with the frame. For a command they are those of its
/// standard input, unless it has none, and of its two outputs, unless they are collected; for a subsystem, a socket for both
/// directions.
struct RunRequest: FieldCoded {
    /// The command, or the subsystem's name.
    var command = ""
    var isSubsystem = false
    var options = SSHCommandOptions()
    var connectTimeout = Duration.zero
    var hasInput = false
    var inputIsRepeatable = false
    var inputIsTerminal = false
    var collectsOutput = false
    /// Whether the helper sends stages and notices.
    var wantsEvents = false
    var wantsWaitingNote = false
    /// Whether keepalives are sent meanwhile: in a terminal session, and for a copy.
    var watchesServer = false
    var keepFor = 0.0

    static var blank: RunRequest { RunRequest() }

    /// How many descriptors come with the frame.
    var descriptorCount: Int { isSubsystem ? 1 : (hasInput ? 1 : 0) + (collectsOutput ? 0 : 2) }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&command)
        try coder.code(&isSubsystem)
        try coder.code(&options)
        try coder.code(&connectTimeout)
        try coder.code(&hasInput)
        try coder.code(&inputIsRepeatable)
        try coder.code(&inputIsTerminal)
        try coder.code(&collectsOutput)
        try coder.code(&wantsEvents)
        try coder.code(&wantsWaitingNote)
        try coder.code(&watchesServer)
        try coder.code(&keepFor)
    }
}

/// The current size of a terminal.
struct TerminalSize: FieldCoded {
    var columns = 0
    var rows = 0

    static var blank: TerminalSize { TerminalSize() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&columns, in: 0...Int(Int32.max))
        try coder.code(&rows, in: 0...Int(Int32.max))
    }
}

struct TextList: FieldCoded {
    var texts: [String] = []

    static var blank: TextList { TextList() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) { try coder.code(&texts) }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a run ended. The helper has sent the collected output before.
struct OutcomeReport: FieldCoded {
    private enum Kind: String {
        case ended
        case failed
        case outputClosed
        case cancelled
        case unforeseen
    }

    /// Whether another connection would help after a failure.
    enum Remedy: String {
        case none
        /// Yes: this connection is dead, and the command was not sent over it.
        case another
        /// Yes: this connection has as many commands as the server allows.
        case separate
    }

    private var kind = Kind.unforeseen
    private var termination = TerminationFields()
    private var text = ""
    /// JSON of the `SSHError`, empty for none.
    private var error: [UInt8] = []
    private var times: [Double] = []
    var inputWasTaken = false
    var remedy = Remedy.none

    static var blank: OutcomeReport { OutcomeReport() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(name: &kind)
        try coder.code(&termination)
        try coder.code(&text)
        try coder.code(bytes: &error)
        try coder.code(&times)
        try coder.code(&inputWasTaken)
        try coder.code(name: &remedy)
    }
}

extension OutcomeReport {
    init(_ end: RunOutcome.End, timings: SSHStageTimings) {
        switch end {
        case .ended(let termination, let error):
            kind = .ended
            self.termination = TerminationFields(value: termination)
            self.error = error.map(Self.encoded) ?? []
        case .failed(let error):
            kind = .failed
            self.error = Self.encoded(error)
        case .outputClosed: kind = .outputClosed
        case .cancelled: kind = .cancelled
        case .unforeseen(let text):
            kind = .unforeseen
            self.text = text
        }
        times = [
            timings.seconds.resolve, timings.seconds.connect, timings.seconds.banner, timings.seconds.keyExchange,
            timings.seconds.authentication, timings.seconds.channel,
            timings.seconds.command,
        ]
    }

    /// - Throws: a decoding error if the error cannot be read.
    func end() throws -> RunOutcome.End {
        switch kind {
        case .ended: .ended(termination.value, error.isEmpty ? nil : try Self.decoded(error))
        case .failed: .failed(try Self.decoded(error))
        case .outputClosed: .outputClosed
        case .cancelled: .cancelled(signal: nil)
        case .unforeseen: .unforeseen(text)
        }
    }

    var timings: SSHStageTimings {
        var timings = SSHStageTimings()
        guard times.count == 7 else { return timings }
        (timings.seconds.resolve, timings.seconds.connect, timings.seconds.banner, timings.seconds.keyExchange) = (
            times[0], times[1], times[2], times[3]
        )
        (timings.seconds.authentication, timings.seconds.channel, timings.seconds.command) = (times[4], times[5], times[6])
        return timings
    }

    private static func encoded(_ error: SSHError) -> [UInt8] {
        // The error consists of texts and numbers only, so encoding cannot fail.
        (try? JSONEncoder().encode(error)).map { [UInt8]($0) } ?? []
    }

    private static func decoded(_ bytes: [UInt8]) throws -> SSHError {
        try JSONDecoder().decode(SSHError.self, from: Data(bytes))
    }
}

/// The end of a command.
struct TerminationFields: FieldCoded {
    var value = SSHTermination.unknown

    static var blank: TerminationFields { TerminationFields() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var status: Int?
        var signal: String?
        var message = ""
        var coreDumped = false
        switch value {
        case .exited(let number): status = number
        case .signalled(let ending): (signal, message, coreDumped) = (ending.name, ending.message, ending.coreDumped)
        case .unknown: break
        }
        try coder.code(&status)
        try coder.code(&signal)
        try coder.code(&message)
        try coder.code(&coreDumped)
        if let status {
            value = .exited(status)
        } else {
            value = signal.map { .signalled(SSHExitSignal(name: $0, coreDumped: coreDumped, message: message)) } ?? .unknown
        }
    }
}
