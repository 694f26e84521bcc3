import BridgeSSH
import SSHTestSupport

/// Compares the outcomes of a sweep with the bytes on the wire.
struct SweepJudge: Sendable {
    let map: SessionMap

    /// Errors of any outcome: unclassified, unsure, or wrong about the command.
    ///
    /// Called when no process of the connection is left, so that a command that has not run will not run.
    func general(_ outcome: SweptSession.Outcome) -> [String] {
        var problems: [String] = []
        guard let error = outcome.error else {
            if outcome.output != SweptSession.output || outcome.errorOutput != SweptSession.errorOutput {
                problems.append("a success with the output \(outcome.output)\(outcome.errorOutput)")
            }
            if !outcome.commandHasRun { problems.append("a success of a command that has not run") }
            return problems
        }
        if error.code == .localLibraryFailure || error.exitStatus.rawValue == 255 { problems.append("not classified") }
        if error.confidence == .guess { problems.append("a guess") }
        if error.message.isEmpty || error.hint.isEmpty { problems.append("says nothing") }
        switch error.commandMayHaveRun {
        case .no where outcome.commandHasRun: problems.append("the command has run, and it says no")
        case .yes where !outcome.commandHasRun: problems.append("the command has not run, and it says yes")
        default: break
        }
        return problems
    }

    /// Errors in the outcome of a connection that ended, by an end or a reset, after this many bytes.
    func cut(_ outcome: SweptSession.Outcome) -> [String] {
        guard let error = outcome.error else {
            return outcome.offset >= map.success ? [] : ["a success before the end of the output and the status had come"]
        }
        let received = error.evidence.bytesReceived
        var problems = place(error, received)
        if received >= map.success { problems.append("a failure although the end of the output and the status had come") }
        if received > outcome.offset { problems.append("\(received) bytes received") }
        let expected: SSHError.Code =
            switch map.part(afterServerBytes: received) {
            case .identification: .bannerClosed
            case .keyExchange: received == map.server.identificationLength ? .kexClosedEarly : .kexClosed
            case .authentication:
                // A login that a busy machine delayed looks like one whose time limit passed, and the verdict names
                // that as the reason.
                error.code == .authTimedOut && (error.evidence.awaitedSeconds ?? 0) >= 2 ? .authTimedOut : .authConnectionDropped
            case .channelOpening, .commandStart, .command: .sessionConnectionLost
            }
        if error.code != expected { problems.append("not \(expected)") }
        return problems
    }

    /// Errors in the outcome of a connection that fell silent after this many bytes.
    func stalled(_ outcome: SweptSession.Outcome) -> [String] {
        guard let error = outcome.error else {
            return outcome.offset >= map.success ? [] : ["a success before the end of the output and the status had come"]
        }
        var problems = place(error, outcome.offset)
        if outcome.offset >= map.success { problems.append("a failure although the end of the output and the status had come") }
        let expected: SSHError.Code =
            switch map.part(afterServerBytes: outcome.offset) {
            case .identification: .bannerTimedOut
            case .keyExchange: .kexTimedOut
            case .authentication: .authTimedOut
            case .channelOpening, .commandStart: .channelTimedOut
            case .command: .commandTimedOut
            }
        if error.code != expected { problems.append("not \(expected)") }
        return problems
    }

    /// Whether a session reached the altered byte, and had enough time.
    func isReached(_ outcome: SweptSession.Outcome, of side: FaultProxy.Side) -> Bool {
        guard let error = outcome.error else { return true }
        let passed = side == .server ? error.evidence.bytesReceived : outcome.clientBytes
        let isHarmless = (side == .server ? map.server : map.client).isUnread(outcome.offset)
        let part = side == .server ? map.part(afterServerBytes: outcome.offset) : map.part(ofClientByte: outcome.offset)
        return passed > outcome.offset && !(isHarmless && timedOut(error)) && !ranOut(error, before: part)
    }

    /// Whether a session reached the byte at which its stream fell silent, with enough time to notice.
    func isStalled(_ outcome: SweptSession.Outcome) -> Bool {
        guard let error = outcome.error else { return true }
        let part = map.part(afterServerBytes: outcome.offset)
        return error.evidence.bytesReceived >= outcome.offset && !ranOut(error, before: part)
    }

    /// On a very busy machine, a deadline may pass before bytes that have arrived are read.
    private func ranOut(_ error: SSHError, before part: SessionMap.Part) -> Bool {
        timedOut(error) && part != .identification && seen(error) != part.stage
    }

    private func timedOut(_ error: SSHError) -> Bool { error.code.rawValue.hasSuffix("timed-out") }

    /// Errors in the outcome of a session in which one byte from either side was altered.
    func altered(_ outcome: SweptSession.Outcome, of side: FaultProxy.Side) -> [String] {
        let clear = side == .server ? map.server : map.client
        guard let error = outcome.error else {
            let last = side == .server ? map.success : map.clientStarts[.command] ?? 0
            return outcome.offset >= last || clear.isUnread(outcome.offset) ? [] : ["a success with a byte that was altered"]
        }
        var problems: [String] = []
        let part = side == .server ? map.part(afterServerBytes: outcome.offset) : map.part(ofClientByte: outcome.offset)
        // A change in the identification may be noticed only during key exchange.
        let stages: Set<SSHStage> = part == .identification ? [.banner, .keyExchange] : [part.stage]
        let isBehind = side == .server ? outcome.offset >= map.success : false
        if !stages.contains(seen(error)), !isBehind { problems.append("seen in \(seen(error))") }
        if !Self.brokenStream.contains(error.code) { problems.append("blames the wrong side") }
        return problems
    }

    /// The allowed codes for a broken stream; none of them is a refusal.
    private static let brokenStream: Set<SSHError.Code> = [
        .bannerClosed, .bannerNotSSH, .bannerTimedOut, .bannerUnsupportedVersion,
        .kexClosed, .kexClosedEarly, .kexDisconnected, .kexProtocolError, .kexTimedOut, .kexHostKeySignatureInvalid,
        .kexNoCommonKex, .kexNoCommonHostKeyAlgorithm, .kexNoCommonCipher, .kexNoCommonMAC, .kexNoCommonCompression,
        .authConnectionDropped, .authTimedOut, .channelTimedOut,
        .sessionConnectionLost, .sessionDisconnected, .sessionProtocolError, .commandTimedOut,
    ]

    private func place(_ error: SSHError, _ received: Int) -> [String] {
        let part = map.part(afterServerBytes: received)
        var problems: [String] = []
        // A reset may arrive before the client knows that it is connected.
        let isEarly = received == 0 && seen(error) == .connect
        if seen(error) != part.stage, !isEarly { problems.append("seen in \(seen(error)), not in \(part.stage)") }
        if error.commandMayHaveRun != .no, part < .commandStart { problems.append("the command was not sent") }
        if error.commandMayHaveRun == .no, part > .commandStart { problems.append("the command was sent") }
        return problems
    }

    /// A command's deadline passes in its own stage, which on the wire is the session.
    private func seen(_ error: SSHError) -> SSHStage { error.evidence.stage == .command ? .session : error.evidence.stage }
}

extension SweptSession.Outcome {
    /// For a test's failure message.
    var summary: String {
        guard let error else { return "byte \(offset): success" }
        let library = error.evidence.library.map { "\($0.name) \($0.function)" } ?? ""
        return """
            byte \(offset): \(error.code) in \(error.evidence.stage), \(error.confidence), command may have run: \
            \(error.commandMayHaveRun), \(error.evidence.bytesReceived) bytes received, stream \(error.evidence.stream), \(library)
            """
    }
}
