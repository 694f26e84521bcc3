import BridgeSSH
import Foundation
import SSHRun
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("A transfer of a fleet") struct FleetTransferTests {
    private static func fileFailure(_ path: String) -> SSHError {
        .onLocalFile(SSHFileProblem(.diskFull, .local, operation: "write", path: path))
    }

    private func report(
        _ direction: HostTransfer.Direction, _ end: RunOutcome.End, _ change: (inout SFTPCopyResult) -> Void = { _ in }
    ) -> AttemptReport {
        var report = AttemptReport(end)
        report.direction = direction
        var copied = SFTPCopyResult()
        change(&copied)
        report.copied = copied
        return report
    }

    @Test("a host that lost its connection during a copy is unknown only if something was created there")
    func outcomes() {
        let lost = RunOutcome.End.failed(ScriptedWork.lost)
        #expect(report(.copy, .ended(.exited(0), nil)).conclusion(wasArmed: true).outcome == .ok)
        #expect(report(.copy, .failed(Self.fileFailure("/x"))).conclusion(wasArmed: true).outcome == .failed)
        #expect(report(.copy, lost).conclusion(wasArmed: false).outcome == .error)
        #expect(report(.copy, lost).conclusion(wasArmed: true).outcome == .error)
        #expect(report(.copy, lost) { $0.files = 1 }.conclusion(wasArmed: true).outcome == .unknown)
        #expect(report(.copy, lost) { $0.partialFiles = ["/srv/.x"] }.conclusion(wasArmed: true).outcome == .unknown)
        #expect(report(.copy, .cancelled(signal: "INT")) { $0.files = 1 }.conclusion(wasArmed: true).outcome == .unknown)
        #expect(report(.fetch, lost) { $0.files = 1 }.conclusion(wasArmed: false).outcome == .error)
        var nothing = report(.copy, lost)
        nothing.copied = nil
        #expect(nothing.conclusion(wasArmed: true).outcome == .unknown)
    }

    @Test("a directory is refused with a text for the program's caller")
    func directory() throws {
        let error = try #require(throws: SSHError.self) { try FleetAction.copy(["/usr"], to: "/x") }
        #expect(error.message.contains("isRecursive") && !error.message.contains("--recursive"), "\(error.message)")
        let problem = try #require(throws: UsageProblem.self) { try FleetTransfer.copy(["/usr"], to: "/x", SFTPCopyOptions()) }
        #expect(problem.verdict(ofSubcommand: "fleet copy").message.contains("--recursive (-r)"))
    }

    @Test("a host's failure names the first failed file and the number of failures")
    func failures() throws {
        let endpoint = try SSHEndpoint(host: "web1", port: 22, user: "alice")
        var result = SFTPCopyResult()
        #expect(result.failure(at: endpoint) == nil)
        result.unverifiedFiles = 2
        result.notices = ["/a is not verified: the server runs no commands for this user."]
        let unverified = try #require(result.failure(at: endpoint))
        #expect(unverified.message.contains("2 files were copied, but not verified. /a is not verified"))
        result.leftOut = 1
        let leftOut = try #require(result.failure(at: endpoint))
        #expect(leftOut.message.hasPrefix("1 entry was not copied.") && leftOut.evidence.host == "web1")
        result.failures = [Self.fileFailure("/first"), Self.fileFailure("/second")]
        result.failureCount = 7
        let failed = try #require(result.failure(at: endpoint))
        #expect(failed.message.hasPrefix("7 files could not be copied; the first: ") && failed.message.contains("/first"))
        #expect(failed.code == .sftpLocalDiskFull && failed.exitStatus == .fileFailure)
        result.failures = Array(repeating: Self.fileFailure("/x"), count: 1000)
        #expect(result.shortened.failures.count == 100)
    }

    @Test("other sources, options or targets make another run")
    func subjects() async throws {
        try await ScratchDirectory.with { scratch in
            let (one, two) = (try scratch.write("1", to: "one"), try scratch.write("2", to: "two"))
            func subject(
                _ sources: [String], _ path: String = "/srv", _ change: (inout SFTPCopyOptions) -> Void = { _ in }
            ) throws -> RunSubject {
                var options = SFTPCopyOptions()
                change(&options)
                return try FleetTransfer.copy(sources, to: path, options).subject
            }
            let first = try subject([one])
            #expect(first.kind == "copy" && first.isRepeatable)
            #expect(first.reasonNotResumable(as: try subject([one]), of: "RUN") == nil)
            #expect(first.reasonNotResumable(as: try subject([two]), of: "RUN") != nil)
            #expect(first.reasonNotResumable(as: try subject([one], "/etc"), of: "RUN") != nil)
            #expect(first.reasonNotResumable(as: try subject([one]) { $0.preservesAttributes = true }, of: "RUN") != nil)
            // The number of hosts at a time does not affect the files of a host.
            #expect(first.reasonNotResumable(as: try subject([one]) { $0.bytesPerSecond = 1 }, of: "RUN") == nil)
            _ = try scratch.write("changed", to: "one")
            #expect(first.reasonNotResumable(as: try subject([one]), of: "RUN")?.contains("sources have been changed") == true)
            let fetch = FleetTransfer.fetch(["/x"], into: "out", SFTPCopyOptions())
            #expect(
                fetch.subject.reasonNotResumable(
                    as: FleetTransfer.fetch(["/x"], into: "./out/", SFTPCopyOptions()).subject, of: "RUN")
                    == nil)
            #expect(fetch.target(for: "../../etc") == "out/%2E.%2F..%2Fetc")
        }
    }

    @Test("a directory is copied into the target path on every host, whether it exists or not")
    func directories() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("1", to: "one")
            var options = SFTPCopyOptions()
            options.isRecursive = true
            #expect(try FleetTransfer.copy([scratch.url.path], to: "/srv", options).target == "/srv/")
            #expect(try FleetTransfer.copy([scratch.url.path], to: "", options).target == "")
            #expect(try FleetTransfer.copy([file], to: "/srv", options).target == "/srv")
        }
    }

    @Test("the number of open files fits the descriptor limit, and the number of hosts at once fits the open files")
    func descriptors() throws {
        var transfer = FleetTransfer.fetch(["/x"], into: "out", SFTPCopyOptions())
        var plan = EnginePlan(hosts: 1_000_000)
        plan.parallel = 1_000_000
        transfer.fit(&plan)
        #expect(transfer.options.concurrency == 2)
        #expect(plan.ceiling * 2 * transfer.options.concurrency <= DescriptorLimit.hostsAtOnce)
        var few = EnginePlan(hosts: 1)
        transfer = FleetTransfer.fetch(["/x"], into: "out", SFTPCopyOptions())
        transfer.fit(&few)
        #expect(transfer.options.concurrency > 2 && few.ceiling >= 1)
    }
}
