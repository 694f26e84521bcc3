import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("Claims of hosts") struct ShardClaimsTests {
    private static func with(_ body: (String) async throws -> Void) async throws {
        try await ScratchDirectory.with { scratch in
            let path = scratch.path("claims")
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try await body(path)
        }
    }

    /// Whether a process with this journal gets a host.
    private static func takes(
        _ host: String, _ journal: String, _ path: String, overridden: Set<String> = []
    ) async throws -> Bool {
        try await ShardClaims(path, journal: journal, overridden: overridden).take(host)
    }

    private static func files(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("if many processes claim a host at once, one gets it")
    func race() async throws {
        try await Self.with { path async throws in
            for host in ["web1", "a/b", "..", "%41", String(repeating: "x", count: 300)] {
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<16 {
                        group.addTask { try await ShardClaims(path, journal: "journal-\(number)").take(host) }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(winners == 1, "\(host)")
            }
            #expect(try Self.files(path).count == 5)
        }
    }

    @Test("a journal finds its own claim again, and no other")
    func own() async throws {
        try await Self.with { path async throws in
            #expect(try await Self.takes("web1", "one", path))
            #expect(try await Self.takes("web1", "one", path))
            #expect(try await !Self.takes("web1", "two", path))
        }
    }

    @Test("after a reboot, or on another machine, a journal's own claim does not show a host's outcome")
    func boot() async throws {
        try await Self.with { path async throws in
            #expect(try await Self.takes("web1", "one", path))
            let text = try String(contentsOfFile: path + "/web1", encoding: .utf8)
            try text.replacing(ShardClaims.boot, with: "0").write(toFile: path + "/web1", atomically: true, encoding: .utf8)
            #expect(try await !Self.takes("web1", "one", path))
        }
    }

    @Test(
        "anything else in the place of a claim belongs to another process",
        arguments: ["", "bridge-ssh-claim/1 one", "\0\0", "x"])
    func foreign(text: String) async throws {
        try await Self.with { path async throws in
            try text.write(toFile: path + "/web1", atomically: true, encoding: .utf8)
            #expect(try await !Self.takes("web1", "one", path))
            #expect(symlink("/nowhere", path + "/web2") == 0 && mkdir(path + "/web3", 0o700) == 0)
            #expect(try await !Self.takes("web2", "one", path))
            #expect(try await !Self.takes("web3", "one", path))
        }
    }

    @Test("a process removes only its own claims")
    func release() async throws {
        try await Self.with { path async throws in
            let (one, two) = (ShardClaims(path, journal: "one"), ShardClaims(path, journal: "two"))
            var isTaken = try await one.take("web1")
            #expect(isTaken)
            await two.release("web1")
            #expect(try Self.files(path) == ["web1"])
            await one.release("web1")
            #expect(try Self.files(path).isEmpty)
            isTaken = try await two.take("web1")
            #expect(isTaken)
        }
    }

    @Test("a person may order a claimed host to be run again")
    func overridden() async throws {
        try await Self.with { path async throws in
            #expect(try await Self.takes("web1", "one", path))
            #expect(try await Self.takes("web1", "two", path, overridden: ["web1"]))
            #expect(try await !Self.takes("web1", "one", path))
        }
    }

    @Test("a claim taken over from another process is not removed, even if the command did not run the second time")
    func overriddenAndNotRun() async throws {
        try await Self.with { path async throws in
            #expect(try await Self.takes("web1", "lost", path))
            let claims = ShardClaims(path, journal: "one", overridden: ["web1"])
            let isTaken = try await claims.take("web1")
            #expect(isTaken)
            await claims.release("web1")
            #expect(try await !Self.takes("web1", "two", path))
        }
    }

    @Test("a claim that another process has taken over meanwhile is not removed")
    func takenOver() async throws {
        try await Self.with { path async throws in
            let claims = ShardClaims(path, journal: "one")
            let isTaken = try await claims.take("web1")
            #expect(isTaken)
            #expect(try await Self.takes("web1", "two", path, overridden: ["web1"]))
            await claims.release("web1")
            #expect(try await !Self.takes("web1", "one", path))
        }
    }

    @Test("when all hosts are claimed, the directory contains only the claims")
    func end() async throws {
        try await Self.with { path async throws in
            let claims = ShardClaims(path, journal: "one")
            let isTaken = try await claims.take("web1")
            #expect(isTaken)
            claims.end()
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["web1"])
        }
    }

    @Test("no claim is made in a missing directory or in one that others can write to")
    func unusable() async throws {
        try await Self.with { path async throws in
            #expect(chmod(path, 0o777) == 0)
            await #expect(throws: JournalProblem.self) { try await ShardClaims(path, journal: "one").take("web1") }
            await #expect(throws: JournalProblem.self) { try await ShardClaims(path + "/none", journal: "one").take("web1") }
        }
    }

    @Test("different hosts have different claim names")
    func names() {
        let hosts = [".", "..", ".a", "%2E", "%2e", "a b", "a%20b", "a/b", "a%2Fb", "\u{e9}", "A", "a"]
        #expect(Set(hosts.map(HostFileName.of)).count == hosts.count)
        let long = (0..<3).map { String(repeating: "x", count: 250) + "\($0)" }.map(HostFileName.of)
        #expect(Set(long).count == 3 && long.allSatisfy { $0.utf8.count < 255 })
    }
}
