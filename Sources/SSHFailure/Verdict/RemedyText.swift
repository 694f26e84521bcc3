/// What to do about a failure: sentences in which commands, options, lines and settings are values. A rule writes it as a
/// string:
/// ```swift
/// "Make it private: \(run: "chmod 600 \(path)")"
/// "Give \(option: .passphraseFile, "FILE"), or load the key into an agent: \(run: "ssh-add \(path)")"
/// "\(commandLine: "Run in a terminal", library: "Give an SSHInteraction") to be asked."
/// ```
/// It is rendered for the command line, where most remedies are read, and for the library, with properties and types instead of
/// options.
package struct RemedyText: Sendable, Hashable {
    enum Part: Sendable, Hashable, Codable {
        case text(String)
        /// - Parameter isQuoted: whether to enclose it in backquotes.
        case remedy(SSHRemedy, isQuoted: Bool)
        case either(commandLine: [Part], library: [Part])
    }

    private enum Reader { case commandLine, library }

    private let parts: [Part]

    /// Texts that follow one another become one, so that equal remedies have equal parts.
    private init(parts: [Part]) {
        self.parts = parts.reduce(into: []) { joined, part in
            if case .text(let text) = part {
                if text.isEmpty { return }
                if case .text(let start)? = joined.last {
                    joined[joined.count - 1] = .text(start + text)
                    return
                }
            }
            joined.append(part)
        }
    }

    /// Text without a command.
    package init(_ text: String) { self.init(parts: [.text(text)]) }

    package var isEmpty: Bool { parts.isEmpty }
    /// The text in the terms of the command line.
    package var commandLine: String { text(for: .commandLine) }
    /// The text in the terms of the library.
    package var library: String { text(for: .library) }
    /// The commands, options, lines and settings of ``commandLine``.
    package var commandLineRemedies: [SSHRemedy] { remedies(for: .commandLine) }
    /// The commands, properties, lines and settings of ``library``.
    package var libraryRemedies: [SSHRemedy] { remedies(for: .library) }

    private func text(for reader: Reader) -> String { Self.flat(parts, reader).map(\.words).joined() }

    private func remedies(for reader: Reader) -> [SSHRemedy] {
        Self.flat(parts, reader).compactMap { part in
            guard case .remedy(let remedy, _) = part else { return nil }
            return remedy
        }
    }

    private static func flat(_ parts: [Part], _ reader: Reader) -> [Part] {
        parts.flatMap { part in
            guard case .either(let commandLine, let library) = part else { return [part] }
            return flat(reader == .commandLine ? commandLine : library, reader)
        }
    }

    /// The same with every text changed. Masking a secret or truncating may affect several parts, so the result is plain text.
    package func changed(_ change: (String) -> String) -> RemedyText {
        let changed = RemedyText(parts: parts.map { $0.changed(change) })
        let (commandLine, library) = (change(commandLine), change(library))
        if changed.commandLine == commandLine, changed.library == library { return changed }
        return RemedyText(parts: [.either(commandLine: [.text(commandLine)], library: [.text(library)])])
    }
}

extension RemedyText.Part {
    /// The text of a part that is the same for the command line and the library.
    fileprivate var words: String {
        switch self {
        case .text(let text): text
        case .remedy(let remedy, let isQuoted): isQuoted ? "`\(remedy.text)`" : remedy.text
        case .either: ""
        }
    }

    fileprivate func changed(_ change: (String) -> String) -> Self {
        switch self {
        case .text(let text): .text(change(text))
        case .remedy(let remedy, let isQuoted): .remedy(remedy.worded(change(remedy.text)), isQuoted: isQuoted)
        case .either(let commandLine, let library):
            .either(commandLine: commandLine.map { $0.changed(change) }, library: library.map { $0.changed(change) })
        }
    }
}

