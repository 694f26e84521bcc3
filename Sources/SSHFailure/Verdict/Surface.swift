/// The reader of a remedy. Rules word a remedy for the command line, where most are read. For the library, a property or type
/// replaces the option.
package enum Surface: Sendable {
    case commandLine
    case library

    /// The remedy in the terms of this surface.
    package func wording(of remedy: String) -> String {
        switch self {
        case .commandLine: remedy
        case .library: Self.phrases.reduce(remedy) { $1.applied(to: $0) }
        }
    }

    /// A phrase of the command line, and its replacement in the library. Clauses come first, single options last.
    struct Phrase {
        let commandLine: String
        let library: String

        init(_ commandLine: String, _ library: String) {
            self.commandLine = commandLine
            self.library = library
        }

        /// A `…` matches any text up to the following part.
        func applied(to text: String) -> String {
            let parts = commandLine.split(separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let start = text.firstRange(of: parts[0]),
                let end = text[start.upperBound...].firstRange(of: parts[1])
            else { return parts.count == 2 ? text : text.replacing(commandLine, with: library) }
            return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: library)
        }
    }

    static let phrases: [Phrase] = [
        // Interaction and terminals.
        Phrase("let `--wait 5m` try until it lets you in", "again and again until it lets you in"),
        // Another program is needed for what libssh2 cannot do.
        Phrase("Or use `--via ssh`: OpenSSH's ssh ", "OpenSSH's ssh "),
        Phrase("Use `--via ssh`: OpenSSH's ssh ", "OpenSSH's ssh "),
        Phrase("a terminal to answer questions on", "an SSHInteraction that answers questions"),
        Phrase(
            "Run in a terminal to be asked; a password may also be given in a file.",
            "Give an SSHInteraction that answers, or SSHCredentials.password."),
        Phrase("Run in a terminal to be asked,", "Give an SSHInteraction that asks,"),
        Phrase("or run in a terminal to be asked", "or an SSHInteraction that asks for one"),
        Phrase("Run without `--tty`;", "Leave SSHCommandOptions.pty out;"),
        Phrase(
            "remember it: `bridge-ssh trust …`; or run again with --host-key-policy accept-new",
            "connect again with the host key policy .acceptNew, or .ask and an SSHInteraction"),
        Phrase(
            "or name another known_hosts file",
            "name another file first in SSHKnownHostsFiles.user, or set SSHKnownHostsFiles.acceptsWithoutRemembering"),
        // Subcommands.
        Phrase("`bridge-ssh trust --update …`", "SSHKnownHostsWriter replaces it"),
        Phrase("Then add it: `bridge-ssh trust …`", "Then add it with SSHKnownHostsWriter."),
        Phrase("To trust it later: `bridge-ssh trust …`", "To trust it later: SSHKnownHostsWriter.add."),
        Phrase("For files use `bridge-ssh copy`;", "For files use withSFTP;"),
        Phrase("bridge-ssh doctor lists them", "SSHClient.diagnose lists them"),
        Phrase("See `bridge-ssh …`.", "See the documentation of what was called."),
        Phrase("Run again with -v to see", "Connect again with a logger at debug level to see"),
        Phrase("Leave out -4 or -6", "Set SSHConnectionConfiguration.addressFamily to .any"),
        Phrase("or run with `--config none`", "or read no configuration file"),
        Phrase("with all that was printed", "with the error's evidence"),
        Phrase("or run without --json to stream it", "or read it as it comes, with execute"),
        // Options.
        Phrase("with --identity", "in SSHCredentials.identities"),
        Phrase("--identity FILE --identities-only", "SSHCredentials.identities, with identitiesOnly"),
        Phrase("--identity FILE", "SSHCredentials.identities"),
        Phrase("--identity", "SSHCredentials.identities"),
        Phrase("--password-file FILE", "SSHCredentials.password"),
        Phrase("--password-file", "SSHCredentials.password"),
        Phrase("--passphrase-file FILE", "SSHCredentials.passphrase"),
        Phrase("--passphrase-file", "SSHCredentials.passphrase"),
        Phrase("run with `--shell`", "use runInShell"),
        Phrase("use `--shell`", "use runInShell"),
        Phrase("without --shell it may start the command", "`run` may start the command"),
        Phrase("`--prompt REGEX`", "SSHShellOptions.prompt"),
        Phrase("`--prompt", "SSHShellOptions.prompt: `"),
        Phrase("--connect-timeout", "SSHTimeouts.connect"),
        Phrase("--idle-timeout", "SSHCommandOptions.idleTimeout"),
        Phrase("--timeout", "SSHCommandOptions.timeout"),
        Phrase("--output-limit", "SSHCommandOptions.outputLimit"),
        Phrase("`--recursive` (-r)", "SFTPCopyOptions.isRecursive"),
        Phrase("--recursive", "SFTPCopyOptions.isRecursive"),
        Phrase("--resume", "SFTPCopyOptions.resumes"),
    ]
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
