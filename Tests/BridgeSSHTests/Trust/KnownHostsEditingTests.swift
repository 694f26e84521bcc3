import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHTrust

/// Files that ssh-keygen accepts too; it refuses a file with a line that it does not understand.
private enum Generated {
    static let names: [(host: String, port: Int)] = [
        ("web1", 22), ("web2.example", 22), ("a.b.example", 22), ("10.0.0.1", 22), ("::1", 22), ("web1", 2222), ("::1", 2222),
    ]
    private static let lists = [
        "*", "*.example", "w?b1", "!web1,*", "[web1]:*", "[*]:2222", "WEB1", "web*,!web2.example", "web1,10.0.0.1",
        "10.0.0.1,WEB1,a.b.example", "[WEB1]:2222", "::1,[::1]:2222", "*,!*.example,!x",
    ]
    private static let comments = [
        "", " root@box", "\tcomment with  blanks \t", " # not a comment", " caf\u{E9} \u{1F511}", "\r",
    ]

    static func file(_ random: inout SeededGenerator, lines count: Int = 60) -> String {
        (0..<count).map { _ in line(&random) + "\n" }.joined()
    }

    private static func line(_ random: inout SeededGenerator) -> String {
        let key = Bool.random(using: &random) ? TestKeys.ed25519(.random(in: 1...99, using: &random)) : TestKeys.rsa(1)
        let comment = comments.randomElement(using: &random) ?? ""
        let field = field(&random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "@revoked \(field) \(key.line)\(comment)"
        case 1: return "@cert-authority \(field)\t\(key.line)\(comment)"
        case 2: return "  \t\(field) \t \(key.line)\(comment)"
        case 3: return ["", "# a comment", "   ", "\t# another", "#"].randomElement(using: &random) ?? ""
        default: return "\(field) \(key.line)\(comment)"
        }
    }

    private static func field(_ random: inout SeededGenerator) -> String {
        let (host, port) = names.randomElement(using: &random) ?? ("web1", 22)
        let name = KnownHostName(host: host, port: port)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return name.text
        case 1: return HashedHostName(name).text
        default: return lists.randomElement(using: &random) ?? "*"
        }
    }
}

