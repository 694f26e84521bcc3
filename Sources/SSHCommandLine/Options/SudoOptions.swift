internal import ArgumentParser

/// Running the command, or the SFTP server of a copy, as root.
package struct SudoOptions: ParsableArguments {
    @Flag(
        help:
            "Do it as root, through sudo. A password is asked for when a host wants one, once for all, and sent only to sudo's own prompt."
    )
    var sudo = false

    @Option(
        help: ArgumentHelp(
            "A file with sudo's password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file())
    var sudoPasswordFile: String?

    package init() {}

    /// Whether sudo is wanted.
    package var isAskedFor: Bool { sudo || sudoPasswordFile != nil }
}

extension SudoOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .flag("--sudo") { $0.sudo = $1 },
        .value("--sudo-password-file") { $0.sudoPasswordFile = $1 },
    ]
}
