import BridgeSSH
import ErrorCore

/// One failure of a log.
enum LogReport {
    /// `2026-01-05T09:00:01Z web1 ssh.connect.refused: web1 port 22 refused the connection. (likely)`
    static func line(of failure: LoggedFailure) -> String {
        let error = failure.error
        let place = [failure.time?.description ?? "", failure.source, failure.host].filter { !$0.isEmpty }
        return place.map { inert($0) }.joined(separator: " ") + (place.isEmpty ? "" : " ")
            + "\(error.code): \(inert(error.message)) (\(error.confidence.rawValue))\n"
    }

    /// Words from the log, on one line.
    static func inert(_ text: String) -> String { TerminalText.escape(text).replacing("\n", with: " ") }

    static func json(of failure: LoggedFailure) -> JSONValue {
        .members([
            "schema": .string("bridge-ssh/1"),
            "outcome": .string("failed"),
            "exitStatus": failure.exitStatus.map { .integer($0) } ?? .null,
            "time": failure.time.map { .string($0.description) } ?? .null,
            "client": failure.client.map { .string($0) } ?? .null,
            "inventoryHost": failure.inventoryHost.isEmpty ? .null : .string(failure.inventoryHost),
            "source": failure.source.isEmpty ? .null : .string(failure.source),
            "error": failure.error.json,
        ])
    }
}
