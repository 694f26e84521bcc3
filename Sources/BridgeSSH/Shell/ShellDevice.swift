/// A kind of network device: how its prompt looks, how its pager is switched off, and its messages for unknown and failed
/// commands.
struct ShellDevice: Sendable {
    /// The name for messages and reports.
    let name: String
    /// Texts in its identification line or greeting, in lower case.
    let marks: [String]
    let prompt: PromptForm
    /// The command that switches off its pager for the session; nil if there is none.
    let pagerOff: String?
    /// The beginning of the line in which its parser rejects a command. Then no part of the command has run.
    let syntaxErrors: [String]
    /// The beginning of a line that reports an error, which may have occurred after a part of the command had run.
    let failures: [String]
    /// The document that describes this.
    let source: String

    /// In the order in which they are tried.
    static let all: [ShellDevice] = [nxos, ios, junos, eos, routerOS]

    static let ios = ShellDevice(
        name: "Cisco IOS", marks: ["-cisco-", "cisco ios"], prompt: .host, pagerOff: "terminal length 0",
        syntaxErrors: ciscoSyntaxErrors, failures: ciscoFailures,
        source: "Cisco IOS Configuration Fundamentals Command Reference: terminal length; error messages of the CLI")

    static let nxos = ShellDevice(
        name: "Cisco NX-OS", marks: ["nexus operating system", "nx-os"], prompt: .host, pagerOff: "terminal length 0",
        syntaxErrors: ciscoSyntaxErrors + ["Syntax error while parsing"],
        failures: ciscoFailures + ["% Permission denied for the role"],
        source: "Cisco Nexus NX-OS Fundamentals Configuration Guide: terminal length, command-line error messages")

    static let eos = ShellDevice(
        name: "Arista EOS", marks: ["arista"], prompt: .host, pagerOff: "terminal length 0",
        syntaxErrors: ciscoSyntaxErrors, failures: ciscoFailures,
        source: "Arista EOS User Manual, Command-Line Interface: terminal length, % Invalid input")

    static let junos = ShellDevice(
        name: "Juniper Junos", marks: ["--- junos"], prompt: .userAtHost, pagerOff: "set cli screen-length 0",
        syntaxErrors: ["unknown command.", "syntax error", "missing argument."], failures: ["error: "],
        source: "Junos CLI User Guide: set cli screen-length, and Junos CLI error messages")

    static let routerOS = ShellDevice(
        name: "MikroTik RouterOS", marks: ["-rosssh", "mikrotik routeros"], prompt: .brackets, pagerOff: nil,
        syntaxErrors: ["bad command name ", "expected end of command ", "expected command name ", "syntax error "],
        failures: [
            "invalid value ", "input does not match any value of ", "no such command", "no such item", "not enough permissions ",
            "missing value(s) of argument(s) ", "ambiguous value of ", "failure: ",
        ],
        source: "RouterOS documentation, Command Line Interface and Console login process: pages are asked for with D")

    /// A Cisco-like command line of an unknown make. The three known makes share the command.
    static let ciscoLike = ShellDevice(
        name: "a command line like Cisco's", marks: [], prompt: .host, pagerOff: "terminal length 0",
        syntaxErrors: ciscoSyntaxErrors, failures: ciscoFailures,
        source: "the manuals of Cisco IOS, NX-OS and Arista EOS")

    private static let ciscoSyntaxErrors = [
        "% Invalid input", "% Invalid command", "% Incomplete command", "% Ambiguous command", "% Unknown command",
        "% Unrecognized command", "% Type \"",
    ]
    private static let ciscoFailures = [
        "% Invalid ", "% Bad ", "% Authorization failed", "Command authorization failed", "Error in authentication",
        "% Not authorized", "% Cannot ",
    ]

    /// The beginnings of such lines of all devices, for an unknown device.
    static let everyError = all.flatMap { $0.syntaxErrors + $0.failures }

    /// The device that identifies itself in these texts.
    ///
    /// - Parameter texts: its identification line and its greeting.
    static func named(in texts: [String]) -> ShellDevice? {
        let texts = texts.map { $0.lowercased() }
        return all.first { device in device.marks.contains { mark in texts.contains { $0.contains(mark) } } }
    }

    /// The device with this form of prompt.
    static func prompting(_ line: String) -> ShellDevice? {
        if PromptForm.brackets.matches(line) { return routerOS }
        if PromptForm.userAtHost.matches(line) { return junos }
        return PromptForm.host.matches(line) ? ciscoLike : nil
    }
}

/// The form of a prompt: a line without a line end. Trailing spaces are ignored.
enum PromptForm: Sendable {
    /// `r1>`, `r1#`, `r1(config-if)#`, `RP/0/RP0/CPU0:r1#`.
    case host
    /// `admin@r1>`, `admin@r1#`.
    case userAtHost
    /// `[admin@r1] >`, `[admin@r1] /ip address>`.
    case brackets

    func matches(_ line: String) -> Bool { stem(of: line) != nil }

    /// The part of the prompt that stays the same in every mode: `r1`, `admin@r1`, `[admin@r1]`; nil if the line is not a prompt.
    func stem(of line: String) -> Substring? {
        guard line.utf8.count <= 160 else { return nil }
        switch self {
        case .host: return Self.hostStem(line, allowing: "._-/:+")
        case .userAtHost:
            guard let stem = Self.hostStem(line, allowing: "._-@"), stem.split(separator: "@").count == 2 else { return nil }
            return stem
        case .brackets:
            guard line.hasPrefix("["), let end = line.firstIndex(of: "]"), line[..<end].contains("@"), line.last == ">" else {
                return nil
            }
            let mode = line[line.index(after: end)...].dropLast()
            let isMode = mode.allSatisfy { $0 == " " } || mode.hasPrefix(" /") || mode.hasPrefix(" <SAFE>")
            return isMode ? line[...end] : nil
        }
    }

    /// A name, optionally a mode in parentheses, and `>` or `#`.
    private static func hostStem(_ line: String, allowing signs: String) -> Substring? {
        guard let last = line.last, last == ">" || last == "#" else { return nil }
        var name = line.dropLast()
        if name.last == ")" {
            guard let open = name.firstIndex(of: "("), open != name.startIndex else { return nil }
            name = name[..<open]
        }
        guard let first = name.first, first.isLetter || first.isNumber,
            name.allSatisfy({ $0.isLetter || $0.isNumber || signs.contains($0) })
        else { return nil }
        return name
    }
}