@Suite struct KnownHostsEditingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func writer(_ name: String = "ours") -> SSHKnownHostsWriter { SSHKnownHostsWriter(path: directory.path(name)) }

    private func text(_ name: String = "ours") throws -> String { String(decoding: try directory.read(name), as: UTF8.self) }

    @Test("removed and kept lines are byte for byte those of ssh-keygen -R", arguments: 0..<16)
    func whatIsRemovedAndWhatStays(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let before = Generated.file(&random)
        for (host, port) in Generated.names {
            try directory.write("ours", before)
            let theirs = try directory.write("theirs", before)
            let removed = try writer().remove(host: host, port: port)
            try Oracle.sshKeygen("-R", KnownHostName(host: host, port: port).text, "-f", theirs, allowingFailure: true)
            #expect(try text() == text("theirs"), "\(host) \(port)")
            let lines = SSHKnownHosts(before).lines(for: host, port: port).filter { $0.marker == .trusted }
            #expect(removed.map(\.location.line) == lines.map(\.location.line))
            #expect(removed.map(\.key) == lines.map(\.key))
            if !removed.isEmpty { #expect(try text("ours.old") == before) }
        }
    }

    @Test("names are hashed and other lines kept as by ssh-keygen -H", arguments: 0..<16)
    func namesAreHashedAndLinesLeft(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let before = Generated.file(&random)
        try directory.write("ours", before)
        let theirs = try directory.write("theirs", before)
        let count = try writer().hashNames()
        try Oracle.sshKeygen("-H", "-f", theirs)
        // The salts differ, so the hashed names are compared by looking them up.
        #expect(try Self.withoutHashes(text()) == Self.withoutHashes(text("theirs")))
        for (host, port) in Generated.names {
            let name = KnownHostName(host: host, port: port).text
            let ours = try Oracle.lines(matching: name, in: directory.path("ours"))
            #expect(try ours == Oracle.lines(matching: name, in: theirs), "\(name)")
            #expect(SSHKnownHosts(try text()).lines(for: host, port: port).map(\.location.line) == ours.sorted())
        }
        #expect(try text("ours.old") == before && count > 0)
        let once = try text()
        #expect(try writer().hashNames() == 0)
        #expect(try text() == once)
    }

    private static func withoutHashes(_ text: String) -> String { text.replacing(/\|1\|[^ \t]*/, with: "|1|") }

    @Test("unknown lines are kept, while ssh-keygen gives up") func whatIsNotUnderstoodStaysWhere() throws {
        let key = TestKeys.rsa(1).line
        let junk = "web1\n@bogus web1 \(key)\nweb1 #x\n\u{0}\u{1}\n|1|bad \(key)\n"
        try directory.write("ours", Array("\(junk)web1 \(key)".utf8) + [0xFF])
        #expect(try writer().remove(host: "WEB1").map(\.location.line) == [6])
        #expect(try text() == junk)
    }

    @Test("an unknown host, a missing file and a device are not a problem and are not touched") func anUnknownHostAMissingFile()
        throws
    {
        try directory.write("ours", "web2 \(TestKeys.rsa(1).line)")
        #expect(try writer().remove(host: "web1") == [])
        #expect(try writer("none").remove(host: "web1") == [])
        #expect(try SSHKnownHostsWriter(path: "/dev/null").remove(host: "web1") == [])
        #expect(try writer("none").hashNames() == 0)
        #expect(try directory.names == ["ours"])
        #expect(try text() == "web2 \(TestKeys.rsa(1).line)")
    }

    // MARK: Replacing

    private let old = TestKeys.ed25519(1)
    private let new = TestKeys.ed25519(2)
    private let rsa = TestKeys.rsa(1)

    @Test("a changed key takes the old one's place, for this host alone") func aChangedKeyTakesTheOld() throws {
        let hashed = HashedHostName(KnownHostName(host: "web1", port: 22)).text
        try directory.write(
            "ours",
            "web1,10.0.0.1 \(old.line) kept\nweb1 \(rsa.line)\n# note\n\(hashed) \(old.line)\nweb1 \(old.line)\nweb3 \(old.line)\n"
        )
        let result = try writer().replace(with: [new], host: "Web1", port: 22)
        #expect(result.removed.map(\.location.line) == [1, 4, 5])
        #expect(result.removed.allSatisfy { $0.key == old })
        #expect(result.added.map(\.line) == [5])
        let after = try text()
        #expect(after.hasPrefix("10.0.0.1 \(old.line) kept\nweb1 \(rsa.line)\n# note\nweb3 \(old.line)\n|1|"))
        let known = SSHKnownHosts(after)
        #expect(known.verdict(on: new, host: "web1", port: 22) == .trusted(SSHKnownHostsLocation(file: "kh", line: 5)))
        guard case .changed = known.verdict(on: old, host: "web1", port: 22),
            case .trusted = known.verdict(on: rsa, host: "web1", port: 22),
            case .trusted = known.verdict(on: old, host: "10.0.0.1", port: 22)
        else {
            Issue.record("\(after)")
            return
        }
        // Once more changes nothing.
        #expect(try writer().replace(with: [new], host: "web1", port: 22).removed.isEmpty)
        #expect(try text() == after)
    }

    @Test("a pattern is not changed, and neither is any other line", arguments: ["web*", "web1,web*", "?eb1", "*,!web2"])
    func aPatternIsNotChanged(field: String) throws {
        let before = "web1 \(old.line)\n\(field) \(old.line)\n"
        try directory.write("ours", before)
        let problem = try #require(throws: SSHKnownHostsProblem.self) {
            try writer().replace(with: [new], host: "web1", port: 22)
        }
        #expect(problem.code == .patternLine && problem.line == 2)
        #expect(try text() == before)
        #expect(try directory.names == ["ours"])
    }

    @Test("a revoked key is never written") func aRevokedKeyIsNeverPut() throws {
        let before = "web1 \(old.line)\n@revoked * \(new.line)\n"
        try directory.write("ours", before)
        let problem = try #require(throws: SSHKnownHostsProblem.self) {
            try writer().replace(with: [new], host: "web1", port: 22)
        }
        #expect(problem.code == .revokedKey && problem.line == 2)
        #expect(try text() == before)
    }

    @Test("the file with the old key gets the new one, and the machine's file is only read") func theFileThatHasTheOld()
        throws
    {
        let files = SSHKnownHostsFiles(
            user: [directory.path("first"), directory.path("second")], system: [directory.path("machine")], areExplicit: false)
        try directory.write("second", "web1 \(old.line)\n")
        try directory.write("machine", "web1 \(old.line)\n")
        let result = try files.replace(with: [new], host: "web1")
        #expect(result.added.map(\.file) == [directory.path("second")])
        #expect(try text("second") == "web1 \(new.line)\n" && text("machine") == "web1 \(old.line)\n")
        #expect(try directory.names == ["machine", "second", "second.old"])
        // If only the machine's file has the host, the new key goes into the user's first file, which takes precedence.
        try directory.write("second", "")
        #expect(try files.replace(with: [new], host: "web1").added.map(\.file) == [directory.path("first")])
        let known = try files.load(policy: .strict)
        guard case .trusted = known.verdict(on: new, host: "web1", port: 22) else {
            Issue.record("not trusted")
            return
        }
        #expect(try files.remove(host: "web1").map(\.location.file) == [directory.path("first")])
    }
}
