internal import ErrorCore

/// What rules ask of evidence.
extension SSHEvidence {
    /// `web1 port 22`, `db7 (10.0.0.7) port 22`.
    package var endpoint: String { host.isEmpty ? "the server" : "\(SSHEndpoint.label(name, host).oneLine()) port \(port)" }

    /// `web1`, `db7 (10.0.0.7)`. Another client's words do not always name it.
    var server: String { host.isEmpty ? "the server" : SSHEndpoint.label(name, host).oneLine() }

    /// The host as the user named it.
    private var namedHost: String { name.isEmpty ? host : name }

    /// `alice`. Another client's words do not always name it.
    var person: String { user.isEmpty ? "this user" : user.oneLine() }

    /// `alice@web1`, or the host where the user is not known.
    package var account: String {
        if host.isEmpty { return "the server" }
        return user.isEmpty ? namedHost.oneLine() : "\(user.oneLine())@\(namedHost.oneLine())"
    }

    /// The account as a word of a command that is to be typed; where it is not known, in capitals, as manual pages have it.
    var accountWord: String { host.isEmpty ? "USER@HOST" : account.shellWord }

    /// The user as a word of a command that is to be typed.
    var userWord: String { user.isEmpty ? "USER" : user.oneLine().shellWord }

    /// The host as a word of a command that is to be typed.
    var hostWord: String { host.isEmpty ? "HOST" : namedHost.oneLine().shellWord }

    /// The name that is looked up, as a word of a command: another than the host's where a configuration has one (HostName).
    var lookedUpWord: String { host.isEmpty ? "HOST" : host.oneLine().shellWord }

    /// The host as `bridge-ssh trust` takes it, with the options that were in force.
    var trustWords: String {
        let port = options.contains("-p") || port == 22 ? [] : ["-p", "\(port)"]
        return ((options + port).map { $0.oneLine().shellWord } + [hostWord]).joined(separator: " ")
    }

    /// Options for ssh(1) and ssh-copy-id(1), each with a space behind it.
    var sshOptions: String {
        var words = port == 22 ? [] : ["-p", "\(port)"]
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

    /// The name of the library's failure; empty where no call failed.
    var libraryName: String { library?.name ?? "" }

    /// Whether the connection under the session is gone.
    var streamHasEnded: Bool { stream != .open }

    /// `closed the connection`, and its like: completes "the server …".
    var streamEnding: String {
        switch stream {
        case .open: "stopped responding"
        case .closed: "closed the connection"
        case .reset: "reset the connection"
        case .failed(let number): "could no longer be reached: \(SystemError.text(number))"
        }
    }

    /// All that the peer said before or instead of an identification line.
    var spokenLines: [String] {
        var lines = linesBeforeIdentification
        if let identification { lines.append(identification) }
        if lines.isEmpty, !firstBytes.isEmpty {
            lines = String(decoding: firstBytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        return lines
    }

    /// Whether any of the peer's opening lines holds these words, whatever their case.
    func peerSaid(_ words: String) -> Bool {
        spokenLines.contains { $0.lowercased().contains(words) }
    }

    /// The deadline that passed.
    var deadline: SSHDeadline? {
        guard case .deadlinePassed(let deadline) = event else { return nil }
        return deadline
    }

    /// `Ciphers (/home/alice/.ssh/config:3)`, `Ciphers (given with -o)`.
    var settingWords: String {
        guard let setting else { return "" }
        let place = setting.place.oneLine()
        // An option is written as it can be typed.
        return "\(setting.keyword) (\(place == "command-line" ? "given with -o" : place.hasPrefix("-") ? "`\(place)`" : place))"
    }

    /// The deadline that passed, or else the time that passed, in words. Another client's words do not name it.
    var patience: String {
        // Another client's log does not say how long it waited.
        let seconds = deadline?.seconds ?? elapsedSeconds
        guard seconds > 0 else { return "the time limit" }
        let time = seconds < 0.1 ? "\(max(1, Int((seconds * 1000).rounded()))) ms" : seconds.inSeconds
        return deadline?.kind == .reach ? "its ConnectTimeout of \(time)" : time
    }

    /// Whether the loaded libssh2 is older than a version; false where the version is not known.
    func libraryIsOlder(than major: Int, _ minor: Int, _ patch: Int = 0) -> Bool {
        let parts = libraryVersion.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        guard parts.count >= 2 else { return false }
        return [parts[0], parts[1], parts.count > 2 ? parts[2] : 0].lexicographicallyPrecedes([major, minor, patch])
    }

    /// Whether the server is Microsoft's build of OpenSSH, `SSH-2.0-OpenSSH_for_Windows_9.5`.
    package var isOnWindows: Bool { identification?.contains("OpenSSH_for_Windows") == true }

    /// The server's OpenSSH, from its identification line.
    var openSSHRelease: OpenSSHRelease? { identification.flatMap { OpenSSHRelease(in: $0) } }

    /// The name under which known_hosts lists the host: `[web1]:2222` where the port is not 22 (sshd(8)).
    package var knownHostsName: String {
        if let listed = hostKey?.listedAs { return listed }
        let name = host.isEmpty ? "HOST" : host
        return port == 22 ? name : "[\(name)]:\(port)"
    }
}

/// libssh2's own limit of a minute, which it measures by the time of day.
extension SSHEvidence {
    /// Whether that limit was reached without a minute having passed: the clock was set.
    var libraryClockWasSet: Bool { libraryName == "TIMEOUT" && (awaitedSeconds ?? elapsedSeconds) < 50 }

    /// What such an end is.
    var clockWords: Words {
        Words(
            "This computer's clock was set while \(server) was to answer: libssh2 \(libraryVersion) takes a clock that is a minute "
                + "later for a minute of silence.",
            hint: "Try again; libssh2 1.11 is not misled by that.")
    }
}

/// Small change of the sentences that rules make.
extension String {
    /// One line of at most `limit` characters: line ends, control characters and those that reorder text become spaces.
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

    /// As one word of a POSIX shell, quoted only where it has to be.
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

    /// With its first letter in upper case.
    package var sentence: String { prefix(1).uppercased() + dropFirst() }

    /// Ended like a sentence.
    package var ended: String {
        guard let last else { return self }
        return ".!?…。".contains(last) ? self : self + "."
    }
}

extension Double {
    /// `15 seconds`, `1 second`, `0.5 seconds`.
    package var inSeconds: String {
        guard isFinite, magnitude < 1e9 else { return "some time" }
        let tenths = (self * 10).rounded()
        if tenths == 10 { return "1 second" }
        if tenths.truncatingRemainder(dividingBy: 10) == 0 { return "\(Int(tenths / 10)) seconds" }
        return "\(tenths / 10) seconds"
    }

    /// Whole seconds, rounded up, within what an `AppError` carries.
    var wholeSeconds: Int {
        guard isFinite, self > 0 else { return 0 }
        return self < 1e9 ? Int(rounded(.up)) : 1_000_000_000
    }
}

extension [String] {
    /// `a, b and c`, at most `limit` of them.
    package func listed(_ limit: Int = 6) -> String {
        let shown = count > limit ? Array(prefix(limit)) + ["\(count - limit) more"] : self
        guard let last = shown.last else { return "nothing" }
        return shown.count == 1 ? last : shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
