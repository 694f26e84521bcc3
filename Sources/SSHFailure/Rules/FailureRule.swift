internal import ErrorCore

/// One cause of failure: the evidence that shows it, its code, and its text.
struct FailureRule: Sendable {
    /// The code of the failure.
    let code: SSHError.Code
    /// The certainty of the verdict with this evidence.
    let confidence: SSHError.Confidence
    /// The source that connects this evidence to this cause.
    let source: String
    /// Whether the evidence shows this cause, provided that no earlier row of the table applied.
    let applies: @Sendable (SSHEvidence) -> Bool
    /// The text for a person.
    let words: @Sendable (SSHEvidence) -> VerdictText

    init(
        _ code: SSHError.Code, _ confidence: SSHError.Confidence, source: String,
        when applies: @escaping @Sendable (SSHEvidence) -> Bool = { _ in true },
        say words: @escaping @Sendable (SSHEvidence) -> VerdictText
    ) {
        self.code = code
        self.confidence = confidence
        self.source = source
        self.applies = applies
        self.words = words
    }
}

/// The text of a verdict, for a person.
package struct VerdictText: Sendable, Hashable {
    /// What happened.
    package var message: String
    /// The next step.
    package var hint: RemedyText
    /// Other possible causes.
    package var alternatives: [String]

    package init(_ message: String, hint: RemedyText = "", alternatives: [String] = []) {
        // If the host is unknown, "the server" begins the sentence and gets a capital letter. A host name keeps its case.
        self.message = message.hasPrefix("the server ") ? "T" + message.dropFirst() : message
        self.hint = hint
        self.alternatives = alternatives
    }
}

/// Values that rules derive from evidence.
extension SSHEvidence {
    /// For example `web1 port 22` or `db7 (10.0.0.7) port 22`.
    package var endpoint: String { host.isEmpty || port == 0 ? server : "\(server) port \(port)" }

    /// For example `web1` or `db7 (10.0.0.7)`. Another client's log does not always name the host.
    package var server: String { host.isEmpty ? "the server" : SSHEndpoint.label(name, host).oneLine() }

    /// The host as the user named it.
    private var namedHost: String { name.isEmpty ? host : name }

    /// For example `alice`. Another client's log does not always name the user.
    package var person: String { user.isEmpty ? "this user" : user.oneLine() }

    /// For example `alice@web1`, or only the host if the user is unknown.
    package var account: String {
        if host.isEmpty { return "the server" }
        return user.isEmpty ? namedHost.oneLine() : "\(user.oneLine())@\(namedHost.oneLine())"
    }

    /// The account as a word in a command; if unknown, in capitals, as in manual pages.
    var accountWord: String { host.isEmpty ? "USER@HOST" : account.shellWord }

    /// The user as a word in a command.
    var userWord: String { user.isEmpty ? "USER" : user.oneLine().shellWord }

    /// The host as a word in a command.
    var hostWord: String { host.isEmpty ? "HOST" : namedHost.oneLine().shellWord }

    /// The resolved name as a word in a command. It differs from the host's if the configuration sets HostName.
    var lookedUpWord: String { host.isEmpty ? "HOST" : host.oneLine().shellWord }

    /// The host in the form that `bridge-ssh trust` takes, with the options that were in force.
    var trustArguments: String {
        let port = options.contains("-p") || isUsualPort ? [] : ["-p", "\(port)"]
        return ((options + port).map { $0.oneLine().shellWord } + [hostWord]).joined(separator: " ")
    }

    /// Options for ssh(1) and ssh-copy-id(1), each followed by a space.
    var sshOptions: String {
        var words = isUsualPort ? [] : ["-p", "\(port)"]
        for (option, value) in zip(options, options.dropFirst()) {
            switch option {
            case "-F" where value != "none": words += ["-F", value]
            case "-F": words += ["-F", "/dev/null"]
            case "-J": words += ["-o", "ProxyJump=\(value)"]
            case "-o": words += ["-o", value]
            case "--known-hosts": words += ["-o", "UserKnownHostsFile=\(value)"]
            default: break
            }
        }
        return words.map { $0.oneLine().shellWord + " " }.joined()
    }

    /// A login on a terminal.
    var terminalLogin: RemedyText { "\(run: "ssh \(sshOptions)\(accountWord)")" }

    /// Whether the session's connection has ended.
    var streamHasEnded: Bool { stream != .open }

    /// The rest of a sentence that begins with "the server", such as `closed the connection`.
    var streamEnding: String {
        switch stream {
        case .open: "stopped responding"
        case .closed: "closed the connection"
        case .reset: "reset the connection"
        case .failed(let number): "could no longer be reached: \(SystemError.text(number))"
        }
    }

