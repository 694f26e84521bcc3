import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHTrust

/// Generated files, including hostile lines, read by bridge-ssh and by ssh-keygen.
@Suite struct KnownHostsOracleTests {
    private static let names: [(host: String, port: Int)] = [
        ("web1", 22), ("web2.example", 22), ("a.b.example", 22), ("10.0.0.1", 22), ("::1", 22), ("x", 22),
        ("web1", 2222), ("::1", 2222), ("10.0.0.1", 2022),
    ]
    private static let patterns = [
        "*", "*.example", "w?b1", "!web1", "!web1,*", "[web1]:*", "[*]:2222", "WEB1", "web*,!web2.example", "*.0.0.1", ",web1,,",
        "!*", "*,!*.example,!x", "web1,10.0.0.1", "[WEB1]:2222", "::1,[::1]:2222", "?", "???1",
    ]

    private static func names(_ random: inout SeededGenerator) -> String {
        let (host, port) = names.randomElement(using: &random) ?? ("web1", 22)
        let name = KnownHostName(host: host, port: port)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return name.text
        case 1: return HashedHostName(name).text
        default: return patterns.randomElement(using: &random) ?? "*"
        }
    }

    private static func line(_ random: inout SeededGenerator) -> String {
        let key = Bool.random(using: &random) ? TestKeys.ed25519(.random(in: 1...99, using: &random)) : TestKeys.rsa(1)
        let names = names(&random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "@revoked \(names) \(key.line)"
        case 1: return "@cert-authority \(names)\t\(key.line)"
        case 2: return "  \t\(names) \t \(key.line) \t a comment"
        case 3: return "\(names) \(key.line)\r"
        case 4: return brokenFields(names, key).randomElement(using: &random) ?? ""
        case 5: return brokenKeys(names, key).randomElement(using: &random) ?? ""
        default: return "\(names) \(key.line)"
        }
    }

    private static func brokenFields(_ names: String, _ key: SSHHostKey) -> [String] {
        let line = key.line
        return [
            "", " ", "\t", "#", "\r", "# \(names) \(line)", names, "\(names) ", "\(names) \(key.algorithm)",
            "\(names) \(key.algorithm) ", "\(names) 1024 35 123456789", "@bogus \(names) \(line)", "@ \(names) \(line)",
            "@revoked @revoked \(names) \(line)", "@revoked@cert-authority \(names) \(line)", "@revoked",
            "|1|AA==|AA== \(line)", "|1| \(line)", "| \(line)", "|2|AA==|AA== \(line)", "\(names)\u{0}x \(line)",
        ]
    }

    private static func brokenKeys(_ names: String, _ key: SSHHostKey) -> [String] {
        let (type, base64) = (key.algorithm, Base64.encode(key.blob))
        return [
            "\(names) \(type) \(base64.dropLast(3))", "\(names) \(type) \(base64)AAAA", "\(names) ssh-dss \(base64)",
            "\(names) \(key.line)\u{0}\u{0}", "\(names) \(key.line)\u{FFFD}", "\(names) \(type) \u{B}\(base64)",
            "\(names) \(key.line) " + String(repeating: "long ", count: 20_000), "\(names) \(type) \(base64)=",
            "\(names) \(type)\u{0}\(base64)", "\(names)  \(type) # \(base64)",
        ]
    }

    /// The numbers of the lines that match this host and port, according to bridge-ssh.
    private static func ours(_ known: SSHKnownHosts, _ host: String, _ port: Int) -> Set<Int> {
        let name = KnownHostName(host: host, port: port)
        return Set(known.entries.filter { $0.matches(name) }.map(\.location.line))
    }

    @Test("the same lines are found as by ssh-keygen, hashed or not", arguments: 0..<TestExtent.choose(sample: 8, all: 24))
    func weFindTheLinesThatSsh(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<300).map { _ in Self.line(&random) }
        let directory = try TemporaryDirectory()
        let text = lines.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
        let file = try directory.write("known_hosts", text)
        let known = try SSHKnownHostsFiles(user: [file]).load(policy: .strict)
        for (host, port) in Self.names {
            let name = KnownHostName(host: host, port: port).text
            let theirs = try Oracle.lines(matching: name, in: file)
            for line in Self.ours(known, host, port).symmetricDifference(theirs) {
                let finder = theirs.contains(line) ? "ssh-keygen" : "us"
                Issue.record("\(name), line \(line), found by \(finder) only: \(lines[line - 1].prefix(300))")
            }
        }
    }

    @Test("entries hashed by ssh-keygen are found, and removed ones are not", arguments: 0..<6)
    func whatSshKeygenHashesIsStill(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let keys = (1...60).map { TestKeys.ed25519($0) }
        let lines = keys.map { key in
            let (host, port) = Self.names.randomElement(using: &random) ?? ("x", 22)
            return "\(KnownHostName(host: host, port: port).text) \(key.line)"
        }
        let directory = try TemporaryDirectory()
        let file = try directory.write("known_hosts", lines.joined(separator: "\n") + "\n")
        let plain = try SSHKnownHostsFiles(user: [file]).load(policy: .strict)
        try Oracle.sshKeygen("-H", "-f", file)
        let hashed = try SSHKnownHostsFiles(user: [file]).load(policy: .strict)
        #expect(hashed.entries.count == 60 && hashed.entries.allSatisfy(\.isHashed))
        for (host, port) in Self.names {
            #expect(Self.ours(hashed, host, port) == Self.ours(plain, host, port))
        }
        try Oracle.sshKeygen("-R", "[web1]:2222", "-f", file, allowingFailure: true)
        let removed = try SSHKnownHostsFiles(user: [file]).load(policy: .strict)
        #expect(Self.ours(removed, "web1", 2222).isEmpty)
        #expect(removed.entries.count == 60 - Self.ours(plain, "web1", 2222).count)
    }
}
