/// Programs that ran ssh and report its status, 255, without its words: Python's subprocess, Node, Ansible's shell module, CI
/// systems, backup tools. Source: ssh(1), EXIT STATUS.
enum StatusFormat {
    static let rows: [TranscriptRow] = texts.map { text in
        .library("{before}\(text){rest}", "ssh(1): EXIT STATUS, in the words of a program that ran it") { found, facts in
            // A longer number is another status.
            let rest = found["rest"] ?? ""
            guard rest.first?.isNumber != true, runsSSH(found["before"] ?? "") || runsSSH(rest) else { return facts.decline() }
            return .notReached(
                .guess, .wrapper, or: ["the login was refused", "the remote command ended with 255, or the connection was lost"])
        }
    }

    private static let texts = [
        "exit status 255", "exit code 255", "exit status: 255", "exit code: 255", "exited with 255", "exited with code 255",
        "exited with status 255", "error code 255", "return code 255", "returned 255", "status code 255",
        // wait(2)'s number of the same status.
        "failed: 65280 at ",
    ]

    /// The programs whose status of 255 is ssh's.
    private static let programs: Set<String> = ["ssh", "scp", "sftp", "autossh", "rsync", "ssh-keyscan", "ssh-copy-id"]
    private static let marks: Set<Character> = ["'", "\"", " ", "[", "]", "(", ")", ",", "/", "\\", ":", "`", "|", "=", "\t"]

    /// Whether the text has such a program as a word: `Command '['ssh', …`, `/usr/bin/ssh -S …`.
    private static func runsSSH(_ text: String) -> Bool {
        text.split { marks.contains($0) }.contains { programs.contains(String($0)) || $0 == "ssh.exe" }
    }
}
