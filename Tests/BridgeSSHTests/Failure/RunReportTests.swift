import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Testing

@Suite("Run report")
struct RunReportTests {
    static func report(_ error: SSHError?) -> RunReport {
        var report = RunReport(host: "web1", port: 22, user: "alice", command: "make")
        report.durationSeconds = 0.12
        if let error { report.take(error) }
        return report
    }

    static func parsed(_ report: RunReport) throws -> JSON {
        try JSON(parsing: Data(report.json.bytes))
    }

    @Test("every failure's object follows the schema", arguments: ClassifierTable.everything)
    func failuresHoldToTheSchema(row: Row) throws {
        let error = SSHFailureClassifier.classify(row.evidence)
        let object = try Self.parsed(Self.report(error))
        #expect(try JSONSchema.ofReport().faults(object) == [])
        #expect(object["error"]?["code"] == .string(row.code.rawValue))
        #expect(object["error"]?["case"] == .string(FailureCatalogue.definition(of: row.code).appCase.caseName))
    }

    @Test("every field of a failure that the schema has is written for some evidence")
    func everyField() throws {
        let events = HostileTextTests.events.map { HostileTextTests.evidence($0, .command) }
        let all = ClassifierTable.everything.map(\.evidence) + events + Self.others
        let schema = try JSONSchema.ofReport()
        let written = try all.reduce(into: Set<String>()) { written, evidence in
            written.formUnion(try Self.parsed(Self.report(SSHFailureClassifier.classify(evidence))).fields)
        }
        for evidence in Self.others {
            #expect(schema.faults(try Self.parsed(Self.report(SSHFailureClassifier.classify(evidence)))) == [])
        }
        #expect(schema.fields.filter { $0.hasPrefix("error.") }.subtracting(written) == [])
    }

    /// Evidence with the facts that no row of the classifier's table has.
    private static let others: [SSHEvidence] = [
        Seen.algorithms { $0.hostKey = ["ssh-rsa"] }.with {
            var chosen = SSHChosenAlgorithms()
            (chosen.keyExchange, chosen.hostKey) = ("curve25519-sha256", "ssh-rsa")
            (chosen.cipherToServer, chosen.cipherToClient) = ("aes256-ctr", "aes128-ctr")
            (chosen.macToServer, chosen.macToClient) = ("hmac-sha2-256", "hmac-sha2-512")
            $0.chosenAlgorithms = chosen
            $0.setting = SSHSettingEvidence(keyword: "HostKeyAlgorithms", place: "/home/alice/.ssh/config:3")
        },
        Seen.hostKey(.revoked(ClassifierTable.place)).with { $0.hostKey?.bits = 1024 },
        Seen.end(.failed(systemError: ETIMEDOUT), at: .session),
        Seen.deadline(at: .banner) { $0.proxy = SSHProxyEvidence(command: "nc", exitStatus: 1) },
        Seen.that(.keyUnusable(unreadable), at: .key), Seen.that(.agentFailed(broken), at: .authentication),
        Seen.login {
            $0.keyProblems = [unreadable]
            $0.agentProblem = broken
        },
        Seen.exit(nil) {
            $0.exitSignal = SSHExitSignal(name: "SEGV", coreDumped: true)
            $0.hasPTY = true
            $0.teardown = .signalled
            $0.shell = SSHShellEvidence()
            $0.shell?.device = "Cisco IOS"
        },
    ]
    private static let unreadable = SSHKeyProblem(reason: .unreadable, path: "/x", detail: "A detail.", systemError: EACCES)
    private static let broken = SSHAgentProblem(reason: .refused, detail: "A detail.", systemError: ECONNREFUSED)

