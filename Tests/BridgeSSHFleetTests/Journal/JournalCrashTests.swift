import BridgeSSHFleet
import Foundation
import SSHTestSupport
import Testing

/// Ends a run with SIGKILL and resumes it, until it is complete. The hosts themselves count how often the command ran.
@Suite("Journal and SIGKILL")
struct JournalCrashTests {
    private static let hosts = 23

    private struct Ground: Sendable {
        let scratch: ScratchDirectory

        var directory: JournalDirectory { JournalDirectory(scratch.path("runs")) }
        var sent: String { scratch.path("sent") }

        /// - Returns: whether it ended by itself.
        func run(_ words: [String] = [], killAfter delay: Duration? = nil) async throws -> Bool {
            let arguments = [directory.path, sent, "\(JournalCrashTests.hosts)"] + words
            let result = try await ProcessRun.run(try BuiltExecutable.path("journal-crash"), arguments) { process in
                guard let delay else { return }
                try await Task.sleep(for: delay)
                process.send(signal: SIGKILL)
            }
            switch result.termination {
            case .exited(0): return true
            case .signalled(SIGKILL): return false
            default:
                Issue.record("\(result.termination): \(String(decoding: result.standardOutput, as: UTF8.self))")
                return true
            }
        }

        /// Resumes to the end, and compares the journal with the hosts' records.
        func finish(_ moment: String) async throws {
            // In the first run that completes, some hosts cannot be reached.
            for _ in 0..<2 { while try await !run() {} }
            let path = try RunHistory(directory).path(of: "last")
            let reader = try JournalReader(path)
            let plan = ResumePlan(try reader.records())
            let text = (try? String(contentsOfFile: sent, encoding: .utf8)) ?? ""
            var counts: [String: Int] = [:]
            for line in text.split(separator: "\n") { counts[String(line), default: 0] += 1 }
            #expect(counts.values.allSatisfy { $0 == 1 }, "a host ran the command twice, \(moment)")
            #expect(plan.begin == [], "a host was forgotten, \(moment)")
            #expect(Set(plan.done).isSubset(of: counts.keys), "a host is done that ran nothing, \(moment)")
            #expect(Set(counts.keys).isSubset(of: plan.done + plan.withheld), "\(moment)")
            #expect(plan.done.count + plan.withheld.count == JournalCrashTests.hosts, "\(moment)")
            #expect(try reader.info().finishedAt != nil)
        }
    }

    @Test("at every commit, before and after it is durable: no host twice, none forgotten", arguments: ["before", "after"])
    func everyCommit(moment: String) async throws {
        var commit = 1
        var isOver = false
        while !isOver {
            try await ScratchDirectory.with { scratch in
                let fixture = Ground(scratch: scratch)
                isOver = try await fixture.run([moment, "\(commit)"])
                // The resumed run is killed too, at one of its own commits.
                if !isOver { _ = try await fixture.run([moment, "\(commit % 3 + 1)"]) }
                try await fixture.finish("\(moment) commit \(commit)")
            }
            commit += 1
        }
        #expect(commit > 5)
    }

    @Test("at any moment: no host twice, none forgotten", arguments: 0..<12)
    func anyMoment(round: Int) async throws {
        try await ScratchDirectory.with { scratch in
            let fixture = Ground(scratch: scratch)
            var kills = 0
            while kills < 4, try await !fixture.run(killAfter: .milliseconds(Int.random(in: 0...120))) { kills += 1 }
            try await fixture.finish("round \(round)")
        }
    }

    @Test("on a full disk no command is sent without a record, and existing records stay")
    func fullDisk() async throws {
        try await ScratchDirectory.with { scratch in
            let place = scratch.path("small")
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let script = """
                \(try BuiltExecutable.path("journal-crash")) \(place)/runs \(scratch.path("sent")) 3000
                cp -r \(place)/runs \(scratch.path("copy"))
                """
            let result = try await ProcessRun.run(
                "bwrap",
                ["--dev-bind", "/", "/", "--size", "600000", "--tmpfs", place, "--die-with-parent", "sh", "-c", script])
            let said = String(decoding: result.standardOutput, as: UTF8.self)
            #expect(said.contains("/runs/"), "\(said)")
            #expect(said.contains("full") || said.contains("no space"), "\(said)")
            let history = RunHistory(JournalDirectory(scratch.path("copy")))
            let records = try JournalReader(history.path(of: "last")).records()
            let sent = Set(
                try String(contentsOfFile: scratch.path("sent"), encoding: .utf8).split(separator: "\n").map(String.init))
            let begun = Set(records.filter { $0.state != .none && $0.state != .ended(.error) }.map(\.host))
            #expect(!sent.isEmpty)
            #expect(sent.isSubset(of: begun))
            #expect(records.count == 3000)
        }
    }
}
