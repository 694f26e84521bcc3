import ArgumentParser
import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Reading `run`'s options without the argument parser must give the parser's result.
@Suite("Options read plainly") struct PlainOptionsTests {
    /// Options with a value, each with a valid and, if possible, an invalid one.
    private static let values: [String: (good: String, bad: String?)] = [
        "-p": ("2222", "0"), "--port": ("22", "x"), "-l": ("joe", nil), "--user": ("ann", ""),
        "--connect-timeout": ("2.5", "0"), "--keepalive": ("3", "k"), "-F": ("none", nil), "--config": ("/c", nil),
        "-o": ("Port=9", nil), "--option": ("User=x y", nil), "--known-hosts": ("~/k", nil),
        "--host-key-policy": ("accept-new", "never"), "-i": ("/id", nil), "--identity": ("a=b", nil), "--agent": ("none", nil),
        "--password-file": ("/p", nil), "--passphrase-file": ("/q", nil), "--timeout": ("1h30m", "1e3"),
        "--idle-timeout": ("1", ""), "--drain": ("0.5", "0"), "--env": ("A=b=c", "=c"), "--stdin": ("none", nil),
        "--output-limit": ("64K", "64X"), "--exit-codes": ("ssh", "other"), "--log-file": ("l", nil), "--error-log": ("e", nil),
        "--annotations": ("github", "gitlab"),
        "--log": ("journald=/s", "syslog"),
        "--retries": ("3", "1001"), "--persist": ("10m", "0"), "--exit-status": ("strict", "lax"), "--status-file": ("/s", nil),
        "-J": ("a,b", nil), "--jump": ("a,b", nil), "--wait": ("5m", "0"), "--sudo-password-file": ("/s", nil),
        "--via": ("ssh", "telnet"), "--prompt": ("^r1>$", nil),
    ]
    private static let flags = [
        "-4", "--ipv4", "-6", "--ipv6", "--batch", "--identities-only", "-t", "--tty", "-n", "--json", "-v", "--verbose", "-q",
        "--quiet", "--idempotent", "-T", "--sudo", "--wait-for-name", "--shell",
    ]

    /// The options that `run --help` lists.
    private static let listed: Set<String> = {
        let words = RunCommand.helpMessage(includeHidden: true, columns: 200).split(whereSeparator: { " ,\n<[".contains($0) })
        let options = BridgeSSHCommand.helpMessage(for: RunCommand.self, columns: 200).split(separator: "\n")
            .filter { $0.hasPrefix("  -") }.flatMap { $0.split(separator: "  ")[0].split(whereSeparator: { " ,/".contains($0) }) }
        return Set(options.map(String.init).filter { $0.hasPrefix("-") && words.contains(Substring($0)) })
            .subtracting(["-h", "--help", "--version", "--"])
    }()

    private static func parsed(_ arguments: [String]) -> RunOptions? {
        (try? BridgeSSHCommand.parseAsRoot(["run"] + arguments) as? RunCommand)?.options
    }

    @Test("every option that the help lists is read") func complete() {
        #expect(Self.listed.count > 30)
        // The argument parser takes a fifth of a second in a debug build, so it reads several options at once.
        func words(_ option: String) -> [String] {
            Self.flags.contains(option) ? [option] : [option, Self.values[option]?.good ?? ""]
        }
        let options = Self.listed.sorted()
        for first in stride(from: 0, to: options.count, by: 5) {
            let chosen = options[first..<min(first + 5, options.count)]
            for option in chosen {
                let plain = RunOptions.plain(["run"] + words(option) + ["web1", "true"])
                #expect(plain != nil, "\(option) is left to the argument parser")
            }
            let arguments = chosen.flatMap(words)
            let facts = RunOptions.plain(["run"] + arguments + ["web1", "true"])?.facts
            #expect(facts != nil && facts == Self.parsed(arguments + ["web1", "true"])?.facts, "\(chosen)")
        }
    }

    @Test("any mixture gives the same result, or is left to the parser", arguments: 0..<TestExtent.choose(sample: 2, all: 8))
    func mixtures(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tails = [
            ["web1", "true"], ["web1", "--", "ls", "-l", "--json"], ["web1"], [], ["--", "web1", "x"], ["-", "x"], ["", "x"],
        ]
        let options = Self.listed.sorted()
        for _ in 0..<20 {
            var arguments: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                guard let option = options.randomElement(using: &random) else { continue }
                arguments += spelling(option, &random)
            }
            arguments += try #require(tails.randomElement(using: &random))
            guard let plain = RunOptions.plain(["run"] + arguments) else { continue }
            #expect(plain.facts == Self.parsed(arguments)?.facts, "\(arguments)")
        }
    }

    private func spelling(_ option: String, _ random: inout SeededGenerator) -> [String] {
        guard let (good, bad) = Self.values[option] else { return [option] }
        let value = Int.random(in: 0..<8, using: &random) == 0 ? bad ?? "-x" : good
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where option.hasPrefix("--"): return ["\(option)=\(value)"]
        case 0: return [option + value]
        case 1 where Int.random(in: 0..<6, using: &random) == 0: return [option]
        default: return [option, value]
        }
    }

    @Test(
        "arguments left to the parser",
        arguments: [
            ["config", "web1"], ["run"], ["run", "--help"], ["run", "--port"], ["run", "--port", "x", "web1", "true"],
            ["run", "-p=22", "web1", "true"], ["run", "--nonsense", "web1"], ["run", "--", "web1"],
            ["run", "-vq", "web1", "true"],
            ["run", "-i", "-x", "web1", "true"], ["run", "--json=1", "web1", "true"],
        ])
    func left(_ arguments: [String]) { #expect(RunOptions.plain(arguments) == nil) }
}

extension RunOptions {
    /// Reads every option by its value, because reading one that was not set would trap.
    fileprivate var facts: [String] {
        [
            "\(port.port as Any) \(connection.user as Any) \(connection.jump as Any)",
            "\(connection.connectTimeout as Any)",
            "\(connection.keepalive as Any) \(connection.family as Any) \(prompts.batch)",
            "\(files.config as Any) \(files.option)", "\(trust.knownHosts) \(trust.hostKeyPolicy as Any)",
            "\(credentials.identity) \(credentials.identitiesOnly) \(keys.agent as Any)",
            "\(credentials.passwordFile as Any) \(keys.passphraseFile as Any)",
            "\(status.exitStatus as Any) \(status.statusFile as Any)",
            "\(execution.timeout as Any) \(execution.idleTimeout as Any) \(execution.drain as Any) \(execution.env)",
            "\(execution.tty) \(execution.stdin as Any) \(execution.noInput)", "\(persist.persist as Any) \(via.via as Any)",
            "\(retry.retries as Any) \(retry.idempotent) \(waiting.time as Any) \(waiting.awaitsName)",
            "\(sudo.sudo) \(sudo.sudoPasswordFile as Any) \(shell.shell) \(shell.prompt as Any)",
            "\(output.json) \(output.outputLimit as Any) \(output.exitCodes as Any) \(output.verbose) \(output.quiet)",
            "\(records.logFile as Any) \(records.errorLog as Any) \(failures.annotations as Any) \(failures.log as Any)",
            "\(words)",
        ]
    }
}
