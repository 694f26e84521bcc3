import BridgeSSH
import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("Resuming a run")
struct ResumeTests {
    private let records: [HostRecord] = [
        HostRecord("ok", .ended(.ok)), HostRecord("failed", .ended(.failed)), HostRecord("error", .ended(.error)),
        HostRecord("unknown", .ended(.unknown)), HostRecord("skipped", .ended(.skipped)), HostRecord("armed", .armed),
        HostRecord("none", .none),
    ]

    @Test("no host is run twice unless a person says so, and none is forgotten")
    func plan() {
        let plan = ResumePlan(records)
        #expect(plan.begin == ["error", "skipped", "none"])
        #expect(plan.done == ["ok", "failed"])
        #expect(plan.withheld == ["unknown", "armed"])
    }

    @Test("--again and --idempotent each add what they name, and nothing else")
    func again() {
        #expect(ResumePlan(records, again: [.failed]).begin == ["failed", "error", "skipped", "none"])
        #expect(ResumePlan(records, again: [.unknown]).begin == ["error", "unknown", "skipped", "armed", "none"])
        #expect(ResumePlan(records, isIdempotent: true).begin == ["error", "unknown", "skipped", "armed", "none"])
        #expect(ResumePlan(records, isIdempotent: true).withheld == [])
        #expect(ResumePlan(records, isIdempotent: true, again: [.failed]).done == ["ok"])
    }

    @Test("the journal agrees after an interruption, and after a second one")
    func interrupted() async throws {
        try await JournalFixture.with { directory in
            let path = try await SampleRun.interrupted(in: directory)
            let journal = try SQLiteJournal.resume(path, as: SampleRun.subject)
            #expect(ResumePlan(try JournalReader(path).records()).begin == ["error", "skipped", "none"])
            try await journal.arm("error")
            try await journal.record(SampleRun.result("error"))
            try await journal.arm("none")
            let plan = ResumePlan(try JournalReader(path).records())
            #expect(plan.begin == ["skipped"])
            #expect(plan.withheld == ["unknown", "armed", "none"])
            var attempts: [FleetHostResult] = []
            try JournalReader(path).results { if $0.host == "error" { attempts.append($0) } }
            #expect(attempts.map(\.outcome) == [.ok])
        }
    }

    @Test(
        "a host where the command may have run keeps that outcome if the resumed run cannot reach it",
        arguments: [
            FleetHostOutcome.error, .skipped,
        ])
    func unreached(_ outcome: FleetHostOutcome) async throws {
        try await JournalFixture.with { directory in
            let path = try await SampleRun.interrupted(in: directory)
            do {
                let journal = try SQLiteJournal.resume(path, as: SampleRun.subject)
                for host in ["failed", "error", "unknown", "armed", "none"] {
                    let code = outcome == .error ? SSHError.Code.connectRefused : nil
                    try await journal.record(SampleRun.result(host, outcome, code: code))
                }
            }
            let reader = try JournalReader(path)
            let plan = ResumePlan(try reader.records())
            #expect(plan.begin == ["error", "skipped", "none"])
            #expect(plan.done == ["ok", "failed"] && plan.withheld == ["unknown", "armed"])
            var outcomes: [String: FleetHostOutcome] = [:]
            try reader.results { outcomes[$0.host] = $0.outcome }
            #expect(outcomes["failed"] == .failed && outcomes["unknown"] == .unknown && outcomes["armed"] == nil)
            let earlier = Dictionary(grouping: try reader.earlier(), by: \.outcome).mapValues { $0.map(\.host).sorted() }
            #expect(earlier == [.ok: ["ok"], .failed: ["failed"], .unknown: ["armed", "unknown"]])
        }
    }

    @Test("another command, script, plan or subcommand cannot resume a run")
    func other() async throws {
        try await JournalFixture.with { directory in
            let script = RunSubject(kind: "script", command: "sh -s", script: ("x.sh", [1]), planDigest: [1])
            let others = [
                RunSubject(kind: "script", command: "sh -s x", script: ("x.sh", [1]), planDigest: [1]),
                RunSubject(kind: "script", command: "sh -s", script: ("x.sh", [2]), planDigest: [1]),
                RunSubject(kind: "script", command: "sh -s", script: ("x.sh", [1]), planDigest: [2]),
                RunSubject(kind: "script", command: "sh -s", script: ("x.sh", [1])),
                RunSubject(kind: "run", command: "sh -s", script: ("x.sh", [1]), planDigest: [1]),
            ]
            let path = try {
                let journal = try SQLiteJournal.create(script, hosts: ["a"], in: directory)
                return journal.path
            }()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            for other in others {
                let problem = JournalFixture.problem { _ = try SQLiteJournal.resume(path, as: other) }
                #expect(problem?.kind == .other)
                #expect(problem?.text.contains("cannot be resumed") == true)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            // The script may have moved.
            let moved = RunSubject(kind: "script", command: "sh -s", script: ("elsewhere/x.sh", [1]), planDigest: [1])
            _ = try SQLiteJournal.resume(path, as: moved)
        }
    }

    @Test("a second process cannot resume a run that is being resumed")
    func locked() async throws {
        try await JournalFixture.with { directory in
            let path = try await SampleRun.interrupted(in: directory)
            do {
                let first = try SQLiteJournal.resume(path)
                let problem = JournalFixture.problem { _ = try SQLiteJournal.resume(path) }
                #expect(problem?.kind == .inUse)
                #expect(problem?.text.contains(path) == true)
                try await first.arm("none")
            }
            _ = try SQLiteJournal.resume(path)
        }
    }

    @Test("the library does not run hosts that another process has run since the journal was read")
    func meanwhile() async throws {
        try await JournalFixture.with { directory async throws in
            let path = try await SampleRun.interrupted(in: directory)
            let journal = FleetJournal(in: directory.path, resuming: "last")
            let hosts = ["ok", "failed", "error", "unknown", "skipped", "armed", "none"]
            let seen = try #require(
                try journal.resumption(SampleRun.subject, input: [], hosts: hosts, isIdempotent: false))
            #expect(seen.begin.contains("none"))
            let other = try SQLiteJournal.resume(path)
            try await other.arm("none")
            try await other.record(SampleRun.result("none"))
            try await other.finish(FleetTally().summary(run: other.name, duration: .zero) { _ in "" })
            #expect(throws: SSHError.self) { _ = try journal.open(SampleRun.subject, hosts: hosts, seen) }
        }
    }
}
