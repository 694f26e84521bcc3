import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import ssh_sandbox

/// The faults that `ssh-sandbox` makes for other clients get the verdicts of their table.
@Suite("Faults of ssh-sandbox")
struct SandboxFaultTests {
    @Test("names of faults and codes") func table() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
        #expect(Fault.all.count { $0.code != nil } >= 40)
        for code in Fault.all.compactMap(\.code) { #expect(SSHError.Code.known.contains { $0.rawValue == code }) }
    }

    @Test("each fault causes the failure that it names", arguments: Fault.all.map(\.name))
    func fault(_ name: String) async throws {
        let fault = try #require(Fault.all.first { $0.name == name })
        try await Gate.shared.pass {
            try await fault.make { target in
                var testRun = TestRun(host: target.host, port: target.port, user: target.user, command: target.command)
                testRun.identities = target.identity.map { [$0] } ?? []
                testRun.password = target.password
                testRun.passphrase = target.passphrase
                testRun.agent = target.agent
                testRun.knownHosts = [target.knownHosts]
                testRun.timeout = target.commandTimeout.map(Double.init)
                // Only the intended cases reach it, even on a busy machine.
                let waits = ["ssh.connect.timed-out", "ssh.banner.timed-out", "ssh.kex.timed-out"].contains(fault.code)
                testRun.connectTimeout = waits ? 2 : 60
                testRun.keepalive = target.keepalive.map(Double.init)
                let (error, _) = try await testRun.byLibrary()
                #expect(error?.code.rawValue == fault.code, "\(error?.message ?? "")")
            }
        }
    }
}

/// The guide's table of the faults that clients can distinguish.
@Suite struct PeersTableTests {
    @Test("the guide shows every fault") func theGuideShowsEveryFault() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = try String(contentsOf: package.appendingPathComponent("docs/guides/accuracy.md"), encoding: .utf8)
        for fault in Fault.all {
            let verdict = fault.code.map { "`\($0)" } ?? "`exit 0`"
            #expect(guide.contains("| \(fault.summary) | \(verdict)"), "run scripts/bench/peers again")
        }
    }
}
