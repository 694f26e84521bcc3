/// Python's tracebacks: which library and which of its functions an exception came out of, and what it came from.
///
/// A library's own words are often the same for several failures; the functions that were on the stack are not.
struct PythonTraceback: Sendable {
    /// paramiko, asyncssh, pssh, ssh2 or ssh; empty where none of them was on the stack or in the log.
    private(set) var library = ""
    /// The functions of the stack that is being read or was read last, outermost first.
    private(set) var functions: [String] = []
    /// The exceptions that this one came from.
    private(set) var causes: [String] = []
    /// Whether the next line is the source of a frame.
    private var showsSource = false
    /// Whether the exception itself is still to come.
    private(set) var isOpen = false
    /// Whether the last line was the exception of a traceback.
    private var reportedException = false
    private var exception = ""

    private static let exceptionAhead = "Traceback (most recent call last):"
    private static let causeOpenings = [
        "During handling of the above exception", "The above exception was the direct cause",
    ]
    /// Words without which a line outside a traceback is none of Python's: anywhere, and at the beginning.
    static let words = [exceptionAhead]
    static let openings = causeOpenings + ["File \""] + levels.map { $0 + ":" }

    /// How many functions of a stack and causes of an exception are kept: the innermost, and the last.
    private static let depth = 256

    private static let libraries: Set<String> = ["paramiko", "asyncssh", "pssh", "ssh2", "ssh", "fabric"]
    private static let levels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

    /// A line that is none of Python's, while no traceback is open.
    mutating func pass() { reportedException = false }

    /// Takes what is Python's own of a line, and gives the rest: the exception, or a line that is no part of a traceback.
    mutating func read(_ line: String) -> String? {
        let line = unlogged(line)
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
        guard isOpen else { return line }
        if showsSource || line.allSatisfy({ "^~ ".contains($0) }) || line.hasPrefix("[Previous line repeated") {
            showsSource = false
            return nil
        }
        isOpen = false
        reportedException = true
        exception = String(line.prefix { $0 != ":" && $0 != " " })
        return line
    }

    /// Whether one of these functions was on the stack.
    func ran(_ names: String...) -> Bool { functions.contains { names.contains($0) } }

    /// Whether the exception came from one of these.
    func came(from names: String...) -> Bool {
        causes.contains { cause in names.contains { cause == $0 || cause.hasSuffix("." + $0) } }
    }

    /// Whether the line continues the last report: an exception that another one came from, or a message of the log
    /// whose traceback follows.
    func isContinued(by line: String) -> Bool {
        if Self.causeOpenings.contains(where: { line.hasPrefix($0) }) { return true }
        return !reportedException && line.hasSuffix(Self.exceptionAhead)
    }

    private mutating func note(_ frame: (file: String, function: String)) {
        isOpen = true
        if functions.count == Self.depth { functions.removeFirst() }
        functions.append(frame.function.cut(toBytes: 256))
        let parts = frame.file.split(separator: "/")
        // Cython names its files from the package on, and has no source to show.
        showsSource = frame.file.hasSuffix(".py")
        for part in parts.dropLast() where Self.libraries.contains(String(part)) { library = String(part) }
    }

    /// `File "…", line N, in function`.
    private static func frame(_ line: String) -> (file: String, function: String)? {
        guard line.hasPrefix("File \"") else { return nil }
        let parts = line.dropFirst(6).split(separator: "\"", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix(", line "), let name = parts[1].firstPlace(of: ", in ") else { return nil }
        return (String(parts[0]), String(parts[1][name.upperBound...]))
    }

    /// Without the prefix of logging's basic format, `LEVEL:logger:`, where the logger is one of the libraries'.
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
