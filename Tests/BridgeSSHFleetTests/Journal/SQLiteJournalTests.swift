import BridgeSSH
import ErrorCore
import FleetSamples
import Foundation
import SSHTestSupport
import Synchronization
import Testing

@testable import BridgeSSHFleet

@Suite("Journal")
struct SQLiteJournalTests {
    @Test("other processes see each host's end as soon as it is written")
    func states() async throws {
        try await JournalFixture.with { directory in
            let path = try await SampleRun.interrupted(in: directory)
            let records = try JournalReader(path).records()
            #expect(
                records.map(\.state) == [
                    .ended(.ok), .ended(.failed), .ended(.error), .ended(.unknown), .ended(.skipped), .armed, .none,
                ])
            #expect(records.map(\.outcome) == [.ok, .failed, .error, .unknown, .skipped, .unknown, .skipped])
            #expect(records[2].code == "ssh.auth.key-rejected")
        }
    }

    @Test("the database belongs to its user alone, and so does its directory")
    func modes() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
            try await journal.arm("a")
            #expect(try JournalFixture.mode(directory.path) == 0o700)
            for suffix in ["", "-wal", "-shm"] { #expect(try JournalFixture.mode(journal.path + suffix) == 0o600) }
        }
    }

    @Test("hosts that come at the same time share a commit, and each waits until it is durable")
    func groupCommit() async throws {
        try await JournalFixture.with { directory in
            let commits = Mutex(0)
            let hosts = (0..<500).map { "h\($0)" }
            let journal = try SQLiteJournal.create(
                SampleRun.subject, hosts: hosts, in: directory, probe: { if $0 == .after { commits.withLock { $0 += 1 } } })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for host in hosts { group.addTask { try await journal.arm(host) } }
                try await group.waitForAll()
            }
            #expect(try JournalReader(journal.path).records().allSatisfy { $0.state == .armed })
            #expect(commits.withLock { $0 } < 250)
        }
    }

    @Test("a result is read as it was written, including output and error")
    func results() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a", "b"], in: directory)
            var result = SampleRun.result("a", .failed, status: 3, error: "no space")
            result.standardOutput = FleetKeptOutput(bytes: [0, 255, 10], total: 900, restDigest: Array(repeating: 9, count: 32))
            result.beganAt = .milliseconds(250)
            result.batch = 2
            result.timings.seconds.connect = 0.5
            try await journal.arm("a")
            try await journal.record(result)
            try await journal.record(SampleRun.result("b", .error, code: .authKeyRejected))
            var found: [FleetHostResult] = []
            try JournalReader(journal.path).results { found.append($0) }
            #expect(found.map(\.host) == ["a", "b"])
            #expect(found[0].standardOutput == result.standardOutput)
            #expect(found[0].standardError == result.standardError)
            #expect(found[0].termination == .exited(3))
            #expect(found[0].error?.code == .commandExitNonzero)
            #expect(found[0].error?.message == result.error?.message)
            #expect(found[0].timings == result.timings)
            #expect(found[0].beganAt == result.beganAt)
            #expect(found[0].duration == result.duration)
            #expect(found[0].batch == 2)
            #expect(found[1].error?.hint == SSHError(.authKeyRejected).hint)
        }
    }

    @Test("without output, no text that a host printed is in any of its files")
    func noOutput() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory, keepsOutput: false)
            try await journal.arm("a")
            try await journal.record(
                SampleRun.result(
                    "a", .failed, status: 3, output: "CANARY-OUT", error: "cat: CANARY-ERR: No such file or directory"))
            try await journal.finish(SampleRun.summary([]))
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + file))
                #expect(bytes.firstRange(of: Data("CANARY".utf8)) == nil)
            }
            var found: [FleetHostResult] = []
            try JournalReader(journal.path).results { found.append($0) }
            #expect(found[0].error?.code == .commandExitNonzero)
            #expect(found[0].exitStatus == 3)
        }
    }

    @Test("a secret in the command or the options is in no file, and the run cannot be mistaken for another")
    func secrets() async throws {
        try await JournalFixture.with { directory in
            let subject = RunSubject(
                command: "curl -H 'Authorization: Bearer CANARY123456' x", arguments: ["--env", "PASSWORD=CANARY654321"])
            let journal = try SQLiteJournal.create(subject, hosts: ["a"], in: directory)
            try await journal.arm("a")
            var failed = SampleRun.result("a", .failed, status: 7)
            do {
                try SSHCommandResult(command: "mysql --password=CANARY777777", termination: .exited(7)).checked()
            } catch { failed.error = error as? SSHError }
            try await journal.record(failed)
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + file))
                #expect(bytes.firstRange(of: Data("CANARY".utf8)) == nil, "\(file)")
            }
            let info = try JournalReader(journal.path).info()
            #expect(!info.subject.isCommandWhole)
            #expect(!info.subject.areArgumentsWhole)
            #expect(info.subject.reasonNotResumable(as: subject, of: "RUN") == nil)
        }
    }

    @Test("no file contains separate secret arguments, or any argument if none may be kept; the same arguments resume the run")
    func separateWords() async throws {
        try await JournalFixture.with { directory in
            let words = ["mysql", "-pCANARY1", "-u", "me"]
            let subject = RunSubject(
                command: words.joined(separator: " "),
                arguments: ["run", "-o", "SetEnv=TOKEN=CANARY2", "-o", "ProxyCommand=sshpass -p CANARY3 ssh -W %h:%p j", "web1"]
                    + words)
            #expect(subject.arguments.suffix(4) == ["mysql", "-p•••", "-u", "me"] && !subject.areArgumentsWhole)
            for kept in [
                subject, subject.withoutCommandText(),
                RunSubject(command: "deploy CANARY4", arguments: ["run", "x"]).withoutCommandText(),
            ] {
                let journal = try SQLiteJournal.create(kept, hosts: ["a"], in: directory)
                var failed = SampleRun.result("a", .failed, status: 7)
                do {
                    try SSHCommandResult(command: "deploy -pCANARY5 mysql -pCANARY5", termination: .exited(7)).checked()
                } catch { failed.error = error as? SSHError }
                if !kept.omitsCommandText { failed.error = nil }
                try await journal.arm("a")
                try await journal.record(failed)
                for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + file))
                    #expect(bytes.firstRange(of: Data("CANARY".utf8)) == nil, "\(file)")
                    // Nor does it contain the plain digest, with which guesses could be compared.
                    #expect(bytes.firstRange(of: Data(kept.commandDigest)) == nil, "\(file)")
                }
                let info = try JournalReader(journal.path).info()
                #expect(info.subject.omitsCommandText == kept.omitsCommandText && !info.subject.isCommandWhole)
                #expect(info.subject.reasonNotResumable(as: kept, of: "RUN") == nil)
                #expect(info.subject.reasonNotResumable(as: RunSubject(command: "deploy other"), of: "RUN") != nil)
            }
        }
    }

    @Test("without the text of a run, no file contains its options either, which the commands of a remedy repeat")
    func optionsInRemedies() async throws {
        try await JournalFixture.with { directory in
            var evidence = SSHEvidence(
                event: .hostKeyRejected, stage: .hostKey, host: "192.0.2.1", user: "me")
            evidence.options = ["-o", "ProxyCommand=CANARY", "-o", "HostName=CANARY"]
            var failed = SampleRun.result("a", .error, code: .hostKeyUnknown)
            failed.error = SSHError(
                code: .hostKeyUnknown, message: "m", hint: "Remember it: \(run: "bridge-ssh trust -o HostName=CANARY a")",
                confidence: .exact, retry: .afterFix, evidence: evidence)
            let journal = try SQLiteJournal.create(RunSubject(command: "x").withoutCommandText(), hosts: ["a"], in: directory)
            try await journal.record(failed)
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + file))
                #expect(bytes.firstRange(of: Data("CANARY".utf8)) == nil, "\(file)")
            }
            let kept = try JournalReader(journal.path).records()
            #expect(kept.map(\.code) == ["ssh.host-key.unknown"])
        }
    }

    @Test("a digest recognises the hosts' input, and no file contains the input")
    func input() async throws {
        try await JournalFixture.with { directory in
            let digest = RunSubject.digest(Array("CANARY".utf8))
            let subject = RunSubject(command: "cat").reading("-", digest: nil)
            let journal = try SQLiteJournal.create(subject, hosts: ["a"], in: directory)
            #expect(try JournalReader(journal.path).info().subject.input?.isKnown == false)
            try await journal.read(digest)
            let known = try JournalReader(journal.path).info().subject
            #expect(known.input?.name == "-" && known.hasRead(digest) && !known.hasRead(RunSubject.digest([1])))
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + file))
                #expect(bytes.firstRange(of: Data(digest)) == nil)
            }
            try await journal.read(nil)
            #expect(try JournalReader(journal.path).info().subject.input == nil)
        }
    }

    @Test("an ended run is one file, readable on a read-only file system")
    func finished() async throws {
        try await JournalFixture.with { directory in
            let path = try await {
                let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
                try await journal.arm("a")
                try await journal.record(SampleRun.result("a"))
                try await journal.finish(SampleRun.summary([SampleRun.result("a")]))
                return journal.path
            }()
            // Besides the files that all runs share.
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .filter { !$0.hasSuffix(".lock") && $0 != "last" }
            #expect(files == [String(path.split(separator: "/").last ?? "")])
            let reader = try JournalReader(path)
            let info = try reader.info()
            #expect(info.finishedAt != nil)
            #expect(info.exitStatus == 0)
            #expect(try reader.outcomes()[.ok] == 1)
        }
    }

    @Test("a journal has every host in its place, however many there are", arguments: [0, 1, 99, 100, 101, 200, 250])
    func hosts(count: Int) async throws {
        try await JournalFixture.with { directory in
            let hosts = (0..<count).map { "host\($0)" }
            let journal = try SQLiteJournal.create(
                SampleRun.subject, hosts: hosts, access: { $0.hasSuffix("9") ? "access of \($0)" : nil }, in: directory)
            let reader = try JournalReader(journal.path)
            #expect(try reader.info().hosts == count)
            #expect(try reader.records().map(\.host) == hosts)
            let access = try reader.access { $0 }
            #expect(
                access == Dictionary(uniqueKeysWithValues: hosts.filter { $0.hasSuffix("9") }.map { ($0, "access of \($0)") }))
        }
    }

    @Test("a resumed run knows the same data about a host as the first run")
    func access() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(
                SampleRun.subject, hosts: ["a", "b"], access: { $0 == "a" ? "port 2222" : nil }, in: directory)
            #expect(try JournalReader(journal.path).access { $0 } == ["a": "port 2222"])
        }
    }

    @Test("a resumed run knows which files a host has completely, until the host is done")
    func copied() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a", "b"], in: directory)
            journal.copied("/x/1", size: 5, on: "a")
            journal.copied("/x/2", size: .max, on: "a")
            journal.copied("/x/1", size: 7, on: "b")
            #expect(try await journal.copied(on: "a").isEmpty)
            // Earlier records are durable with it.
            try await journal.arm("a")
            let copy = JournalDirectory(directory.path + "/killed")
            try copy.prepare()
            let path = "\(copy.path)/\(journal.name).sqlite"
            try JournalFixture.copy(journal.path, to: path)
            let resumed = try SQLiteJournal.resume(path)
            #expect(try await resumed.copied(on: "a") == ["/x/1": 5, "/x/2": .max])
            #expect(try await resumed.copied(on: "b") == ["/x/1": 7])
            var result = SampleRun.result("a")
            result.transfer = HostTransfer(direction: .copy, sources: ["/x"], target: "y")
            try await resumed.record(result)
            #expect(try await resumed.copied(on: "a").isEmpty)
            #expect(try await resumed.copied(on: "b").count == 1)
        }
    }

    @Test("a journal of version 0.1, which has no files, and no row numbers for outputs, is resumed")
    func older() async throws {
        try await JournalFixture.with { directory in
            let path = try await SampleRun.interrupted(in: directory)
            let changes = """
                DROP TABLE copied; DROP TABLE written; DROP TABLE output;
                CREATE TABLE output (turn INTEGER NOT NULL REFERENCES turn (id),
                    stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')), bytes BLOB NOT NULL, total INTEGER NOT NULL,
                    restDigest BLOB NOT NULL, PRIMARY KEY (turn, stream)) STRICT, WITHOUT ROWID
                """
            try FileManager.default.removeItem(atPath: JournalLock.path(path))
            let run = try await ProcessRun.run("/usr/bin/sqlite3", [path, changes])
            #expect(run.exitStatus == 0, "\(run.errorOutput)")
            let journal = try SQLiteJournal.resume(path)
            journal.copied("/x", size: 1, on: "none")
            try await journal.arm("none")
            #expect(try await journal.copied(on: "none") == ["/x": 1])
            try await journal.record(SampleRun.result("none", output: "up\n"))
            var outputs: [String: [UInt8]] = [:]
            try JournalReader(path).results { outputs[$0.host] = $0.standardOutput.bytes }
            #expect(outputs["none"] == Array("up\n".utf8))
        }
    }

    @Test("the keys of outputs are stored apart, so that a search for a key does not read outputs")
    func outputKeys() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
            let lacksRowNumbers = "SELECT wr FROM pragma_table_list WHERE name = 'output'"
            let found = try await ProcessRun.run("/usr/bin/sqlite3", ["-readonly", journal.path, lacksRowNumbers])
            #expect(found.output == "0\n", "\(found.errorOutput)")
        }
    }

    @Test("nothing is written after the end")
    func afterEnd() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
            try await journal.finish(SampleRun.summary([]))
            await #expect(throws: SSHError.self) { try await journal.arm("a") }
        }
    }

    @Test("a host of another run is refused with the rest of its batch; earlier and later batches are kept")
    func foreignHost() async throws {
        try await JournalFixture.with { directory in
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a", "b"], in: directory)
            try await journal.arm("a")
            await #expect(throws: SSHError.self) { try await journal.arm("stranger") }
            try await journal.arm("b")
            #expect(try JournalReader(journal.path).records().map(\.state) == [.armed, .armed])
        }
    }
}
