import BridgeSSH
import SSHRun

/// A remote path as a person types it.
package enum RemotePath {
    /// The path as SFTP takes it; empty for where the server starts, the home directory.
    ///
    /// - Throws: `UsageProblem` for another user's home directory: no shell expands a tilde at the server.
    package static func typed(_ text: Substring) throws -> String {
        guard text.hasPrefix("~") else { return String(text) }
        if text == "~" { return "" }
        guard text.hasPrefix("~/") else {
            throw UsageProblem(
                field: "path",
                problem: "\(PathText.shown(String(text))) names another user's home directory; write its absolute path")
        }
        return String(text.dropFirst(2).drop { $0 == "/" })
    }
}
