import ErrorCore

/// Errors of cmd.exe and PowerShell.
enum RemoteWindows {
    /// A PowerShell error record, in the view with the position. Its category and identifier are not translated.
    struct ErrorRecord {
        let message: String
        /// For example `ObjectNotFound: (C:\nope:String) [Get-ChildItem], ItemNotFoundException`.
        let category: String
        /// For example `PathNotFound,Microsoft.PowerShell.Commands.GetChildItemCommand`.
        let identifier: String
    }

    static let cause: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        if let record = failure.record, let cause = cause(of: record) { return cause }
        guard let line = failure.lines.last else { return nil }
        if let cause = cause(line) { return cause }
        // dism.exe explains in the next line how to proceed.
        if let line = failure.lines.suffix(3).last(where: { says(elevations, $0) }) { return elevation(line) }
        // cmd.exe's status for an unknown command in a batch file, whatever it prints.
        return failure.status == 9009 ? notFound(in: line) : nil
    }

    // MARK: Causes from a line

    /// The cause from the first row that matches.
    private static func cause(_ line: String) -> SSHRemoteCause? {
        if says(unknownCommands, line) { return notFound(in: line) }
        if says(forbiddenScripts, line) { return scriptsForbidden(line) }
        if says(elevations, line) { return elevation(line) }
        return nil
    }

    private static func says(_ texts: [String], _ line: String) -> Bool {
        // French texts have either apostrophe.
        let lower = line.lowercased().replacing("’", with: "'")
        return texts.contains { lower.contains($0) }
    }

    /// Messages for an unknown command of cmd.exe (message 9009) and PowerShell 5.1 and 7, in English, German, French, Spanish
    /// and Japanese. Where possible, the patterns avoid letters that another code page would garble.
    private static let unknownCommands = [
        "is not recognized as an internal or external command", "is not recognized as the name of a cmdlet",
        "is not recognized as a name of a cmdlet", "ist entweder falsch geschrieben oder", "wurde nicht als name eines cmdlet",
        "n'est pas reconnu en tant que commande interne", "n'est pas reconnu comme nom d'applet de commande",
        "no se reconoce como un comando interno o externo",
        "no se reconoce como nombre de un cmdlet", "内部コマンドまたは外部コマンド", "コマンドレット、関数、スクリプト ファイル、または操作可能なプログラムの名前として認識されません",
    ]

    /// PowerShell's execution policy (about_Execution_Policies).
    private static let forbiddenScripts = [
        "cannot be loaded because running scripts is disabled on this system",
        "is not digitally signed. you cannot run this script",
        "skripts auf diesem system deaktiviert ist", "de scripts est désactivée sur ce système",
        "scripts está deshabilitada en este sistema", "このシステムではスクリプトの実行が無効になっているため",
    ]

    /// ERROR_ELEVATION_REQUIRED (740), dism.exe, net.exe and scripts with `#Requires -RunAsAdministrator`.
    private static let elevations = [
        "the requested operation requires elevation", "elevated permissions are required to run", "requires elevated privileges",
        "#requires\" statement for running as administrator", "must be run as administrator", "please run as administrator",
        "administrator privileges", "der angeforderte vorgang erfordert erhöhte rechte",
        "nécessite une élévation", "la operación solicitada requiere elevación", "要求された操作には管理者特権が必要です",
    ]

    // MARK: Causes from a record

    private static func cause(of record: ErrorRecord) -> SSHRemoteCause? {
        let message = record.message
        if record.identifier.hasPrefix("CommandNotFoundException") {
            return notFound(in: message, name: record.target)
        }
        if record.category.contains("PSSecurityException") { return scriptsForbidden(message) }
        if record.identifier.hasPrefix("ScriptRequiresElevation") { return elevation(message) }
        if record.category.hasPrefix("ObjectNotFound"), record.identifier.hasPrefix("PathNotFound") {
            return RemoteTroubleCause.make(.fileNotFound, record.name, reason: message.oneLine())
        }
        if record.category.hasPrefix("PermissionDenied"), let target = record.name {
            return RemoteTroubleCause.make(.permissionDenied, target, reason: message.oneLine())
        }
        if record.identifier.hasPrefix("DNS_ERROR_RCODE_NAME_ERROR") {
            return RemoteTroubleCause.make(.nameUnknown, record.target.map { ($0, true) }, reason: message.oneLine())
        }
        return cause(message)
    }

    // MARK: Causes

    private static func notFound(in line: String, name: String? = nil) -> SSHRemoteCause {
        let quoted = RemoteLine(line).quotes.first?.content.filter { $0 != "\"" && $0 != "'" }
        let name = (name ?? quoted ?? "").oneLine(200)
        return SSHRemoteCause(
            "command-not-found", .fileNotFound(path: name),
            "The server's shell did not find the command\(name.isEmpty ? "" : " \(name)")", .exact)
    }

    private static func scriptsForbidden(_ line: String) -> SSHRemoteCause {
        SSHRemoteCause(
            "scripts-disabled", .permissionDenied(tool: "PowerShell"),
            "PowerShell's execution policy on the server forbids the script; `powershell -ExecutionPolicy Bypass -File FILE` runs it "
                + "anyway: \(line.oneLine(300))", .exact)
    }

    private static func elevation(_ line: String) -> SSHRemoteCause {
        SSHRemoteCause(
            "privilege-required", .permissionDenied(tool: "Windows"),
            "The command needs an administrator of the server: \(line.oneLine(300))", .likely)
    }
}

