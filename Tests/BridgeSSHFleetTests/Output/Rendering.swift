import BridgeSSH
import BridgeSSHFleet
import ErrorCore

/// What the tests of the output share.
enum Rendering {
    /// What a renderer writes to each stream for these events.
    static func of(_ renderer: some FleetRenderer, _ events: [FleetEvent]) throws -> (output: String, error: String) {
        let bytes = try bytes(of: renderer, events)
        return (String(decoding: bytes.output, as: UTF8.self), String(decoding: bytes.error, as: UTF8.self))
    }

    static func bytes(of renderer: some FleetRenderer, _ events: [FleetEvent]) throws -> (output: [UInt8], error: [UInt8]) {
        var renderer = renderer
        var pieces: [RenderedPiece] = []
        for event in events { try renderer.take(event, &pieces) }
        var (output, error): ([UInt8], [UInt8]) = ([], [])
        for piece in pieces {
            if piece.stream == .standardOutput { output += try piece.make() } else { error += try piece.make() }
        }
        return (output, error)
    }

    static let terminal: OutputForm = {
        var form = OutputForm()
        (form.isOutputTerminal, form.isErrorTerminal, form.isShared) = (true, true, true)
        return form
    }()

    /// Names joined by commas: folding is tested elsewhere.
    @Sendable static func joined(_ names: [String]) -> String { names.joined(separator: ",") }

    static func started(_ hosts: Int, journal: String? = nil) -> FleetEvent {
        .started(.init(run: "20261123-021000-000abc", hosts: hosts, command: "uptime", parallel: 8, journal: journal))
    }

    static func output(_ host: String, _ text: String, _ stream: SSHEvidence.OutputStream = .standardOutput) -> FleetEvent {
        .output(host: host, stream: stream, bytes: Array(text.utf8))
    }

    static func result(
        _ host: String, _ outcome: FleetHostOutcome = .ok, status: Int? = nil, code: SSHError.Code? = nil, output: String = "",
        error: String = ""
    ) -> FleetHostResult {
        var result = FleetHostResult(host: host, outcome: outcome, attempts: outcome == .skipped ? 0 : 1)
        let status = status ?? (outcome == .ok ? 0 : nil)
        result.termination = status.map { .exited($0) }
        if let code {
            result.error = SSHError(code, host: host, commandMayHaveRun: outcome == .unknown ? .unknown : .no)
        } else if outcome == .failed, let status {
            let ended = SSHCommandResult(command: "uptime", termination: .exited(status), standardError: Array(error.utf8))
            do { try ended.checked() } catch { result.error = error as? SSHError }
        }
        result.standardOutput = FleetKeptOutput(bytes: Array(output.utf8))
        result.standardError = FleetKeptOutput(bytes: Array(error.utf8))
        result.duration = .milliseconds(1500)
        return result
    }

    static func ended(
        _ host: String, _ outcome: FleetHostOutcome = .ok, status: Int? = nil, code: SSHError.Code? = nil, output: String = "",
        error: String = ""
    ) -> FleetEvent {
        .ended(result(host, outcome, status: status, code: code, output: output, error: error))
    }

    static func summary(_ results: [FleetHostResult]) -> FleetSummary {
        var tally = FleetTally()
        for result in results { tally.add(result) }
        return tally.summary(run: "20261123-021000-000abc", duration: .seconds(2), folded: joined)
    }
}
