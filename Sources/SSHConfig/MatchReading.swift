/// The criteria of one `Match` line (ssh_config(5)).
struct MatchReading {
    let context: SSHConfigContext
    /// As far as they have been read.
    let settings: SettingStore
    /// The host as it was named.
    let host: String
    let isFinalPass: Bool
    /// Whether commands may be run; a line that can match nothing runs none.
    let mayExecute: Bool
    /// Whether `final` was named, which has the files read once more.
    private(set) var namesFinal = false

    init(context: SSHConfigContext, settings: SettingStore, host: String, isFinalPass: Bool, mayExecute: Bool) {
        self.context = context
        self.settings = settings
        self.host = host
        self.isFinalPass = isFinalPass
        self.mayExecute = mayExecute
    }

    /// Whether all criteria hold. All are read, also after one that does not hold; only commands are then not run.
    mutating func evaluate(_ text: ArraySlice<UInt8>) throws(LineProblem) -> Bool {
        var words = DelimitedWords(text)
        var count = 0
        var holds = true
        while let word = words.next(), !word.isEmpty {
            if word[0] == UInt8(ascii: "#") {
                words.skipRest()
                break
            }
            var name = String(decoding: word, as: UTF8.self)
            let isNegated = name.hasPrefix("!")
            if isNegated { name.removeFirst() }
            name = name.lowercasedASCII
            if name == "all" {
                try checkAlone(&words, count)
                try checkEnd(words)
                return holds && !isNegated
            }
            count += 1
            let result: Bool
            if name == "final" || name == "canonical" {
                if name == "final" { namesFinal = true }
                result = isFinalPass
            } else {
                guard let argument = words.next(), let first = argument.first, first != UInt8(ascii: "#") else {
                    throw LineProblem("the criterion \(name) of Match has no value")
                }
                result = try criterion(name, String(decoding: argument, as: UTF8.self), mayExecute: mayExecute && holds)
            }
            if result == isNegated { holds = false }
        }
        guard count > 0 else {
            throw LineProblem("Match has no criterion; write all, host, originalhost, user, localuser or exec")
        }
        try checkEnd(words)
        return holds
    }

    private func checkAlone(_ words: inout DelimitedWords, _ count: Int) throws(LineProblem) {
        let next = words.next()
        guard count <= 1, next?.isEmpty ?? true || next?.first == UInt8(ascii: "#") else {
            throw LineProblem("all cannot be combined with other criteria of Match")
        }
        if next?.first == UInt8(ascii: "#") { words.skipRest() }
    }

    private func checkEnd(_ words: DelimitedWords) throws(LineProblem) {
        guard words.isAtEnd else { throw LineProblem("something follows the criteria of Match; remove it") }
    }

    private func criterion(_ name: String, _ value: String, mayExecute: Bool) throws(LineProblem) -> Bool {
        switch name {
        case "host": return Pattern.list(value, means: try currentHost().lowercasedASCII, ignoringCase: true)
        case "originalhost": return Pattern.list(value, means: host.lowercasedASCII, ignoringCase: true)
        case "user": return Pattern.list(value, means: user)
        case "localuser": return Pattern.list(value, means: context.localUser)
        case "exec": return try execute(value, mayExecute: mayExecute)
        default:
            throw LineProblem(
                "Match knows no criterion \(name); it knows all, canonical, final, host, originalhost, user, localuser and exec")
        }
    }

    private var user: String { settings.first("user") ?? context.localUser }

    /// The host's name as it is known by now.
    private func currentHost() throws(LineProblem) -> String {
        guard let name = settings.first("hostname") else { return host }
        return isFinalPass ? name : try HostNameExpansion.expand(name, host: host)
    }

    private func execute(_ text: String, mayExecute: Bool) throws(LineProblem) -> Bool {
        let current = try currentHost()
        var values = TokenValues(
            host: current, originalHost: host, keyAlias: settings.first("hostkeyalias") ?? current,
            port: settings.first("port").flatMap { Int($0) } ?? 22, user: user, context: context)
        values.jump = settings.first("proxyjump").flatMap { $0 == "none" ? nil : $0 } ?? ""
        let command = try values.expandCommand(text)
        guard mayExecute else { return false }
        guard let status = context.execute(command) else {
            throw LineProblem("the command of Match exec, “\(command)”, could not be run to its end")
        }
        return status == 0
    }
}

/// The tokens of `HostName`: `%h` and `%%`.
enum HostNameExpansion {
    static func expand(_ text: String, host: String) throws(LineProblem) -> String {
        try TokenExpansion(tokens: [UInt8(ascii: "h"): host]).expand(text)
    }
}