    /// All lines that the peer sent before or instead of an identification line.
    var spokenLines: [String] {
        var lines = linesBeforeIdentification
        if let identification { lines.append(identification) }
        if lines.isEmpty, !firstBytes.isEmpty {
            lines = String(decoding: firstBytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        return lines
    }

    /// Whether any of these lines contains the words, ignoring case.
    func peerSaid(_ words: String) -> Bool {
        spokenLines.contains { $0.lowercased().contains(words) }
    }

    /// The deadline that passed.
    var deadline: SSHDeadline? {
        guard case .deadlinePassed(let deadline) = event else { return nil }
        return deadline
    }

    /// For example `Ciphers (/home/alice/.ssh/config:3)` or `Ciphers (given with -o)`.
    var settingText: String {
        guard let setting else { return "" }
        let place = setting.place.oneLine()
        // An option is shown as it can be typed.
        return "\(setting.keyword) (\(place == "command-line" ? "given with -o" : place.hasPrefix("-") ? "`\(place)`" : place))"
    }

    /// The deadline that passed, or else the elapsed time, as text.
    var awaitedTime: String {
        // Another client's log does not say how long it waited.
        let seconds = deadline?.seconds ?? elapsedSeconds
        guard seconds > 0 else { return "the time limit" }
        let time = seconds < 0.1 ? "\(max(1, Int((seconds * 1000).rounded()))) ms" : seconds.inSeconds
        return deadline?.kind == .reach ? "its ConnectTimeout of \(time)" : time
    }

    /// Whether the loaded libssh2 is older than a version; false if its version is unknown.
    func libraryIsOlder(than major: Int, _ minor: Int, _ patch: Int = 0) -> Bool {
        let parts = libraryVersion.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        guard parts.count >= 2 else { return false }
        return [parts[0], parts[1], parts.count > 2 ? parts[2] : 0].lexicographicallyPrecedes([major, minor, patch])
    }

    /// Whether the server is Microsoft's build of OpenSSH, such as `SSH-2.0-OpenSSH_for_Windows_9.5`.
    package var isOnWindows: Bool { identification?.contains("OpenSSH_for_Windows") == true }

    /// Whether no key could be offered because PubkeyAcceptedAlgorithms of ssh_config(5) leaves all out.
    package var leavesOutAllKeys: Bool { authentication?.keyProblems.contains(where: \.isNotAccepted) == true }

    /// The server's OpenSSH, from its identification line.
    var openSSHRelease: OpenSSHRelease? { identification.flatMap { OpenSSHRelease(in: $0) } }

    /// The host's name in known_hosts: `[web1]:2222` if the port is not 22 (sshd(8)).
    package var knownHostsName: String {
        if let listed = hostKey?.listedAs { return listed }
        let name = host.isEmpty ? "HOST" : host
        return isUsualPort ? name : "[\(name)]:\(port)"
    }

    /// Whether the port is SSH's, or not known.
    private var isUsualPort: Bool { port == 22 || port == 0 }
}

/// libssh2 has a time limit of one minute, which it measures with the wall clock.
extension SSHEvidence {
    /// Whether this limit was reached in less than a minute: the clock was changed.
    var libraryClockWasSet: Bool { libraryError == .timeout && (awaitedSeconds ?? elapsedSeconds) < 50 }

    /// The text for such a failure.
    var clockRemedy: VerdictText {
        VerdictText(
            "This computer's clock was set while \(server) was about to answer; libssh2 \(libraryVersion) mistakes a clock that is a minute "
                + "later for a minute of silence.",
            hint: "Try again; libssh2 1.11 is not misled by that.")
    }
}

/// Helpers for the sentences of rules.
extension String {
    /// One line of at most `limit` characters. Line ends, control characters and characters that reorder text become spaces.
    package func oneLine(_ limit: Int = 300) -> String {
        var line = ""
        var count = 0
        for character in self {
            if count == limit { return line + "…" }
            let isShown = character.unicodeScalars.allSatisfy { TerminalText.isHarmless($0) && $0 != "\n" }
            // A character may have any number of combining marks.
            line.append(isShown && character.utf8.count <= 64 ? character : " ")
            count += 1
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The text as one word of a POSIX shell, quoted only if necessary.
    package var shellWord: String {
        let plain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "@%+=:,./_-~".utf8.contains(byte)
                }
            }
        return plain ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The text with an upper-case first letter.
    package var sentence: String { prefix(1).uppercased() + dropFirst() }

    /// The text with a full stop at its end, if it needs one.
    package var ended: String {
        guard let last else { return self }
        return ".!?…。".contains(last) ? self : self + "."
    }
}

extension Double {
    /// For example `15 seconds`, `1 second` or `0.5 seconds`.
    package var inSeconds: String {
        guard isFinite, magnitude < 1e9 else { return "some time" }
        let tenths = (self * 10).rounded()
        if tenths == 10 { return "1 second" }
        if tenths.truncatingRemainder(dividingBy: 10) == 0 { return "\(Int(tenths / 10)) seconds" }
        return "\(tenths / 10) seconds"
    }

    /// Whole seconds, rounded up, within the range of an `AppError`.
    var wholeSeconds: Int {
        guard isFinite, self > 0 else { return 0 }
        return self < 1e9 ? Int(rounded(.up)) : 1_000_000_000
    }
}

extension [String] {
    /// `a, b and c`, with at most `limit` items.
    package func listed(_ limit: Int = 6) -> String {
        let shown = count > limit ? Array(prefix(limit)) + ["\(count - limit) more"] : self
        guard let last = shown.last else { return "nothing" }
        return shown.count == 1 ? last : shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
