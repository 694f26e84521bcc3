import BridgeSSH
import SSHRun

/// Options of ssh(1) that run does not take, and options behind the host, where ssh(1) still takes them. Here everything behind the host is the command, so a command that begins
/// with a dash is refused, with the line as it should be.
enum MisplacedOptions {
    /// - Parameters:
    ///   - words: the host and the command, as the parser left them: the end of `arguments`.
    ///   - arguments: all arguments of the program, from `run` on.
    /// - Throws: `UsageProblem`.
    static func check(_ words: [String], in arguments: [String]) throws {
        if let first = words.first, let instead = SSHFlags.substitute(for: first) {
            throw UsageProblem(field: first, problem: "run has no such option; \(instead)")
        }
        guard words.count > 1, words[1].utf8.first == UInt8(ascii: "-"), words[1] != "--",
            words[0].utf8.first != UInt8(ascii: "-")
        else { return }
        let (host, before, behind) = (words[0], Array(arguments.dropLast(words.count)), words.dropFirst())
        let asCommand = line(before + [host, "--"], behind)
        if let (options, command) = split(behind) {
            let corrected = line(before + options + [host], command.isEmpty ? ["COMMAND"] : command)
            throw UsageProblem(
                field: words[1],
                problem: "options stand before the host: `\(corrected)`. If it belongs to the command: `\(asCommand)`")
        }
        let instead = SSHFlags.substitute(for: words[1]).map { "; \($0)" } ?? ""
        throw UsageProblem(
            field: words[1], problem: "options stand before the host\(instead). If it belongs to the command: `\(asCommand)`")
    }

    /// The options at the beginning, and the command behind them; nil if one of the options is none of `run`.
    private static func split(_ words: ArraySlice<String>) -> (options: [String], command: ArraySlice<String>)? {
        var rest = words
        var ignored = RunOptions()
        while let option = rest.first, option.hasPrefix("-"), option != "--" {
            rest.removeFirst()
            guard ignored.take(option, &rest) else { return nil }
        }
        return (Array(words[..<rest.startIndex]), rest.first == "--" ? rest.dropFirst() : rest)
    }

    /// What can be copied and run; a command that is too long for a message is left to the reader.
    private static func line(_ head: [String], _ command: ArraySlice<String>) -> String {
        let head = (["bridge-ssh"] + head).map(\.shellWord).joined(separator: " ")
        let tail = command.map(\.shellWord).joined(separator: " ")
        return head + " " + (tail.count > 120 ? "…" : tail)
    }
}