    @Test("a success has the schema's keys in their order")
    func success() throws {
        var report = Self.report(nil)
        report.take(
            SSHCommandResult(
                command: "make", termination: .exited(0), standardOutput: Array("a/b \"ü\"\n\u{1B}[0m".utf8), standardError: [],
                durationSeconds: 0.1))
        let expected = """
            {"schema":"bridge-ssh/1","destination":"alice@web1:22","host":"web1","user":"alice","port":22,"via":"libssh2","command":"make",\
            "outcome":"succeeded","exitStatus":0,"exitSignal":null,"stdout":"a/b \\"ü\\"\\n\\u001b[0m","stderr":"",\
            "durationSeconds":0.12,"attempts":1,"timings":{"resolve":0.0,"connect":0.0,"banner":0.0,"keyExchange":0.0,\
            "authentication":0.0,"channel":0.0,"command":0.0},"error":null}
            """
        #expect(String(decoding: report.json.bytes, as: UTF8.self) == expected)
        #expect(try JSONSchema.ofReport().faults(Self.parsed(report)) == [])
    }

    @Test("bytes that are not UTF-8 are written in base64")
    func binaryOutput() throws {
        var report = Self.report(nil)
        report.standardOutput = [0xFF, 0x00, 0xC3]
        let object = try Self.parsed(report)
        #expect(object["stdoutBase64"] == .string("/wDD"))
        #expect(object["stdout"] == nil)
        #expect(object["stderr"] == .string(""))
        #expect(try JSONSchema.ofReport().faults(object) == [])
    }

    @Test("a failed command has its cause, signal and output")
    func failedCommand() throws {
        let result = SSHCommandResult(
            command: "cat /nowhere/file.txt", termination: .exited(1), standardOutput: [],
            standardError: Array("cat: /nowhere/file.txt: No such file or directory\n".utf8), durationSeconds: 0.1,
            origin: Seen.that(.commandEnded, at: .session))
        let error = try #require(throws: SSHError.self) { try result.checked() }
        let object = try Self.parsed(Self.report(error))
        #expect(object["error"]?["cause"]?["case"] == .string("fileNotFound"))
        #expect(object["exitStatus"] == .integer(1))
        #expect(object["stderr"]?.text?.contains("/nowhere/file.txt") == true)
        #expect(try JSONSchema.ofReport().faults(object) == [])

        let killed = SSHCommandResult(
            command: "x", termination: .signalled(SSHExitSignal(name: "KILL")), standardOutput: [], standardError: [],
            durationSeconds: 0)
        let signal = try #require(throws: SSHError.self) { try killed.checked() }
        #expect(try Self.parsed(Self.report(signal))["exitSignal"] == .string("KILL"))
    }

    @Test("an IPv6 literal is bracketed in the destination")
    func destination() {
        #expect(RunReport(host: "::1", port: 2222, user: "", command: "").destination == "[::1]:2222")
    }

    @Test(
        "numbers have no exponent",
        arguments: [
            (0.0, "0.0"), (1.5, "1.5"), (0.000001, "0.000001"), (12.3456789, "12.345679"), (.nan, "null"), (-0.25, "-0.25"),
            (100, "100.0"),
        ])
    func numbers(value: Double, text: String) {
        #expect(String(decoding: JSONValue.number(value).bytes, as: UTF8.self) == text)
    }

    @Test("the schema refuses wrong objects")
    func schemaRefuses() throws {
        let schema = try JSONSchema.ofReport()
        let good = try Self.parsed(Self.report(SSHFailureClassifier.classify(Seen.addresses(111))))
        var members = good.members
        members["outcome"] = .string("succeeded")
        #expect(!schema.faults(.object(members)).isEmpty)
        members = good.members
        members["stdout"] = nil
        #expect(!schema.faults(.object(members)).isEmpty)
        members = good.members
        var error = good["error"]?.members ?? [:]
        error["stage"] = .string("nowhere")
        members["error"] = .object(error)
        #expect(!schema.faults(.object(members)).isEmpty)
        error["stage"] = .string("connect")
        error["password"] = .string("x")
        members["error"] = .object(error)
        #expect(!schema.faults(.object(members)).isEmpty)
    }
}
