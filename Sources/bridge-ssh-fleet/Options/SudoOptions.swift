internal import ArgumentParser
internal import BridgeSSH
internal import SSHCommandLine

/// Running the command as root.
struct SudoOptions: ParsableArguments {
    @Flag(help: "Run the command through sudo. Its password is asked for once, and sent only to sudo's own prompt.")
    var sudo = false

    @Option(
        help: ArgumentHelp(
            "A file with sudo's password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file())
    var sudoPasswordFile: String?

    /// The password, asked for or read; nil without sudo.
    ///
    /// - Throws: `UsageProblem`, `CancellationError`.
    func password(mayAsk: Bool) async throws -> SSHSecret? {
        guard sudo || sudoPasswordFile != nil else { return nil }
        return try await HostAccess.secret(
            sudoPasswordFile, prompt: "Password for sudo, on all hosts: ", option: "--sudo-password-file", mayAsk: mayAsk)
    }
}
