/// Reads Python's tracebacks: the library and functions that raised an exception, and the exception's causes.
///
/// A library's message is often the same for several failures. The functions on the stack differ.
struct PythonTraceback: Sendable {
    /// paramiko, asyncssh, pssh, ssh2 or ssh; empty if none of them was on the stack or in the log.
    private(set) var library = ""
    /// The functions of the current or last stack, outermost first.
    private(set) var functions: [String] = []
    /// The exceptions that caused this one.
    private(set) var causes: [String] = []
    /// Whether the next line is the source of a frame.
    private var showsSource = false
    /// Whether the exception itself is still to come.
    private(set) var isOpen = false
    /// Whether the last line was the exception of a traceback.
    private var reportedException = false
    private var exception = ""
    /// What a log put before the first line of a traceback, with zeros for its digits.
    private var prefix = ""

    private static let exceptionAhead = "Traceback (most recent call last):"
    private static let causeOpenings = [
        "During handling of the above exception", "The above exception was the direct cause",
    ]
    /// Parts of Python's lines outside a traceback: anywhere in a line (`words`), or at its beginning (`openings`).
    static let words = [exceptionAhead]
    static let openings =
        causeOpenings + ["File \""] + levels.flatMap { level in libraries.sorted().map { "\(level):\($0)" } }

    /// The largest number of functions and causes to keep. The innermost functions and the last causes are kept.
    private static let depth = 256

    private static let libraries: Set<String> = ["paramiko", "asyncssh", "pssh", "ssh2", "ssh", "fabric"]
    private static let levels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

    /// Passes over a line that is not Python's, while no traceback is open.
    mutating func pass() { reportedException = false }

    /// Reads Python's part of a line. Returns the rest: the exception, or a line outside a traceback.
    mutating func read(_ line: String) -> String? {
        let line = unlogged(unprefixed(line))
        reportedException = false
        if line.hasPrefix(Self.exceptionAhead) {
            (functions, isOpen, showsSource) = ([], true, false)
            return nil
        }
        if Self.causeOpenings.contains(where: { line.hasPrefix($0) }) {
            if causes.count == Self.depth { causes.removeFirst() }
            causes.append(exception)
            return nil
        }
        if let frame = Self.frame(line) {
            note(frame)
            return nil
        }
        // Rows read the text before a traceback's first line.
        guard isOpen, !line.hasSuffix(Self.exceptionAhead) || prefix.isEmpty else { return line }
        // A program that was packed without its sources shows none.
        if showsSource, Self.isException(line) { showsSource = false }
        if showsSource || line.allSatisfy({ "^~ ".contains($0) }) || line.hasPrefix("[Previous line repeated") {
            showsSource = false
            return nil
        }
        isOpen = false
        prefix = ""
        reportedException = true
        exception = String(line.prefix { $0 != ":" && $0 != " " })
        return line
    }

    /// The library as a client; empty if there is none, or if its name is another client's too.
    var client: String { ["paramiko": "paramiko", "asyncssh": "asyncssh", "pssh": "parallel-ssh"][library] ?? "" }

    /// Whether one of these functions is on the stack.
    func ran(_ names: String...) -> Bool { functions.contains { names.contains($0) } }

    /// The reading of an exception with missing or unknown text, from the functions on the stack; nil if they do not belong
    /// to an SSH library.
    var tentative: TranscriptReading? {
        guard !library.isEmpty, library != "fabric", functions.last != "<module>" else { return nil }
        if ran("_check_banner") {
            return .ended(.wrapper, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
        }
        if library == "paramiko", ran("from_private_key", "from_private_key_file", "_read_private_key") {
            return TranscriptReading.key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"]).ranked(
                .wrapper)
        }
        let logins = [
            "_auth", "auth_password", "auth_publickey", "auth_interactive", "auth_interactive_dumb", "wait_for_response",
        ]
        if functions.contains(where: { logins.contains($0) }) {
            return TranscriptReading.refused("password", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)
        }
        return ran("start_client") ? .cut(at: .keyExchange, .wrapper) : nil
    }

    /// Whether one of these exceptions is a cause.
    func came(from names: String...) -> Bool {
        causes.contains { cause in names.contains { cause == $0 || cause.hasSuffix("." + $0) } }
    }

    /// Whether the line continues the last report: an exception that the last one caused, or a log message with a traceback.
    func isContinued(by line: String) -> Bool {
        if Self.causeOpenings.contains(where: { line.hasPrefix($0) }) { return true }
        return !reportedException && line.hasSuffix(Self.exceptionAhead)
    }

