import BridgeSSH
import CTestProcess
import FleetSamples
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

#if os(Linux)
    /// What is on the disk before the next step. A power failure cannot be tested; the calls before it can.
    @Suite("Durable records of a fleet") struct JournalDurabilityTests {
        private static func count(_ path: String) -> Int { Int(test_process_synchronized(path)) }

        @Test("before a command may be sent, the database's log and the count of its commits are durable")
        func armed() async throws {
            try await JournalFixture.with { directory in
                let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a", "b"], in: directory)
                let (log, mark) = (journal.path + "-wal", JournalLock.path(journal.path))
                #expect(Self.count(mark) == 1)
                for (number, host) in ["a", "b"].enumerated() {
                    let before = Self.count(log)
                    try await journal.arm(host)
                    #expect(Self.count(log) > before && Self.count(mark) == number + 2)
                }
            }
        }

        @Test("a result is durable when it is recorded; the count of commits may be lost, as no host runs twice by it")
        func recorded() async throws {
            try await JournalFixture.with { directory in
                let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
                let (log, mark) = (Self.count(journal.path + "-wal"), Self.count(JournalLock.path(journal.path)))
                try await journal.record(SampleRun.result("a", .error, code: .authKeyRejected))
                #expect(Self.count(journal.path + "-wal") > log)
                #expect(Self.count(JournalLock.path(journal.path)) == mark)
            }
        }

        @Test("a new journal and its name are durable")
        func created() async throws {
            try await JournalFixture.with { directory in
                let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
                #expect(Self.count(journal.path + ".new") > 0 && Self.count(directory.path) > 0)
            }
        }

        @Test("a plan, its name, and the name of each claim are durable")
        func claimed() async throws {
            try await ScratchDirectory.with { scratch in
                let directory = ShardDirectory(scratch.path("shards"))
                let words = ["h", "--", "uptime"]
                try directory.create(ShardPlan(shards: 1, words: words, command: "uptime", hosts: [.init(name: "h")]))
                #expect(Self.count(directory.plan + ".*") == 1 && Self.count(directory.path) == 1)
                let claims = ShardClaims(directory.claims, journal: "one")
                #expect(Self.count(directory.claims) == 0)
                #expect(try await claims.take("h"))
                #expect(Self.count(directory.claims) == 1)
            }
        }
    }
#endif
