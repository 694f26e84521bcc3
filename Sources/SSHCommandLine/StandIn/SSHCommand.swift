import ArgumentParser
import SSHRun

/// `bridge-ssh ssh` in the list of subcommands, and its help. ``StandIn`` takes its arguments before they are parsed.
struct SSHCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ssh",
            abstract: "Run OpenSSH's own ssh, and explain its failures.",
            usage: "bridge-ssh ssh [--retries <number>] [--] <arguments of ssh> …",
            discussion: """
                The real ssh runs with your arguments, streams, terminal, configuration and agent, so prompts, ~., forwarding, \
                ControlMaster and everything else work as usual. No byte of the session goes through bridge-ssh. ssh's messages \
                appear unchanged. Only after a failure of ssh itself one line follows (at a terminal a banner) with the failure's \
                name, reason and remedy. The exit status is ssh's.

                Use it wherever a program calls ssh:

                  export GIT_SSH_COMMAND='bridge-ssh ssh' GIT_SSH_VARIANT=ssh
                  export RSYNC_RSH='bridge-ssh ssh'
                  export ANSIBLE_SSH_EXECUTABLE=/opt/bridge-ssh/ssh

                Under the name ssh it takes only ssh's arguments: `scripts/install --as-ssh /opt/bridge-ssh` makes a directory \
                with ssh, scp and sftp, which can also come first in PATH. The real ssh is the first in PATH that is not this \
                program.

                bridge-ssh replaces itself with ssh for calls that only query ssh (-G, -V, -Q, -O), that log to syslog (-y), that set \
                LogVerbose, or that use -f with -v, because it would change their behaviour. With LogLevel FATAL or ERROR the verdict \
                depends on ssh's messages alone, and with -q nothing goes to standard error unless BRIDGE_SSH_VERDICT is set.

                ENVIRONMENT
                  BRIDGE_SSH_VERDICT       banner, line or off: the form of a failure on standard error
                  BRIDGE_SSH_VERDICT_FILE  a file, or fd:3, for one JSON object for each call, also after a success
                  BRIDGE_SSH_STATUS        codes: exit with 193–199 in place of ssh's own 255
                  BRIDGE_SSH_RETRIES       as --retries
                  BRIDGE_SSH_OPENSSH       the real ssh

                EXAMPLES
                  bridge-ssh ssh web1 uptime
                  bridge-ssh ssh --retries 3 -- -p 2222 deploy@web1 make deploy
                  rsync -e 'bridge-ssh ssh' -a site/ web1:/srv/www/
                  BRIDGE_SSH_VERDICT_FILE=ssh.jsonl git -c core.sshCommand='bridge-ssh ssh' fetch

                EXIT STATUS
                  ssh's own: the remote command's, or 255 if ssh failed
                  193–199, as of `bridge-ssh run`, for a failure of ssh's with BRIDGE_SSH_STATUS=codes
                """)
    }

    @Option(
        help: ArgumentHelp(
            "Retry at most this many times if ssh's log proves that no session was requested, so that the command has not run and "
                + "its input is unread; never after a refused credential or host key (0).",
            valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?

    @Argument(parsing: .captureForPassthrough, help: "ssh's own options, destination and command.")
    var arguments: [String] = []

    func run() throws {
        // The parser passes it through with ssh's arguments; ssh has no such option.
        if arguments.first == "--help" { throw CleanExit.helpRequest(Self.self) }
        throw UsageProblem(
            field: arguments.first { $0.hasPrefix("--") } ?? "ssh",
            problem: "it is neither an option of `bridge-ssh ssh` nor of ssh; see `bridge-ssh ssh --help`")
    }
}

/// The parts of ssh's command line that a stand-in for ssh has to know.
///
/// Source: `main` in ssh.c, 9.2 and 10.0. Options come before the destination and after it, up to the command's first word. ssh
/// uses the last `-E`, and the first value of any other option.
struct SSHArguments: Sendable {
    /// The position of an option's value.
    struct Place: Sendable, Equatable {
        let argument: Int
        /// The offset of the value in its argument.
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
    /// The log level that the command line sets; nil if the configuration decides.
    private(set) var level: SSHLogLevel?
    /// Whether ssh goes to the background by itself (`-f`).
    private(set) var goesToBackground = false
    /// Whether the call needs no verdict: it only queries ssh, or logs to syslog.
    private(set) var needsNoVerdict = false
    /// Whether the command line sets `LogVerbose`, which bridge-ssh would override.
    private(set) var setsLogVerbose = false
    /// Whether ssh shows updates of the server's host keys (`UpdateHostKeys=ask`).
    private(set) var asksAboutHostKeys = false
    /// Whether `--retries` is among ssh's options, where ssh does not know it.
    private(set) var hasMisplacedRetries = false
    /// The files of `-i`, as ssh gets them; the shell has expanded a tilde.
    private(set) var identities: [String] = []
    private var debugFlags = 0

    /// Options that take a value. 9.2 has `-P` without one and ignores it.
    private static let valued = Set("bceiklmopwBDEFIJLOQRSPW").subtracting("k")
    /// Options that only query ssh, control a connection in the background, or log to syslog.
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
                if word == "--retries" || word.hasPrefix("--retries=") { hasMisplacedRetries = true }
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