extension RemedyText: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: StringInterpolation) { self.init(parts: stringInterpolation.parts) }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }

        package mutating func appendInterpolation(_ text: String) { appendLiteral(text) }

        package mutating func appendInterpolation(_ text: RemedyText) { parts += text.parts }

        /// A command line of a shell.
        ///
        /// - Parameter applicability: the applicability if the text has no placeholders.
        package mutating func appendInterpolation(
            run command: String, _ applicability: SSHRemedy.Applicability = .asIs, on place: SSHRemedy.Place = .here,
            isQuoted: Bool = true
        ) {
            parts.append(.remedy(SSHRemedy(.command, command, applicability, on: place), isQuoted: isQuoted))
        }

        /// A line for a file on the server.
        package mutating func appendInterpolation(line: String, in file: String = "sshd_config", isQuoted: Bool = true) {
            parts.append(.remedy(SSHRemedy(.line, line, on: .server, file: file), isQuoted: isQuoted))
        }

        /// A setting in a file on the server that decides, or sets a limit.
        package mutating func appendInterpolation(setting keyword: String, in file: String = "sshd_config") {
            parts.append(.remedy(SSHRemedy(.setting, keyword, on: .server, file: file), isQuoted: false))
        }

        /// An option whose value is for a person to choose.
        package mutating func appendInterpolation(setting option: RemedyOption, isQuoted: Bool = true) {
            append(option, SSHRemedy(.setting, option.rawValue), isQuoted)
        }

        /// An option to add, with its value if it takes one.
        package mutating func appendInterpolation(
            option: RemedyOption, _ value: String? = nil, _ applicability: SSHRemedy.Applicability = .asIs, isQuoted: Bool = true
        ) {
            let words = option.rawValue + (value.map { " " + $0 } ?? "")
            append(option, SSHRemedy(.option, words, applicability), isQuoted)
        }

        private mutating func append(_ option: RemedyOption, _ remedy: SSHRemedy, _ isQuoted: Bool) {
            let member = SSHRemedy(.setting, option.member ?? option.rawValue)
            parts.append(
                .either(
                    commandLine: [.remedy(remedy, isQuoted: isQuoted)], library: [.remedy(member, isQuoted: isQuoted)]))
        }

        /// Words that differ.
        package mutating func appendInterpolation(commandLine: RemedyText, library: RemedyText = "") {
            parts.append(.either(commandLine: commandLine.parts, library: library.parts))
        }
    }
}

/// Encodes the text for the command line and, if there is more than text, also the parts.
extension RemedyText {
    package func encode<Key: CodingKey>(to container: inout KeyedEncodingContainer<Key>, text: Key, parts key: Key) throws {
        try container.encode(commandLine, forKey: text)
        let isText = parts.allSatisfy { if case .text = $0 { true } else { false } }
        if !isText { try container.encode(parts, forKey: key) }
    }

    package init<Key: CodingKey>(from container: KeyedDecodingContainer<Key>, text: Key, parts key: Key) throws {
        let text = try container.decode(String.self, forKey: text)
        // A later version may write parts that this one does not know.
        let parts = try? container.decodeIfPresent([Part].self, forKey: key)
        self = parts.map { RemedyText(parts: $0) } ?? RemedyText(text)
    }
}

/// The options of `bridge-ssh` that remedies name, with their equivalents in the library.
package enum RemedyOption: String, Sendable, Hashable, CaseIterable {
    case checksum = "--checksum"
    case configuration = "--config"
    case connectTimeout = "--connect-timeout"
    case hostKeyPolicy = "--host-key-policy"
    case identity = "--identity"
    case idleTimeout = "--idle-timeout"
    case json = "--json"
    case makesPath = "--mkpath"
    case outputLimit = "--output-limit"
    case passphraseFile = "--passphrase-file"
    case passwordFile = "--password-file"
    case prompt = "--prompt"
    case recursive = "--recursive"
    case resume = "--resume"
    case shell = "--shell"
    case sudo = "--sudo"
    case timeout = "--timeout"
    case tty = "--tty"
    case verbose = "-v"
    case via = "--via"
    case wait = "--wait"
    case yes = "--yes"

    /// The member of the library; nil if remedies have a separate text for the library.
    package var member: String? {
        switch self {
        case .checksum: "SFTPCopyOptions.verifiesChecksums"
        case .connectTimeout: "SSHTimeouts.connect"
        case .identity: "SSHCredentials.identities"
        case .idleTimeout: "SSHCommandOptions.idleTimeout"
        case .makesPath: "SFTPCopyOptions.createsParents"
        case .outputLimit: "SSHCommandOptions.outputLimit"
        case .passphraseFile: "SSHCredentials.passphrase"
        case .passwordFile: "SSHCredentials.password"
        case .prompt: "SSHShellOptions.prompt"
        case .recursive: "SFTPCopyOptions.isRecursive"
        case .resume: "SFTPCopyOptions.resumes"
        case .shell: "runInShell"
        case .timeout: "SSHCommandOptions.timeout"
        case .tty: "SSHCommandOptions.pty"
        case .configuration, .hostKeyPolicy, .json, .sudo, .verbose, .via, .wait, .yes: nil
        }
    }
}

