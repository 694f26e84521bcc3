/// One command of the corpus, its environment, and the expected cause.
struct Entry: Sendable {
    let command: String
    let expectation: Expectation
    var shell = Shell.bash
    var language = Language.english
    /// A bash script that prepares the command's directory. The classifier does not see it.
    var given = ""
    var user = "tester"

    init(_ command: String, _ expectation: Expectation, given: String = "") {
        self.command = command
        self.expectation = expectation
        self.given = given
    }

    /// The same entry with another login shell.
    func under(_ shell: Shell) -> Entry {
        var entry = self
        entry.shell = shell
        return entry
    }

    /// The same entry in another language.
    func speaking(_ language: Language) -> Entry {
        var entry = self
        entry.language = language
        return entry
    }

    /// The same entry for another user.
    func by(_ user: String) -> Entry {
        var entry = self
        entry.user = user
        return entry
    }
}

extension [Entry] {
    /// Each of them in each of these languages.
    func speaking(_ languages: [Language] = Language.allCases) -> [Entry] {
        languages.flatMap { language in map { $0.speaking(language) } }
    }
}

/// A login shell: the path of its program, and the name under which it runs.
struct Shell: Sendable {
    let name: String
    let path: String

    static let bash = Shell(name: "bash", path: "/usr/bin/bash")
    static let dash = Shell(name: "dash", path: "/usr/bin/dash")
    static let zsh = Shell(name: "zsh", path: "/usr/bin/zsh")
    static let fish = Shell(name: "fish", path: "/usr/bin/fish")
    /// Busybox's shell, with busybox's own commands.
    static let ash = Shell(name: "ash", path: "/usr/bin/busybox")
    static let tcsh = Shell(name: "tcsh", path: "/usr/bin/tcsh")
    static let mksh = Shell(name: "mksh", path: "/usr/bin/mksh")
    static let ksh = Shell(name: "ksh", path: "/usr/bin/ksh93")
    static let all = [bash, dash, zsh, fish, ash, tcsh, mksh, ksh]
}

/// The supported languages; Chinese in both scripts.
enum Language: String, Sendable, CaseIterable {
    case english = "C.UTF-8"
    case german = "de_DE.UTF-8"
    case french = "fr_FR.UTF-8"
    case spanish = "es_ES.UTF-8"
    case japanese = "ja_JP.UTF-8"
    case simplifiedChinese = "zh_CN.UTF-8"
    case traditionalChinese = "zh_TW.UTF-8"

    static var translated: [Language] { allCases.filter { $0 != .english } }
}
