internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine

/// Running the command as root.
struct SudoOptions: ParsableArguments {
    @Flag(
        help:
            "Run the command through sudo. A password is asked for when a host wants one, once for all, and sent only to sudo's own prompt."
    )
    var sudo = false

    @Option(
        help: ArgumentHelp(
            "A file with sudo's password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file())
    var sudoPasswordFile: String?

    /// The password, read or to be asked for; nil without sudo. Where none is named, it is asked for when a host wants one: many
    /// want none (NOPASSWD, sudoers(5)).
    ///
    /// - Throws: `UsageProblem`, `CancellationError`.
    func password(mayAsk: Bool) async throws -> SudoPassword? {
        if let sudoPasswordFile {
            return SudoPassword(try await Self.secret(sudoPasswordFile, mayAsk: mayAsk))
        }
        guard sudo else { return nil }
        guard mayAsk else { return SudoPassword(asking: nil) }
        return SudoPassword(asking: { try await Self.secret("-", mayAsk: true) })
    }

    private static func secret(_ path: String, mayAsk: Bool) async throws -> SSHSecret {
        try await HostAccess.secret(
            path, prompt: "Password for sudo, on all hosts: ", option: "--sudo-password-file", mayAsk: mayAsk)
    }

    /// Whether the command runs through sudo.
    var isAskedFor: Bool { sudo || sudoPasswordFile != nil }
}
