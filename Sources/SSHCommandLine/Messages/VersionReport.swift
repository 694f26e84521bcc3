import BridgeSSH
import ErrorCore

/// What `--version` says behind the versions: the known defects of the loaded libssh2, and what is done about each.
enum VersionReport {
    static func text() -> String {
        let (version, package, holes) = Library.report()
        let name = package.map { "libssh2 \(version) (Debian's package \($0))" } ?? "libssh2 \(version)"
        guard !holes.isEmpty else { return "\(name) has no known defect that a server could use.\n" }
        let heading = "\(name) has known defects that a server could use. What each can do, and what bridge-ssh does about it:"
        let lines = holes.flatMap { hole in
            fold("- \(hole.name): \(hole.effect) \(hole.defence)", hanging: "  ")
        }
        return (fold(heading, hanging: "") + lines).joined(separator: "\n") + "\n"
    }

    private static func fold(_ text: String, hanging: String) -> [String] {
        let width = max(40, LocalTerminal.width) - hanging.count
        return TerminalText.fold(text, width: width).enumerated().map { $0.offset == 0 ? $0.element : hanging + $0.element }
    }
}
