/// Whom a remedy is written for. Rules word it for the command line, where most of them are read; a user of the library is told
/// the property or the type in place of the option.
package enum Surface: Sendable {
    case commandLine
    case library

    /// A remedy in the words of this surface.
    package func wording(of remedy: String) -> String {
        switch self {
        case .commandLine: remedy
        case .library: Self.phrases.reduce(remedy) { $1.applied(to: $0) }
        }
    }

    /// A phrase of the command line and what the library says. The first ones are whole clauses, the last ones options alone.
    private struct Phrase {
        let commandLine: String
        let library: String

        init(_ commandLine: String, _ library: String) {
            self.commandLine = commandLine
            self.library = library
        }

        /// A `…` stands for any text up to what follows it.
        func applied(to text: String) -> String {
            let parts = commandLine.split(separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let start = text.firstRange(of: parts[0]),
                let end = text[start.upperBound...].firstRange(of: parts[1])
            else { return parts.count == 2 ? text : text.replacing(commandLine, with: library) }
            return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: library)
        }
    }

    private static let phrases: [Phrase] = [
        // Persons and terminals.
        Phrase("a terminal to answer questions on", "an Interaction that answers questions"),
        Phrase("Run in a terminal to be asked; for a password, give", "Give an Interaction that answers; for a password, give"),
        Phrase("Run in a terminal to be asked,", "Give an Interaction that asks,"),
        Phrase("or run in a terminal to be asked", "or an Interaction that asks for one"),
        Phrase("Run without --tty;", "Leave CommandOptions.pty out;"),
        Phrase(
            "run again with --host-key-policy accept-new, or `ask` on a terminal",
            "connect again with the host key policy .acceptNew, or .ask and an Interaction"),
        // Subcommands.
        Phrase("`bridge-ssh trust --update …`", "KnownHostsWriter replaces it"),
        Phrase("Then add it: `bridge-ssh trust …`", "Then add it with KnownHostsWriter."),
        Phrase("To trust it later: `bridge-ssh trust …`", "To trust it later: KnownHostsWriter.add."),
        Phrase("For files use `bridge-ssh copy`;", "For files use withSFTP;"),
        Phrase("bridge-ssh doctor lists them", "SSHClient.diagnose lists them"),
        Phrase("See `bridge-ssh …`.", "See the documentation of what was called."),
        Phrase("Run again with -v to see", "Connect again with a logger at debug level to see"),
        Phrase("or run with --config none", "or read no configuration file"),
        Phrase("with the output of --json", "with the error's evidence"),
        Phrase("or run without --json to stream it", "or read it as it comes, with execute"),
        // Options.
        Phrase("with --identity", "in Credentials.identities"),
        Phrase("--identity FILE --identities-only", "Credentials.identities, with identitiesOnly"),
        Phrase("--identity FILE", "Credentials.identities"),
        Phrase("--identity", "Credentials.identities"),
        Phrase("--password-file FILE", "Credentials.password"),
        Phrase("--password-file", "Credentials.password"),
        Phrase("--passphrase-file", "Credentials.passphrase"),
        Phrase("--connect-timeout", "Timeouts.connect"),
        Phrase("--idle-timeout", "CommandOptions.idleTimeout"),
        Phrase("--timeout", "CommandOptions.timeout"),
        Phrase("--output-limit", "CommandOptions.outputLimit"),
        Phrase("--recursive (-r)", "SFTPCopyOptions.isRecursive"),
        Phrase("--recursive", "SFTPCopyOptions.isRecursive"),
        Phrase("--resume", "SFTPCopyOptions.resumes"),
    ]
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
