/// Hosts of an earlier run by what became of them: the last part of `@run:RUN:ok|failed|error|unknown|skipped|CODE`.
package enum RunSelector: Sendable, Equatable {
    case outcome(FleetHostOutcome)
    /// A failure's code; with a `*` at its end all that begin alike.
    case code(String)

    /// - Returns: nil for what is neither an outcome nor can be a code.
    package init?(_ text: String) {
        if let outcome = FleetHostOutcome(rawValue: text) {
            self = .outcome(outcome)
        } else if text.hasPrefix("ssh.") {
            self = .code(text)
        } else {
            return nil
        }
    }

    package func matches(_ record: HostRecord) -> Bool {
        switch self {
        case .outcome(let outcome): return record.outcome == outcome
        case .code(let code):
            guard let found = record.code else { return false }
            return code.hasSuffix("*") ? found.hasPrefix(code.dropLast()) : found == code
        }
    }
}
