import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh doctor --via ssh` on the servers of ``DoctorTests``: the same findings, as far as ssh logs them.
@Suite("Doctor via ssh") struct DoctorViaSSHTests {
    /// Steps that are not compared, by the names of cases: ssh does not log them, or differs there.
    private static let differences: [String: [SSHDiagnosisStep]] = [
        // ssh has another cipher, and looks at the network before it looks at a key.
        "all well": [.algorithms], "an unusable key": [.resolve, .credentials],
        // ssh only examines announced keys if it may write known_hosts.
        "a host key that is announced and not known": [.hostKey],
    ]

    static let cases = DoctorTests.sound + DoctorTests.broken + DoctorTests.restricted

    @Test("the findings of doctor", arguments: cases)
    func findings(_ test: DoctorTests.Case) async throws {
        let base = test.base
        try await Gate.shared.pass {
            try await SSHDSandbox.run(base.options) { box in
                var testRun = try await box.testRun(base.user)
                try await base.arrange(box, &testRun)
                let object = try await Self.diagnosis(of: testRun)
                let seen = Comment(rawValue: "\(object)")
                #expect(object["error"]?["code"]?.text == base.expected.code?.rawValue, seen)
                #expect(object["exitStatus"] == .integer(Int(base.expected.status)), seen)
                for (step, level, words) in test.tells where Self.differences[base.name]?.contains(step) != true {
                    #expect(Self.has(object, step, level, words), "\(step) \(level) \(words): \(seen)")
                }
                for step in SSHDiagnosisStep.allCases { #expect(!Self.findings(object, step).isEmpty, "\(step) \(seen)") }
                for secret in testRun.secrets { #expect(!"\(object)".contains(secret)) }
            }
        }
    }

    @Test("the algorithms of both sides, and the times of the steps") func algorithms() async throws {
        let object = try await Self.diagnosis(of: try await SharedSandbox.plain.box().testRun())
        let finding = try #require(Self.findings(object, .algorithms).first)
        #expect(finding["details"]?["keyExchange"]?.text?.isEmpty == false, "\(object)")
        #expect(finding["details"]?["offeredCipher"] != nil, "\(object)")
        for step: SSHDiagnosisStep in [.connect, .algorithms, .credentials] {
            #expect(Self.findings(object, step).first?["durationSeconds"] != nil, "\(step) \(object)")
        }
        // The unused library is not mentioned.
        #expect(!"\(object)".contains("libssh2"), "\(object)")
    }

    @Test("a stalled key exchange ends at bridge-ssh's deadline") func stall() async throws {
        try await FaultServer.run(.says("SSH-2.0-OpenSSH_9.2\r\n", then: .waits)) { server in
            let object = try await Patience.run(
                5, isElsewhere: { $0["error"]?["code"]?.text == SSHError.Code.bannerTimedOut.rawValue }
            ) { seconds in try await Self.diagnosis(of: server.testRun(connectTimeout: seconds)) }
            #expect(object["error"]?["code"]?.text == "ssh.kex.timed-out", "\(object)")
            #expect(Self.has(object, .identification, .ok, "SSH-2.0-OpenSSH_9.2"), "\(object)")
            #expect(Self.has(object, .algorithms, .failed, ""), "\(object)")
        }
    }

    @Test("the jump host that refuses is the step that failed") func jump() async throws {
        let object = try await Self.diagnosis(
            of: try await SharedSandbox.plain.box().testRun(), ["-J", "alice@127.0.0.1:1"])
        #expect(object["error"]?["code"]?.text == "ssh.connect.refused", "\(object)")
        #expect(Self.has(object, .route, .failed, "port 1 "), "\(object)")
        #expect(Self.has(object, .identification, .notReached, ""), "\(object)")
    }

    @Test("behind a jump host, the steps are about the destination") func throughJump() async throws {
        let chain = try await Chain.plain(2)
        let result = try await chain.byDoctor(["--via", "ssh", "--json"])
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(object["error"] == .null, "\(object) \(result.errorOutput)")
        #expect(Self.has(object, .route, .ok, "reached"), "\(object)")
        #expect(Self.has(object, .connect, .ok, "has connected"), "\(object)")
        #expect(Self.has(object, .credentials, .ok, "was accepted"), "\(object)")
    }

    // MARK: Findings

    private static func diagnosis(of testRun: TestRun, _ options: [String] = []) async throws -> JSON {
        let result = try await testRun.byDoctor(["--via", "ssh", "--json"] + options)
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofDiagnosis().faults(object) == [], "\(result.output)")
        #expect(object["via"] == .string("ssh"))
        return object
    }

    private static func findings(_ object: JSON, _ step: SSHDiagnosisStep) -> [JSON] {
        guard case .array(let findings)? = object["findings"] else { return [] }
        return findings.filter { $0["step"]?.text == step.rawValue }
    }

    private static func has(_ object: JSON, _ step: SSHDiagnosisStep, _ level: SSHFinding.Level, _ words: String) -> Bool {
        findings(object, step).contains {
            $0["level"]?.text == level.rawValue && (words.isEmpty || $0["text"]?.text?.contains(words) == true)
        }
    }
}