    private mutating func note(_ frame: (file: String, function: String)) {
        isOpen = true
        if functions.count == Self.depth { functions.removeFirst() }
        functions.append(frame.function.cut(toBytes: 256))
        let parts = frame.file.split { $0 == "/" || $0 == "\\" }
        // Cython's file names start with the package, and its frames show no source.
        showsSource = frame.file.hasSuffix(".py")
        for part in parts.dropLast() where Self.libraries.contains(String(part)) { library = String(part) }
    }

    /// `package.module.SomeError: message`, which no statement begins with.
    private static func isException(_ line: String) -> Bool {
        let name = line.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
        guard name.count == line.count || line[name.endIndex...].hasPrefix(": ") else { return false }
        if name.hasSuffix("Error") || name.hasSuffix("Exception") { return true }
        // `borg.remote.ConnectionClosed: …`
        let parts = name.split(separator: ".")
        return parts.count > 2 && name.count < line.count && parts.last?.first?.isUppercase == true
    }

    /// `File "…", line N, in function`.
    private static func frame(_ line: String) -> (file: String, function: String)? {
        guard line.hasPrefix("File \"") else { return nil }
        let parts = line.dropFirst(6).split(separator: "\"", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix(", line "), let name = parts[1].firstPlace(of: ", in ") else { return nil }
        return (String(parts[0]), String(parts[1][name.upperBound...]))
    }

    /// Removes what a log puts before each line of a traceback, such as the time. Its first line stays as it is.
    private mutating func unprefixed(_ line: String) -> String {
        if line.hasSuffix(Self.exceptionAhead) {
            let before = line.dropLast(Self.exceptionAhead.count)
            guard !before.isEmpty, TranscriptTemplate.endsPrefix(before) else {
                prefix = ""
                return line
            }
            (prefix, functions, isOpen, showsSource) = (Self.shape(before), [], true, false)
            return line
        }
        guard !prefix.isEmpty else { return line }
        guard Self.shape(line.prefix(prefix.count)) == prefix else {
            // The first line followed another text, and its traceback has not ended.
            if functions.isEmpty { isOpen = false }
            prefix = ""
            return line
        }
        return String(line.dropFirst(prefix.count)).trimming(" \t")
    }

    private static func shape(_ text: Substring) -> String { String(text.map { $0.isNumber ? "0" : $0 }) }

    /// Removes the prefix of logging's basic format, `LEVEL:logger:`, if the logger belongs to one of the libraries.
    private mutating func unlogged(_ line: String) -> String {
        guard Self.levels.contains(where: { line.hasPrefix($0) }) else { return line }
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.levels.contains(String(parts[0])),
            let root = parts[1].split(separator: ".").first.map(String.init), Self.libraries.contains(root)
        else { return line }
        library = root
        return String(parts[2]).trimming(" ")
    }
}

/// Tracebacks whose lines a page has joined.
extension PythonTraceback {
    private static let joinedAhead = exceptionAhead + " "

    /// The lines of a traceback in one line: `Traceback (most recent call last): File "a.py", line 3, in f g() OSError: …`.
    ///
    /// - Returns: nil for another line.
    static func lines(in line: String) -> [String]? {
        guard line.mentions(joinedAhead), line.mentions(" File \"") else { return nil }
        var lines: [String] = []
        var rest = line[...]
        while let place = opening(in: rest.dropFirst()), lines.count < depth {
            lines += divided(rest[..<place])
            rest = rest[place...]
        }
        return lines + divided(rest)
    }

    /// The place of the next line that begins with known words.
    private static func opening(in text: Substring) -> String.Index? {
        ([exceptionAhead, "File \""] + causeOpenings).compactMap { text.firstPlace(of: $0)?.lowerBound }.min()
    }

    /// A frame, its source and the exception. No mark stands between them.
    private static func divided(_ text: Substring) -> [String] {
        let text = String(text).trimming(" ")
        guard frame(text) != nil, let name = text.firstPlace(of: ", in ") else { return [text] }
        let words = text[name.upperBound...].split(separator: " ")
        guard let function = words.first else { return [text] }
        let source = words.dropFirst()
        let end = source.firstIndex { isException(String($0.hasSuffix(":") ? $0 + " " : $0)) } ?? words.endIndex
        let lines = [
            text[..<name.upperBound] + function, source[..<end].joined(separator: " ")[...],
            source[end...].joined(separator: " ")[...],
        ]
        return lines.map(String.init).filter { !$0.isEmpty }
    }
}
