import BridgeSSHFleet
import FleetOutput

/// Shared helpers of the renderers' tests.
enum Rendering {
    /// The text that a renderer writes to each stream for these events.
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
}
