import BridgeSSH
import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("Merged shards") struct ShardMergeTests {
    /// A plan of nine hosts in three shards, and a place for merged runs.
    fileprivate struct Ground {
        let scratch: ScratchDirectory
        var plan = ShardPlan(
            shards: 3, words: ["h[1-9]", "--", "uptime"], command: "uptime",
            hosts: (1...9).map { .init(name: "h\($0)") })
        var directory: ShardDirectory { ShardDirectory(scratch.path("plan")) }
        var journals: JournalDirectory { JournalDirectory(scratch.path("runs")) }

        static func with(_ body: (Ground) async throws -> Void) async throws {
            try await ScratchDirectory.with { scratch in
                let ground = Ground(scratch: scratch)
                try ground.directory.create(ground.plan)
                try await body(ground)
            }
        }

        /// Runs a shard whose hosts end as given.
        func run(
            _ shard: Int, in directory: ShardDirectory? = nil, outcome: (String) -> FleetHostOutcome? = { _ in .ok }
        ) async throws {
            let directory = directory ?? self.directory
            let digest = ShardPlan.digest(try plan.digest(), ofShard: shard)
            let journal = try SQLiteJournal.create(
                plan.subject(planDigest: digest), hosts: plan.hosts(of: shard).map(\.name),
                at: directory.database(ofShard: shard))
            let sharded = ShardJournal(journal, ShardClaims(self.directory.claims, journal: journal.name))
            var results: [FleetHostResult] = []
            for host in plan.hosts(of: shard) {
                guard let outcome = outcome(host.name) else { continue }
                if outcome != .skipped { try await sharded.arm(host.name) }
                let result = SampleRun.result(
                    host.name, outcome, status: outcome == .failed ? 3 : nil,
                    code: outcome == .error ? .connectRefused : outcome == .unknown ? .sessionConnectionLost : nil)
                try await sharded.record(result)
                results.append(result)
            }
            var tally = FleetTally()
            for result in results { tally.add(result) }
            try await sharded.finish(tally.summary(run: journal.name, duration: .seconds(1)) { $0.joined(separator: ",") })
        }

        /// Claims a host for a journal that is lost.
        func claim(_ host: String) async throws {
            let isTaken = try await ShardClaims(directory.claims, journal: "lost").take(host)
            #expect(isTaken)
        }

        func merge(_ directories: [ShardDirectory]? = nil) throws -> ShardMerge.Result {
            try ShardMerge(directories ?? [directory]).write(into: journals)
        }

        func records() throws -> [String: FleetHostOutcome] {
            let records = try JournalReader(journals.database(plan.run)).records()
            return Dictionary(uniqueKeysWithValues: records.map { ($0.host, $0.outcome) })
        }
    }

    @Test("three shards are one run, with the outputs of the hosts, whenever they are merged")
    func whole() async throws {
        try await Ground.with { ground async throws in
            try await ground.run(0) { $0 == "h1" ? .failed : .ok }
            let first = try ground.merge()
            #expect(first.missing == [1, 2] && first.outcomes[.skipped] == 6 && first.exitStatus == .stopped)
            for shard in 1...2 { try await ground.run(shard) }
            for _ in 0..<2 {
                let result = try ground.merge()
                #expect(result.missing.isEmpty && result.outcomes[.ok] == 8 && result.outcomes[.failed] == 1)
                #expect(result.exitStatus == .mixed)
                let reader = try JournalReader(result.path)
                let info = try reader.info()
                #expect(info.name == ground.plan.run && info.finishedAt != nil && info.exitStatus == 1)
                #expect(info.subject.command == "uptime" && info.subject.arguments == ground.plan.arguments())
                var hosts: [String] = []
                try reader.results { hosts.append($0.host) }
                #expect(hosts.sorted() == ground.plan.hosts.map(\.name))
                #expect(try RunHistory(ground.journals).path(of: "last") == result.path)
            }
        }
    }

    @Test("a journal of another plan, or of another shard, is refused")
    func foreign() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) }
            let other = ShardDirectory(ground.scratch.path("other"))
            try other.create(ShardPlan(shards: 3, words: [], command: "id", hosts: ground.plan.hosts))
            #expect(JournalFixture.problem { _ = try ground.merge([other, ground.directory]) }?.kind == .other)
            let moved = other.database(ofShard: 0)
            try FileManager.default.copyItem(atPath: ground.directory.database(ofShard: 0), toPath: moved)
            #expect(JournalFixture.problem { _ = try ground.merge([other]) }?.kind == .other)
        }
    }

    @Test("a rewritten plan is another plan")
    func changedPlan() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) }
            var hosts = ground.plan.hosts
            hosts[0].name = "g1"
            let changed = ShardPlan(
                shards: 3, run: ground.plan.run, words: ground.plan.words, command: "uptime", hosts: hosts)
            #expect(unlink(ground.directory.plan) == 0)
            try ground.directory.create(changed)
            #expect(JournalFixture.problem { _ = try ground.merge() }?.kind == .other)
        }
    }

    @Test("a plan is never replaced")
    func immutable() async throws {
        try await Ground.with { ground async throws in
            #expect(JournalFixture.problem { try ground.directory.create(ground.plan) }?.kind == .other)
            #expect(try ground.directory.read().plan == ground.plan)
            #expect(try ground.directory.read().digest == ground.plan.digest())
        }
    }

    @Test("two journals of one shard may agree, and complete each other; if they contradict, nothing is merged")
    func duplicates() async throws {
        try await Ground.with { ground async throws in
            let other = ShardDirectory(ground.scratch.path("other"))
            try FileManager.default.createDirectory(
                atPath: other.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for shard in 0..<3 { try await ground.run(shard) { $0 == "h1" ? .error : $0 == "h4" ? .unknown : .ok } }
            for suffix in ["sqlite", "lock"] {
                try FileManager.default.copyItem(
                    atPath: "\(ground.directory.path)/shard-1.\(suffix)", toPath: "\(other.path)/shard-1.\(suffix)")
            }
            #expect(try ground.merge([ground.directory, other]).outcomes[.ok] == 7)
            // The command may have run on a host, though another journal says that it has not.
            try await ground.runApart(0, in: other) { $0 == "h1" ? .ok : $0 == "h4" ? .error : .skipped }
            _ = try ground.merge([ground.directory, other])
            #expect(try ground.records()["h4"] == .unknown)
            unlink(other.database(ofShard: 0))
            unlink(other.path + "/shard-0.lock")
            // Another copy of shard 0, on a machine with separate claims.
            try await ground.runApart(0, in: other) { $0 == "h7" ? .skipped : .ok }
            let merged = try ground.merge([ground.directory, other])
            #expect(merged.outcomes[.ok] == 9, "\(merged)")
            #expect(try ground.records()["h1"] == .ok)
            for outcome in [FleetHostOutcome.failed, .ok] {
                unlink(other.database(ofShard: 0))
                unlink(other.path + "/shard-0.lock")
                try await ground.runApart(0, in: other) { $0 == "h7" ? outcome : .ok }
                let problem = JournalFixture.problem { _ = try ground.merge([ground.directory, other]) }
                #expect(
                    problem?.kind == .other && problem?.text.contains("the command ran on h7 twice") == true,
                    "\(problem?.text ?? "")")
            }
        }
    }

    @Test(
        "a journal with a damaged row is refused, and nothing is merged",
        arguments: [
            "PRAGMA ignore_check_constraints = ON; UPDATE turn SET outcome = 'nonsense' WHERE id = 2",
            "PRAGMA ignore_check_constraints = ON; UPDATE turn SET endedAt = NULL WHERE id = 2",
        ])
    func damagedRow(script: String) async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) }
            let damaged = ground.directory.database(ofShard: 1)
            try await Self.alter(damaged, script)
            let problem = JournalFixture.problem { _ = try ground.merge() }
            #expect(problem?.kind == .damaged && problem?.text.contains(damaged) == true, "\(problem?.text ?? "")")
            #expect(!FileManager.default.fileExists(atPath: ground.journals.database(ground.plan.run)))
        }
    }

    @Test("a damaged index does not count where whole tables are copied, and is refused where hosts are found by it")
    func damagedIndex() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) }
            let damaged = ground.directory.database(ofShard: 1)
            // The row of h5 gets another number, while the index does not exist.
            try await Self.alter(
                damaged,
                """
                PRAGMA writable_schema = ON;
                CREATE TEMP TABLE saved AS SELECT * FROM sqlite_schema WHERE name = 'turnOfHost';
                DELETE FROM sqlite_schema WHERE name = 'turnOfHost';
                PRAGMA writable_schema = RESET;
                UPDATE turn SET id = 9 WHERE id = 2;
                PRAGMA writable_schema = ON;
                INSERT INTO sqlite_schema SELECT * FROM saved;
                PRAGMA writable_schema = RESET;
                """)
            #expect(JournalFixture.problem { _ = try JournalReader(damaged) }?.kind == .damaged)
            #expect(try ground.merge().outcomes[.ok] == 9)
            let other = ShardDirectory(ground.scratch.path("other"))
            try FileManager.default.createDirectory(
                atPath: other.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try await ground.runApart(1, in: other) { _ in .ok }
            let problem = JournalFixture.problem { _ = try ground.merge([ground.directory, other]) }
            #expect(problem?.kind == .damaged && problem?.text.contains(damaged) == true, "\(problem?.text ?? "")")
        }
    }

    private static func alter(_ path: String, _ script: String) async throws {
        let run = try await ProcessRun.run("/usr/bin/sqlite3", [path, script])
        #expect(run.exitStatus == 0 && run.errorOutput.isEmpty, "\(run.errorOutput)")
    }

    @Test("a claimed host without a recorded end is unknown, unless its journal never armed it")
    func claimed() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<2 { try await ground.run(shard) }
            try await ground.claim("h3")
            try await ground.run(2) { _ in .skipped }
            let merged = try ground.merge()
            #expect(try ground.records()["h3"] == .unknown)
            #expect(merged.outcomes[.skipped] == 2 && merged.outcomes[.unknown] == 1, "\(merged)")
            #expect(try ground.merge() == merged)
        }
    }

    @Test("a journal found later supplies the outcome of a claimed host")
    func foundLater() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) }
            let (path, away) = (ground.directory.path, ground.scratch.path("away"))
            try FileManager.default.createDirectory(
                atPath: away, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for suffix in ["sqlite", "lock"] {
                try FileManager.default.moveItem(atPath: "\(path)/shard-1.\(suffix)", toPath: "\(away)/shard-1.\(suffix)")
            }
            let lost = try ground.merge()
            #expect(lost.missing == [1] && lost.outcomes[.unknown] == 3 && lost.outcomes[.ok] == 6, "\(lost)")
            let found = try ground.merge([ground.directory, ShardDirectory(away)])
            #expect(found.missing.isEmpty && found.outcomes[.ok] == 9, "\(found)")
        }
    }

    @Test("a host that another journal has claimed is not armed, and only one that did not run is free again")
    func armed() async throws {
        try await Ground.with { ground async throws in
            try await ground.claim("h2")
            let journal = try SQLiteJournal.create(
                ground.plan.subject(planDigest: [1]), hosts: (1...5).map { "h\($0)" }, at: ground.directory.database(ofShard: 0))
            let sharded = ShardJournal(journal, ShardClaims(ground.directory.claims, journal: journal.name))
            await #expect(throws: HostIsClaimed.self) { try await sharded.arm("h2") }
            try await sharded.arm("h1")
            let claim = ground.directory.claims + "/h1"
            #expect(FileManager.default.fileExists(atPath: claim))
            try await sharded.record(SampleRun.result("h1", .error, code: .connectRefused))
            #expect(!FileManager.default.fileExists(atPath: claim))
            for (host, outcome) in [("h3", FleetHostOutcome.unknown), ("h4", .failed), ("h5", .ok)] {
                try await sharded.arm(host)
                let code = outcome == .unknown ? SSHError.Code.sessionConnectionLost : nil
                try await sharded.record(SampleRun.result(host, outcome, code: code))
                #expect(FileManager.default.fileExists(atPath: ground.directory.claims + "/" + host), "\(outcome)")
            }
        }
    }

    @Test("merging the shards again keeps the results of a resumed run")
    func resumed() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) { $0 == "h5" ? .error : .ok } }
            let merged = try ground.merge()
            #expect(merged.outcomes[.error] == 1)
            let resumed = try SQLiteJournal.resume(merged.path)
            try await resumed.arm("h5")
            try await resumed.record(SampleRun.result("h5"))
            try await resumed.finish(FleetTally().summary(run: ground.plan.run, duration: .zero) { _ in "" })
            for _ in 0..<2 {
                let again = try ground.merge()
                #expect(again.outcomes[.ok] == 9, "\(again)")
            }
            let digest = try ground.plan.digest()
            #expect(try ShardDirectory(ofMerged: merged.path, planDigest: digest).claims.hasSuffix("/plan/claims"))
            let another = JournalFixture.problem { _ = try ShardDirectory(ofMerged: merged.path, planDigest: [1]) }
            #expect(another?.kind == .other)
        }
    }

    @Test(
        "if all hosts failed alike, a merged run has their exit status, whatever the journals store",
        arguments: [true, false])
    func failedAlike(keepsOutput: Bool) async throws {
        let killed = SSHTermination.signalled(SSHExitSignal(name: "KILL"))
        for (termination, expected) in [(SSHTermination.exited(3), 3), (killed, 137)] {
            try await Ground.with { ground async throws in
                for shard in 0..<3 { try await ground.fail(shard, termination, keepsOutput: keepsOutput) }
                let merged = try ground.merge()
                #expect(merged.exitStatus.rawValue == expected, "\(merged)")
                #expect(try JournalReader(merged.path).info().exitStatus == expected)
            }
        }
    }

    @Test("more shards than hosts: the empty ones are not missing")
    func emptyShards() async throws {
        try await ScratchDirectory.with { scratch async throws in
            let ground = Ground(
                scratch: scratch, plan: ShardPlan(shards: 5, words: ["h1", "true"], command: "true", hosts: [.init(name: "h1")]))
            try ground.directory.create(ground.plan)
            try await ground.run(0)
            let merged = try ground.merge()
            #expect(merged.missing.isEmpty && merged.exitStatus == .success, "\(merged)")
            #expect(try JournalReader(merged.path).info().finishedAt != nil)
        }
    }

    @Test("two merges of one plan do not share claims")
    func twoMerges() async throws {
        try await Ground.with { ground async throws in
            for shard in 0..<3 { try await ground.run(shard) { $0 == "h5" ? .error : .ok } }
            let first = try ground.merge()
            let second = try ShardMerge([ground.directory]).write(into: JournalDirectory(ground.scratch.path("others")))
            func claims(_ merged: ShardMerge.Result) -> ShardClaims {
                ShardClaims(ground.directory.claims, journal: ShardDirectory.owner(ofMerged: merged.path, run: merged.run))
            }
            #expect(first.run == second.run)
            var isTaken = try await claims(first).take("h5")
            #expect(isTaken)
            isTaken = try await claims(second).take("h5")
            #expect(!isTaken)
            isTaken = try await claims(first).take("h5")
            #expect(isTaken)
        }
    }

    @Test("a running shard is not merged")
    func underWay() async throws {
        try await Ground.with { ground async throws in
            let digest = ShardPlan.digest(try ground.plan.digest(), ofShard: 0)
            let journal = try SQLiteJournal.create(
                ground.plan.subject(planDigest: digest), hosts: ground.plan.hosts(of: 0).map(\.name),
                at: ground.directory.database(ofShard: 0))
            #expect(JournalFixture.problem { _ = try ground.merge() }?.kind == .inUse)
            withExtendedLifetime(journal) {}
            let second = JournalFixture.problem {
                _ = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], at: ground.directory.database(ofShard: 0))
            }
            #expect(second?.kind == .inUse)
        }
    }
}

