/// ssh's own command line, as far as a stand-in for ssh has to know it.
///
/// Source: `main` in ssh.c, 9.2 and 10.0. Options come before the destination and behind it, up to the command's first word; the
/// last `-E` counts, and the first value of any other option.
struct SSHArguments: Sendable {
    /// Where the value of an option stands.
    struct Place: Sendable, Equatable {
        let argument: Int
        /// How much of the argument precedes it.
        let offset: Int
    }

    /// The destination as it was typed; nil for none.
    private(set) var destination: String?
    /// The words of the command.
    private(set) var command: [String] = []
    /// The value of the last `-E`.
    private(set) var logFile: (place: Place, path: String)?
    /// `-F`
    private(set) var configurationFile: String?
    /// The log level that the command line asks for; nil where the configuration decides.
    private(set) var level: SSHLogLevel?
    /// Whether ssh goes to the background by itself (`-f`).
    private(set) var goesToBackground = false
    /// Whether there is nothing to judge: ssh only answers a question, or logs to syslog.
    private(set) var needsNoVerdict = false
    /// Whether `LogVerbose` is set here, which we would take the place of.
    private(set) var setsLogVerbose = false
    /// Whether news of the server's host keys are shown (`UpdateHostKeys=ask`).
    private(set) var asksAboutHostKeys = false
    /// The files of `-i`, as ssh sees them: their tilde is the shell's.
    private(set) var identities: [String] = []
    private var debugFlags = 0

    /// Options that take a value. 9.2 has `-P` without one and ignores it.
    private static let valued = Set("bceiklmopwBDEFIJLOQRSPW").subtracting("k")
    /// Those that only ask ssh something, steer a connection in the background, or log to syslog.
    private static let questions = Set("GVQOy")

    init(_ words: [String]) {
        var index = 0
        while index < words.count {
            var isTerminated = false
            while index < words.count, words[index].hasPrefix("-"), words[index] != "-" {
                let word = words[index]
                index += 1
                if word == "--" {
                    isTerminated = true
                    break
                }
                readOptions(word, at: &index, words)
            }
            guard destination == nil, index < words.count else { break }
            destination = words[index]
            index += 1
            if isTerminated { break }
        }
        command = Array(words.dropFirst(index))
        if destination == nil { needsNoVerdict = true }
    }

    private mutating func readOptions(_ word: String, at index: inout Int, _ words: [String]) {
        var rest = word.dropFirst()
        while let option = rest.popFirst() {
            guard Self.valued.contains(option) else {
                take(option)
                continue
            }
            let place: Place
            let value: String
            if rest.isEmpty {
                guard index < words.count else { return }
                place = Place(argument: index, offset: 0)
                value = words[index]
                index += 1
            } else {
                place = Place(argument: index - 1, offset: word.utf8.count - rest.utf8.count)
                value = String(rest)
            }
            return take(option, value, at: place)
        }
    }

    private mutating func take(_ option: Character) {
        switch option {
        case "v":
            if debugFlags == 0 {
                debugFlags = 1
                level = .debug1
            } else if let louder = SSHLogLevel(rawValue: (level ?? .info).rawValue + 1) {
                level = louder
            }
        case "q": level = .quiet
        case "f": goesToBackground = true
        default: if Self.questions.contains(option) { needsNoVerdict = true }
        }
    }

    private mutating func take(_ option: Character, _ value: String, at place: Place) {
        switch option {
        case "E": logFile = (place, value)
        case "F": configurationFile = value
        case "i": identities.append(value)
        case "o": takeSetting(value)
        default: if Self.questions.contains(option) { needsNoVerdict = true }
        }
    }

    /// `Keyword=value` or `Keyword value`, with any mixture of blanks and one `=` between them.
    private mutating func takeSetting(_ text: String) {
        let words = text.split(maxSplits: 1) { $0 == "=" || $0 == " " || $0 == "\t" }
        guard let keyword = words.first?.lowercased() else { return }
        let value = words.dropFirst().first.map { $0.filter { !"=\" \t".contains($0) } } ?? ""
        switch keyword {
        case "loglevel": level = level ?? SSHLogLevel(name: value)
        case "logverbose": setsLogVerbose = true
        case "updatehostkeys": asksAboutHostKeys = asksAboutHostKeys || value.lowercased() == "ask"
        default: break
        }
    }
}