extension RemoteWindows.ErrorRecord {
    /// The target in parentheses in the category, without its type: `C:\nope` in `(C:\nope:String)`. PowerShell shortens long
    /// targets.
    var target: String? {
        guard let open = category.firstIndex(of: "("), let close = category[open...].lastIndex(of: ")"),
            let colon = category[open..<close].lastIndex(of: ":")
        else { return nil }
        let name = String(category[category.index(after: open)..<colon])
        return name.isEmpty || name.contains("...") ? nil : name
    }

    /// The file that the error is about: the quoted name, which is not shortened.
    var name: (path: String, isSure: Bool)? {
        let quoted = RemoteLine(message).quotes.map(\.content).first { $0.contains("\\") || $0.contains("/") }
        return (quoted ?? target).map { ($0, true) }
    }
}

/// Joins Windows messages that span several lines.
enum WindowsLines {
    /// The lines with each PowerShell error record reduced to its message, and with broken sentences of cmd.exe joined.
    static func joined(_ lines: [String]) -> [String] { sentences(concise(separated(lines).lines)) }

    /// The last PowerShell error record.
    static func record(in lines: [String]) -> RemoteWindows.ErrorRecord? { separated(lines).records.last }

    private static let category = "+ CategoryInfo"
    private static let identifier = "+ FullyQualifiedErrorId"

    private static func separated(_ lines: [String]) -> (lines: [String], records: [RemoteWindows.ErrorRecord]) {
        guard lines.contains(where: { $0.hasPrefix(category) }) else { return (lines, []) }
        var kept: [String] = []
        var records: [RemoteWindows.ErrorRecord] = []
        var rest = lines[...]
        while let at = rest.firstIndex(where: { $0.hasPrefix(category) }) {
            let head = rest[..<at]
            let part = Self.part(in: head)
            kept += head[..<part.start]
            kept.append(part.message)
            var tail = rest[(at + 1)...]
            var kind = value(rest[at])
            while let line = tail.first, !line.hasPrefix(identifier), kind.utf8.count < 400, !line.contains(" : ") {
                kind += line
                tail.removeFirst()
            }
            var name = ""
            if let line = tail.first, line.hasPrefix(identifier) {
                name = value(line)
                tail.removeFirst()
                // A long identifier continues in the next line, which then has no space.
                if line.utf8.count > 60, let next = tail.first, !next.contains(" ") {
                    name += next
                    tail.removeFirst()
                }
            }
            records.append(.init(message: part.message, category: kind, identifier: name))
            rest = tail
        }
        return (kept + rest, records)
    }

