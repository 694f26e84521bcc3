/// Version control over ssh, other than git itself. Sources: mercurial, sshpeer.py; breezy, errors.py and transport/ssh.py; darcs,
/// Darcs.Util.Ssh; Platform.sh's CLI; Subversion.
enum SourceControlFormat {
    static let all = [
        TranscriptFormat("mercurial", mercurial), TranscriptFormat("bazaar", bazaar), TranscriptFormat("", others),
    ]

    private static let mercurial: [TranscriptRow] = [
        .library("…abort: no suitable response from remote hg", "sshpeer.py, with ssh's words behind remote:") { _, facts in
            // git's hooks have the same prefix, so the lines alone are not ssh's.
            let remote = facts.otherLines.last(8).filter { $0.hasPrefix("remote: ") }
            for line in remote.reversed() {
                if let said = words(line.trimmingPrefix("remote: "), &facts) { return said }
            }
            if !remote.isEmpty { return .known(.commandExitNonzero, .guess, .wrapper, or: ["the login was refused"]) }
            return .notReached(.guess, .wrapper, or: ["the login was refused", "hg is missing there"])
        }
    ]

    private static func words(_ text: Substring, _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let text = String(text)
        if text.hasPrefix("abort: ") { return .known(.commandExitNonzero, .guess, .plain) }
        if text.mentions("hg: command not found") || text.mentions("hg: not found") { return .known(.commandNotFound) }
        for row in TranscriptRows.openSSHClient where !row.isDebug && !row.onlyNotesFacts {
            var noted = facts
            guard let found = row.template.find(text)?.values else { continue }
            noted.note(found)
            guard let said = row.read(found, &noted), !noted.isDeclined else { continue }
            facts = noted
            return said
        }
        return nil
    }

    private static let bazaar: [TranscriptRow] = [
        .noting("…ConnectionReset reading response for", "smart/client.py: it tries once more") { _, facts in
            facts.mayRepeat = true
        },
        .says(
            "…Connection closed: Unexpected end of message. Please check connectivity", "errors.py: ConnectionReset",
            .notReached(.guess, .wrapper, or: ["the login was refused", "bzr is missing there"])),
        .says("…Don't know how to handle SSH connections. Please set B", "errors.py: SSHVendorNotFound", .missingProgram("ssh")),
    ]

    private static let others: [TranscriptRow] = [
        .says(
            "…To better debug SSH connection problems, remove the -q option from", "svn: ra_svn/client.c",
            .notReached(.guess, .wrapper, or: ["the login was refused", "svnserve is missing there"])),
        .says(
            "…Please check your SSH credentials", "platformsh/legacy-cli: EnvironmentCheckoutCommand.php",
            .notReached(.guess, .wrapper, or: ["the login was refused"])),
        .says(
            "…((scp) failed to fetch: ", "darcs: Util/Ssh.hs",
            .notReached(.guess, .wrapper, or: ["the login was refused", "there is no such repository"])),
    ]
}

/// The lines before git's `Could not read from remote repository` that tell the reason.
enum GitAnswers {
    private static let missing = "' does not appear to be a git repository"

    /// Whether git has no remote of the usual name, and so did not run ssh.
    static func isUnknownRemote(_ facts: TranscriptFacts) -> Bool {
        ["origin", "upstream"].contains { facts.otherLines.last(1).first?.hasSuffix("fatal: '\($0)" + missing) == true }
    }

    /// The reading of these lines; nil if they tell nothing.
    static func reading(_ facts: TranscriptFacts) -> TranscriptReading? {
        let lines = facts.otherLines.last(8)
        // A command that the server runs for this key.
        if lines.last?.hasSuffix(": command not found") == true { return .known(.commandNotFound, .guess, .wrapper) }
        // The server may have no repository of this name. It may be a path here, too.
        if lines.last?.hasSuffix(missing) == true {
            return .known(.commandExitNonzero, .guess, .plain, or: ["it is a path on this machine"])
        }
        // The stack of the service's own program.
        return lines.first { $0.mentions("/gitlab-shell/") }.map(WrapperFormat.refusedByService)
    }
}