extension ShardMergeTests.Ground {
    /// Runs a shard with the same end for all hosts.
    fileprivate func fail(_ shard: Int, _ termination: SSHTermination, keepsOutput: Bool) async throws {
        let digest = ShardPlan.digest(try plan.digest(), ofShard: shard)
        let journal = try SQLiteJournal.create(
            plan.subject(planDigest: digest), hosts: plan.hosts(of: shard).map(\.name),
            at: directory.database(ofShard: shard), keepsOutput: keepsOutput)
        for host in plan.hosts(of: shard) {
            try await journal.arm(host.name)
            var result = FleetHostResult(host: host.name, outcome: .failed, attempts: 1)
            result.termination = termination
            let ended = SSHCommandResult(command: "uptime", termination: termination, standardError: [])
            do { try ended.checked() } catch { result.error = error as? SSHError }
            try await journal.record(result)
        }
        try await journal.finish(FleetTally().summary(run: journal.name, duration: .zero) { _ in "" })
    }

    /// Runs a shard in a separate directory, as on a machine that does not share the claims.
    fileprivate func runApart(
        _ shard: Int, in directory: ShardDirectory, outcome: (String) -> FleetHostOutcome
    ) async throws {
        let digest = ShardPlan.digest(try plan.digest(), ofShard: shard)
        let journal = try SQLiteJournal.create(
            plan.subject(planDigest: digest), hosts: plan.hosts(of: shard).map(\.name), at: directory.database(ofShard: shard))
        for host in plan.hosts(of: shard) {
            try await journal.arm(host.name)
            let end = outcome(host.name)
            try await journal.record(SampleRun.result(host.name, end, status: end == .failed ? 3 : nil))
        }
        try await journal.finish(FleetTally().summary(run: journal.name, duration: .zero) { _ in "" })
    }
}

extension ShardPlan {
    /// The digest by which a directory's journals name the plan.
    fileprivate func digest() throws -> [UInt8] { RunSubject.digest(try file()) }
}