    /// The message of the record that ends with these lines, and the record's first line. The position and the quoted code follow
    /// the message; if the code itself is wrong, they precede it; for a script that must not run, they are absent.
    private static func part(in head: ArraySlice<String>) -> (start: Int, message: String) {
        // The position is in the line before the quoted code.
        let code = head.lastIndex { $0.hasPrefix("+ ") }
        let position = head.firstIndex { $0.hasPrefix("+ ") }.map { max(head.startIndex, $0 - 1) }
        if let code, let position, code + 1 < head.endIndex {
            return (position, head[(code + 1)...].joined(separator: " "))
        }
        let end = position ?? head.endIndex
        var start = head[..<end].lastIndex { $0.contains(" : ") } ?? max(head.startIndex, end - 1)
        if position == nil, start == end - 1 {
            // Without a position only the fold shows that a line belongs to the message.
            while start > max(head.startIndex, end - 4), !head[start - 1].hasSuffix(".") { start -= 1 }
        }
        return (start, head[start..<end].joined(separator: " "))
    }

    /// The text after the colon.
    private static func value(_ line: String) -> String {
        guard let colon = line.firstIndex(of: ":") else { return "" }
        return line[line.index(after: colon)...].trimmingBlanks
    }

    /// PowerShell 7 draws a frame around the code, with the message below it.
    private static func concise(_ lines: [String]) -> [String] {
        guard let head = lines.firstIndex(of: "Line |") else { return lines }
        let framed = lines[(head + 1)...].prefix { $0.hasPrefix("|") || $0.first?.isNumber == true && $0.contains("|") }
        let message = framed.filter { $0.hasPrefix("| ") && !$0.allSatisfy { "|~ ".contains($0) } }.map {
            $0.dropFirst(2).trimmingBlanks
        }
        guard !message.isEmpty else { return lines }
        return Array(lines[..<head]) + [message.joined(separator: " ")] + concise(Array(lines[framed.endIndex...]))
    }

    /// The beginnings of second lines that complete the first.
    private static let continuations = [
        "operable program or batch file", "konnte nicht gefunden werden", "ou externe, un programme ex",
        "programa o archivo por lotes ejecutable", "操作可能なプログラムまたはバッチ ファイルとして", "check the spelling of the name, or",
        "vuelva a intentarlo",
    ]

    private static func sentences(_ lines: [String]) -> [String] {
        lines.reduce(into: []) { joined, line in
            let lower = line.lowercased()
            if let last = joined.last, continuations.contains(where: { lower.hasPrefix($0) }) {
                joined[joined.count - 1] = last + " " + line
            } else {
                joined.append(line)
            }
        }
    }
}

/// Windows exit statuses that explain why a process ended (ntstatus.h).
enum WindowsStatus {
    /// A description of the status; nil if it explains nothing.
    static func words(_ status: Int) -> String? { table[status] }

    private static let table: [Int: String] = [
        0xC000_0005: "0xC0000005, STATUS_ACCESS_VIOLATION: the program crashed",
        0xC000_0017: "0xC0000017, STATUS_NO_MEMORY: there was too little memory",
        0xC000_0022: "0xC0000022, STATUS_ACCESS_DENIED: the program may not be run",
        0xC000_007B: "0xC000007B, STATUS_INVALID_IMAGE_FORMAT: the program or a DLL is for another machine",
        0xC000_00FD: "0xC00000FD, STATUS_STACK_OVERFLOW: the program crashed",
        0xC000_0135: "0xC0000135, STATUS_DLL_NOT_FOUND: a DLL is missing",
        0xC000_0139: "0xC0000139, STATUS_ENTRYPOINT_NOT_FOUND: a DLL is of another version",
        0xC000_013A: "0xC000013A, STATUS_CONTROL_C_EXIT: it was interrupted",
        0xC000_0142: "0xC0000142, STATUS_DLL_INIT_FAILED: a DLL did not start",
        0xC000_0374: "0xC0000374, STATUS_HEAP_CORRUPTION: the program crashed",
        0xC000_0409: "0xC0000409, STATUS_STACK_BUFFER_OVERRUN: the program crashed",
        0xFFFF_FFFF: "0xFFFFFFFF, which is -1",
    ]
}
