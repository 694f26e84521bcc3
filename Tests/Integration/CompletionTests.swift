import Foundation
import SSHTestSupport
import Testing

/// Completions as a person gets them: the tab key in a real shell on a terminal.
///
/// The completed command prints its arguments, as parsed by the shell.
@Suite("Completions") struct CompletionTests {
    enum Shell: String, CaseIterable, CustomTestStringConvertible {
        case bash
        case zsh
        case fish

        var testDescription: String { rawValue }

        var arguments: [String] {
            switch self {
            case .bash: ["--norc", "--noprofile", "-i"]
            case .zsh: ["-f", "-i"]
            case .fish: ["--no-config", "-i"]
            }
        }

        /// Loads the completions and sets a prompt that does not occur in the typed text.
        func preparation(_ directory: String) -> String {
            switch self {
            case .bash: "source \(directory)/completion; PS1='REA''DY> '\r"
            case .zsh: "PS1='REA''DY> '; fpath=(\(directory)/functions $fpath); autoload -U compinit; compinit -u -D\r"
            case .fish: "source \(directory)/completion; function fish_prompt; echo -n REA''DY'> '; end\r"
            }
        }
    }

    /// What is typed, and the arguments that the command gets.
    static let cases: [(typed: String, arguments: String)] = [
        ("run uniq", "run uniquehost.example"), ("run bob@uniq", "run bob@uniquehost.example"),
        ("run -p 22 uniq", "run -p 22 uniquehost.example"), ("run -J uniq", "run -J uniquehost.example"),
        ("run included uniq", "run included uniq"), ("run wri", "run written.example"), ("run incl", "run included"),
        ("doctor uniq", "doctor uniquehost.example"), ("trust uniq", "trust uniquehost.example"),
        ("config uniq", "config uniquehost.example"), ("persist stop uniq", "persist stop uniquehost.example"),
        ("explain ssh.auth.key-rej", "explain ssh.auth.key-rejected"), ("copy onlyfi", "copy onlyfile.txt"),
        ("run -i onlyfi", "run -i onlyfile.txt"), ("ru", "run"), ("persist sto", "persist stop"),
        ("run --known-h", "run --known-hosts"), ("copy --recur", "copy --recursive"),
        ("doctor --known-h", "doctor --known-hosts"),
        ("trust --upd", "trust --update"), ("config --orig", "config --origin"), ("persist list --js", "persist list --json"),
        ("fle", "fleet"), ("fleet resu", "fleet resume"), ("fleet run --paral", "fleet run --parallel"),
        ("fleet run uniq", "fleet run uniquehost.example"), ("fleet check wri", "fleet check written.example"),
        ("fleet trust --fingerpr", "fleet trust --fingerprints"), ("fleet trust uniq", "fleet trust uniquehost.example"),
        ("fleet run included uniq", "fleet run included uniq"),
        ("codes --markd", "codes --markdown"), ("explain --js", "explain --json"), ("classify --summ", "classify --summary"),
    ]

    /// Every shell completes one case of each kind; each completes another third of the rest, unless all are wanted.
    private static let kinds: Set = [
        "run uniq", "run bob@uniq", "explain ssh.auth.key-rej", "copy onlyfi", "run -i onlyfi", "ru", "run --known-h",
        "persist sto", "fleet run uniq", "fleet run --paral",
    ]

    private static func cases(of shell: Shell) -> [(typed: String, arguments: String)] {
        let turn = Shell.allCases.firstIndex(of: shell) ?? 0
        return cases.enumerated().filter { index, row in
            TestExtent.ofThisRun == .all || kinds.contains(row.typed) || index % Shell.allCases.count == turn
        }.map(\.element)
    }

    @Test("hosts, files, codes and options", arguments: Shell.allCases) func completes(_ shell: Shell) async throws {
        let program = try BuiltExecutable.path("bridge-ssh")
        let script = try await ProcessRun.run(program, ["--generate-completion-script", shell.rawValue])
        try await ScratchDirectory.with { scratch in
            for name in ["functions", "bin", "home/.ssh/more"] {
                try FileManager.default.createDirectory(atPath: scratch.path(name), withIntermediateDirectories: true)
            }
            try scratch.write(script.output, to: "completion")
            try scratch.write(script.output, to: "functions/_bridge-ssh")
            try scratch.write("", to: "home/onlyfile.txt")
            try scratch.write("Host uniquehost.example *.pattern\nInclude more/*\n", to: "home/.ssh/config")
            try scratch.write("Host included\n", to: "home/.ssh/more/x")
            try scratch.write("written.example,|1|x= ssh-ed25519 AAAA\n", to: "home/.ssh/known_hosts")
            try scratch.write(
                "#!/bin/sh\ncase $1 in ---completion) exec \(program) \"$@\";; esac\necho \"GOT<$*>\"\n", to: "bin/bridge-ssh",
                mode: 0o755)
            let environment = ProcessEnvironment.exactly([
                "HOME": scratch.path("home"), "PATH": scratch.path("bin") + ":/usr/bin:/bin", "TERM": "xterm",
                "LC_ALL": "C.UTF-8",
            ])
            let directory = scratch.path("")
            // A hundred processes, one after another.
            try await TerminalRun.run(
                shell.rawValue, shell.arguments, environment: environment, columns: 200, limit: .seconds(600)
            ) { process in
                try await process.write("cd\r" + shell.preparation(directory))
                var seen = try await process.standardOutput.wait(for: "READY> ")
                for (typed, arguments) in Self.cases(of: shell) {
                    try await process.write("bridge-ssh \(typed)\t\r")
                    seen = try await process.standardOutput.wait(for: "GOT<\(arguments)>", after: seen)
                }
                try await process.write("exit\r")
            }
        }
    }
}