/// Remedies, and parts of them, that several rules and definitions share.
extension RemedyText {
    static let onlyThisKey: RemedyText =
        "\(commandLine: "\(option: .identity, "FILE --identities-only")", library: "\(setting: .identity), with identitiesOnly")"
    static let askingInteraction: RemedyText = "Give an SSHInteraction that asks"
    static let somethingToAnswer: RemedyText =
        "\(commandLine: "a terminal to answer questions on", library: "an SSHInteraction that answers questions")"
    static let passwordInFile: RemedyText = "a password may also be given in a file."
    static let giveAnswers: RemedyText = "Give an SSHInteraction that answers, or SSHCredentials.password."
    static let untilLetIn: RemedyText =
        "\(commandLine: "let \(option: .wait, "5m") try", library: "again and again") until it lets you in"
    static let withMoreLog: RemedyText =
        "\(commandLine: "Run again with \(option: .verbose, isQuoted: false)", library: "Connect again with a logger at debug level")"
    static let anyFamily: RemedyText =
        "\(commandLine: "Leave out -4 or -6", library: "Set SSHConnectionConfiguration.addressFamily to .any")"
    static let withoutConfiguration: RemedyText =
        "\(commandLine: "run with \(option: .configuration, "none")", library: "read no configuration file")"
    static let withoutTerminal: RemedyText = "\(commandLine: "Run without", library: "Leave out") \(setting: .tty)"
    static let copying: RemedyText = "\(commandLine: "\(run: "bridge-ssh copy", .placeholders)", library: "withSFTP")"
    static let otherFile: RemedyText =
        "file first in SSHKnownHostsFiles.user, or set SSHKnownHostsFiles.acceptsWithoutRemembering"
    static let asItComes: RemedyText = "read it as it comes, with execute"
    static let allThatIsKnown: RemedyText = "\(commandLine: "all that was printed", library: "the error's evidence")"
    static let documentation: RemedyText = "the documentation of the called function"
    static let outOfMemory: RemedyText =
        "If it was not killed on purpose, the server probably ran out of memory: its kernel's log says so."

    /// - Parameter start: words before the option.
    static func openSSH(_ start: String, _ rest: RemedyText) -> RemedyText {
        "\(commandLine: "\(start) \(option: .via, "ssh"): ")OpenSSH's ssh \(rest)"
    }

    /// Trusts a host's key.
    ///
    /// - Parameter words: options and the host.
    static func trusting(_ words: String) -> RemedyText {
        "\(commandLine: "\(run: "bridge-ssh trust \(words)", .mayBeWrong)", library: "SSHKnownHostsWriter.add")"
    }

    /// Trusts a host's new key in place of the old one.
    static func replacing(_ words: String) -> RemedyText {
        "\(commandLine: "\(run: "bridge-ssh trust --update \(words)", .mayBeWrong)", library: "SSHKnownHostsWriter.replace")"
    }

    static func joined(_ sentences: [RemedyText]) -> RemedyText {
        sentences.dropFirst().reduce(sentences.first ?? "") { "\($0) \($1)" }
    }
}

/// One thing that a person can do about a failure: a command to type, an option, a line for a file, or a setting to look at.
///
/// ``SSHError/hint`` has the whole text, advice without a command included. A program that offers a command, or runs it, reads
/// these values:
/// ```swift
/// for remedy in error.remedies where remedy.kind == .command && remedy.applicability == .asIs { offer(remedy.text) }
/// ```
public struct SSHRemedy: Sendable, Hashable, Codable {
    /// How to use the text.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A command line of a POSIX shell.
        case command
        /// An option of `bridge-ssh`, with its value if it takes one.
        case option
        /// A line of a file.
        case line
        /// A keyword of a file, a property of this library, or an option whose value is for a person to choose.
        case setting
    }

    /// Whether a text can be used as it is.
    public enum Applicability: String, Sendable, Hashable, Codable, CaseIterable {
        /// It can.
        case asIs = "as-is"
        /// Words in capitals, `…` or `•••` must be replaced, or an operand is missing at the end.
        case placeholders
        /// It rests on a guess, or does harm if the guess is wrong: a person must decide. A command that trusts a host key always
        /// is of this kind.
        case mayBeWrong = "may-be-wrong"
    }

    /// A machine.
    public enum Place: String, Sendable, Hashable, Codable, CaseIterable {
        /// This one.
        case here
        /// The server.
        case server
    }

    /// How to use the text.
    public let kind: Kind
    /// The command, option, line or setting.
    public let text: String
    /// Whether the text can be used as it is; nil for a setting.
    public let applicability: Applicability?
    /// The machine for the command or the file.
    public let place: Place
    /// The name of the file of a line or a keyword, such as `sshd_config`.
    public let file: String?

    /// - Parameter applicability: the applicability if the text has no placeholders.
    init(
        _ kind: Kind, _ text: String, _ applicability: Applicability = .asIs, on place: Place = .here, file: String? = nil
    ) {
        (self.kind, self.text, self.place, self.file) = (kind, text, place, file)
        self.applicability = kind == .setting ? nil : Self.hasPlaceholders(text) ? .placeholders : applicability
    }

    /// Whether a word is a placeholder: `FILE`, `USER@HOST`, `KEY.pub`, or a part that was cut or masked.
    private static func hasPlaceholders(_ text: String) -> Bool {
        text.mentions("…") || text.mentions("•••")
            || text.utf8.split { " '\"".utf8.contains($0) }.contains { word in
                let name = word.suffix(4).elementsEqual(".pub".utf8) ? word.dropLast(4) : word
                return name.count > 2 && name.first != UInt8(ascii: "@")
                    && name.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "@") }
            }
    }

    /// The same with another text. The writer of the rule has not seen that one, so that it may be wrong.
    func worded(_ text: String) -> SSHRemedy {
        text == self.text ? self : SSHRemedy(kind, text, .mayBeWrong, on: place, file: file)
    }
}
