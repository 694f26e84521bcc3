import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh doctor` of a host behind others, or behind a ProxyCommand.
@Suite("Doctor: the way to the host") struct DoctorRouteTests {
    private func diagnose(_ chain: Chain) async throws -> SSHDiagnosis {
        try await SSHClient.diagnose(chain.endpoint, configuration: chain.configuration)
    }

    private func text(_ diagnosis: SSHDiagnosis) -> Comment {
        Comment(rawValue: String(decoding: diagnosis.json().bytes, as: UTF8.self))
    }

    @Test("each jump host has a finding, and all other findings are about the destination", arguments: 2...3)
    func passes(count: Int) async throws {
        try await Gate.shared.pass {
            var chain = try await Chain.plain(count)
            let boxes = try await SharedChain.shared.boxes(count)
            // A name with several addresses; all would be tried if it were the destination.
            chain.hops[0].host = "localhost"
            chain.hops[0].knownHosts = try boxes[0].directory.write(
                boxes[0].hostKeys.map { "[localhost]:\(boxes[0].port) \($0.publicKey)\n" }.joined(), to: "known-as-localhost")
            // A second key of a jump host must not be reported for the destination.
            let stranger = try await TestKey.make(name: "of-the-jump-host")
            var configuration = chain.configuration
            configuration.jumpHosts[0].configuration.credentials.identities.insert(
                SSHIdentity(path: try boxes[0].identityFile(stranger)), at: 0)
            let diagnosis = try await SSHClient.diagnose(chain.endpoint, configuration: configuration)
            let seen = text(diagnosis)
            #expect(diagnosis.error == nil, seen)
            let route = diagnosis.findings(about: .route)
            #expect(route.map { $0["hop"] } == (1..<count).map { .integer($0) }, seen)
            for (finding, box) in zip(route, boxes) {
                #expect(finding.level == .ok && finding.text.contains("logged in as alice by publickey"), seen)
                #expect(finding["outcome"] == .text("logged-in") && (finding.durationSeconds ?? 0) > 0, seen)
                let keys = try box.hostKeys.map { try SSHPublicKey(line: $0.publicKey).fingerprint }
                #expect(keys.contains { finding["fingerprint"] == .text($0) }, seen)
            }
            #expect(diagnosis.findings(about: .resolve).map(\.level) == [.notReached], seen)
            #expect(diagnosis.findings(about: .connect).map(\.level) == [.ok], seen)
            #expect(diagnosis.findings(about: .connect)[0].text.contains("has connected to"), seen)
            #expect(diagnosis.findings(about: .credentials).count == 1, seen)
            #expect(diagnosis.findings(about: .exec)[0].level == .ok, seen)
            // Each stage's time is the destination's alone.
            let total = diagnosis.findings.compactMap(\.durationSeconds).reduce(0, +)
            #expect(total <= diagnosis.durationSeconds, seen)
        }
    }

    @Test("with -J, as JSON and as a report") func byExecutable() async throws {
        try await Gate.shared.pass {
            let chain = try await Chain.plain(2)
            let json = try await chain.byDoctor(["--json"])
            let object = try JSON(parsing: Data(json.standardOutput))
            #expect(json.termination == .exited(0), "\(json.output) \(json.errorOutput)")
            #expect(try JSONSchema.ofDiagnosis().faults(object) == [], "\(json.output)")
            let report = try await chain.byDoctor()
            #expect(report.termination == .exited(0) && report.errorOutput.isEmpty, "\(report.output) \(report.errorOutput)")
            #expect(report.output.contains("Through 127.0.0.1: reached, logged in as alice"), "\(report.output)")
        }
    }

    // MARK: Failures

    private enum Flaw: CaseIterable {
        case refused, unknownKey, rejected
    }

    @Test(
        "a failure at a jump host ends it there, and the jump host's facts are not taken for the destination's", arguments: 1...2)
    func stops(hop: Int) async throws {
        for flaw in Flaw.allCases {
            try await Gate.shared.pass {
                var chain = try await Chain.plain(3)
                switch flaw {
                case .refused: chain.hops[hop - 1].port = 1
                case .unknownKey: chain.hops[hop - 1].knownHosts = "/dev/null"
                case .rejected:
                    let box = try await SharedChain.shared.boxes(3)[0]
                    chain.hops[hop - 1].identity = try box.identityFile(try await TestKey.make(name: "stranger"))
                }
                // If nothing listens, the host before it reports that.
                let isReportedByTheHopBefore = flaw == .refused && hop > 1
                try await check(chain, failingAt: isReportedByTheHopBefore ? hop - 1 : hop, unreached: hop...2)
            }
        }
    }

    @Test("a destination that the jump host cannot reach") func unreachable() async throws {
        try await Gate.shared.pass {
            var chain = try await Chain.plain(3)
            chain.hops[2].port = 1
            try await check(chain, failingAt: 2, unreached: 3...2 + 1)
        }
    }

    private func check(_ chain: Chain, failingAt hop: Int, unreached: ClosedRange<Int>) async throws {
        let diagnosis = try await diagnose(chain)
        let seen = text(diagnosis)
        #expect(diagnosis.error?.evidence.hop?.number == hop, seen)
        let route = diagnosis.findings(about: .route)
        #expect(route.last?.level == .failed && route.last?.text.hasPrefix("Jump host \(hop) of 2") == true, seen)
        #expect(route.count { $0["outcome"] == .text("logged-in") } == min(unreached.lowerBound - 1, 2), seen)
        for step in SSHDiagnosisStep.allCases where step != .route {
            #expect(diagnosis.findings(about: step).map(\.level) == [.notReached], seen)
        }
        let (run, report, json) = (
            try await chain.byExecutable(), try await chain.byDoctor(), try await chain.byDoctor(["--json"])
        )
        #expect(report.termination == run.termination && json.termination == run.termination, "\(report.output)")
        // Each has its own configuration file.
        let words = [report, run].map { $0.errorOutput.split { $0.isWhitespace }.filter { !$0.hasSuffix("/config") } }
        #expect(words[0] == words[1] && !words[0].isEmpty, "\(report.errorOutput) \(run.errorOutput)")
        #expect(report.output.contains("Stopped at: Route."), "\(report.output)")
        let object = try JSON(parsing: Data(json.standardOutput))
        #expect(try JSONSchema.ofDiagnosis().faults(object) == [], "\(json.output)")
    }

    @Test("a failure at the destination is in its own step, after the jump hosts") func destination() async throws {
        try await Gate.shared.pass {
            var chain = try await Chain.plain(2)
            let box = try await SharedChain.shared.boxes(2)[0]
            chain.hops[1].identity = try box.identityFile(try await TestKey.make(name: "stranger"))
            let diagnosis = try await diagnose(chain)
            let seen = text(diagnosis)
            #expect(diagnosis.error?.code == .authKeyRejected, seen)
            #expect(diagnosis.findings(about: .route).map(\.level) == [.ok], seen)
            #expect(diagnosis.findings(about: .connect).map(\.level) == [.ok], seen)
            #expect(diagnosis.findings(about: .credentials).last?.level == .failed, seen)
        }
    }

    @Test("a jump host that closes during the command") func lost() async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run { gate in
                try await SSHDSandbox.run { inner in
                    try inner.put("sleep 1000\n", at: "/home/alice/.bashrc")
                    let result = try await FaultProxy.run(to: gate.port) { proxy in
                        let chain = Chain(hops: [try await gate.hop(through: proxy.port), try await inner.hop()])
                        async let diagnosis = diagnose(chain)
                        try await inner.log.wait(for: "Starting session: command")
                        await proxy.trigger(.finish)
                        return try await diagnosis
                    }
                    let seen = text(result)
                    #expect(result.error?.evidence.hop?.number == 1, seen)
                    #expect(result.findings(about: .route).map(\.level) == [.ok, .failed], seen)
                    // The destination's earlier facts stay.
                    #expect(result.findings(about: .credentials).contains { $0.level == .ok }, seen)
                    #expect(result.findings(about: .hostKey).map(\.level) == [.ok], seen)
                }
            }
        }
    }

    // MARK: ProxyCommand

    @Test("a ProxyCommand is reported, and there is no direct connection to the host") func proxy() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("exec " + (try await setting.relay()))
            let json = try await setting.byDoctor(command, ["--json"])
            let object = try JSON(parsing: Data(json.standardOutput))
            #expect(json.termination == .exited(0), "\(json.output) \(json.errorOutput)")
            #expect(try JSONSchema.ofDiagnosis().faults(object) == [], "\(json.output)")
            let findings = object["findings"]?.items ?? []
            func levels(_ step: String) -> [String?] { findings.filter { $0["step"]?.text == step }.map { $0["level"]?.text } }
            #expect(levels("route") == ["ok"] && levels("resolve") == ["not-reached"] && levels("connect") == ["not-reached"])
            #expect(levels("exec") == ["ok"], "\(json.output)")
            let report = try await setting.byDoctor(command)
            #expect(report.output.contains("Through the ProxyCommand \"bash "), "\(report.output)")
            #expect(report.output.contains("Not looked at: Name, TCP."), "\(report.output)")
        }
    }

    @Test("a diagnosis ends at a ProxyCommand that fails") func proxyFails() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("echo 'gateway closed for today' >&2; exit 1")
            let run = try await setting.byExecutable(command)
            let report = try await setting.byDoctor(command)
            #expect(report.termination == .exited(193) && run.termination == .exited(193), "\(report.output)")
            #expect(report.errorOutput == run.errorOutput, "\(report.errorOutput) \(run.errorOutput)")
            #expect(report.output.contains("Stopped at: Route."), "\(report.output)")
        }
    }
}
