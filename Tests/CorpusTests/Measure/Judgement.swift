import BridgeSSH

/// The classifier's result for one entry, compared with its expectation.
struct Judgement: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The expected cause with its parameter, or none if none is expected.
        case right
        /// A cause was expected, but none was found.
        case missed
        /// Another cause than the expected one, a wrong parameter, or a cause although none is expected.
        case wrong
    }

    let entry: Entry
    let outcome: Outcome
    let found: SSHRemoteCause?
    let verdict: Verdict

    init(_ entry: Entry, _ outcome: Outcome) {
        self.entry = entry
        self.outcome = outcome
        found = SSHRemoteCauseClassifier.cause(
            exitStatus: outcome.status, command: entry.command, standardError: outcome.standardError)
        verdict =
            switch (entry.expectation, found) {
            case (.nothing, nil): .right
            case (.nothing, .some): .wrong
            case (.cause, nil): .missed
            case (.cause(let wanted), .some(let found)): wanted.agrees(with: found) ? .right : .wrong
            }
    }
}

extension Judgement: CustomStringConvertible {
    var description: String {
        let wanted =
            switch entry.expectation {
            case .nothing: "no cause"
            case .cause(let wanted): "\(wanted.code) \(wanted.parameter ?? "") \(wanted.reason ?? "")"
            }
        let said = found.map { "\($0.code) \($0.appError.corpusParameter ?? "") (\($0.confidence)) \($0.reason?.code ?? "")" }
        return """
            \(verdict): \(entry.shell.name) \(entry.language) \(entry.command)
              expected \(wanted)
              found    \(said ?? "no cause")
              status \(outcome.status): \(outcome.standardError.suffix(600))
            """
    }
}
