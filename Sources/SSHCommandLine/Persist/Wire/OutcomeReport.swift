import BridgeSSH
import SSHRun

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a run ended, as a helper reports it. What was collected has come before.
struct OutcomeReport: FieldCoded {
    private enum Kind: String {
        case ended
        case failed
        case outputClosed
        case cancelled
        case unforeseen
    }

    /// What another connection could do about a failure.
    enum Remedy: String {
        case none
        /// This one is dead, and the command was not sent over it.
        case another
        /// This one carries as many commands as the server allows.
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
            timings.resolve, timings.connect, timings.banner, timings.keyExchange, timings.authentication, timings.channel,
            timings.command,
        ]
    }

    /// - Throws: what reading the error throws.
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
        (timings.resolve, timings.connect, timings.banner, timings.keyExchange) = (times[0], times[1], times[2], times[3])
        (timings.authentication, timings.channel, timings.command) = (times[4], times[5], times[6])
        return timings
    }

    private static func encoded(_ error: SSHError) -> [UInt8] {
        // It is made of texts and numbers only; there is nothing in it that could not be encoded.
        (try? JSONEncoder().encode(error)).map { [UInt8]($0) } ?? []
    }

    private static func decoded(_ bytes: [UInt8]) throws -> SSHError {
        try JSONDecoder().decode(SSHError.self, from: Data(bytes))
    }
}

/// How a command ended.
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
