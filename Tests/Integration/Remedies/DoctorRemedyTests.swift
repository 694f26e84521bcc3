import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A command that `doctor` suggests is taken from its report and typed, and then the finding is gone.
@Suite("Remedies of doctor") struct DoctorRemedyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// How the command begins.
        let command: String
        /// Text of the finding.
        let finding: String
        var server = ""
        let arrange: @Sendable (SSHDSandbox, ScratchDirectory, inout TestRun) async throws -> Void
        let apply: @Sendable (String, SSHDSandbox, ScratchDirectory, inout TestRun) async throws -> Void
        var testDescription: String { command }
    }

    static let remedies: [Case] = [
        Case(command: "chmod go-w", finding: "Other users can change") { _, _, testRun in
            try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: testRun.knownHosts[0])
        } apply: { command, _, _, _ in
            try await ProcessRun.check("/bin/sh", ["-c", command])
        },
        Case(command: "case $- in", finding: "writes to standard output besides the command") { box, _, _ in
            try box.put("echo Welcome\n", at: "/home/alice/.bashrc")
        } apply: { command, box, _, _ in
            try box.put(command + "\necho Welcome\n", at: "/home/alice/.bashrc")
        },
        Case(command: "PermitEmptyPasswords no", finding: "without asking", server: "PermitEmptyPasswords yes") {
            box, _, testRun in
            try box.emptyPassword(of: .bob)
            testRun.user = "bob"
        } apply: { line, box, _, testRun in
            try await reconfigure(box, line)
        },
        Case(command: "Ciphers -", finding: "3des-cbc", server: "Ciphers aes128-ctr,aes128-cbc,3des-cbc") { _, _, _ in
        } apply: { line, box, _, _ in
            try await reconfigure(box, line)
        },
        Case(command: "MACs -", finding: "hmac-md5", server: "MACs hmac-sha2-256,hmac-md5") { _, _, _ in
        } apply: { line, box, _, _ in
            try await reconfigure(box, line)
        },
        Case(
            command: "KexAlgorithms -", finding: "diffie-hellman-group1-sha1",
            server: "KexAlgorithms curve25519-sha256,diffie-hellman-group1-sha1"
        ) { _, _, _ in
        } apply: { line, box, _, _ in
            try await reconfigure(box, line)
        },
        Case(command: "ssh-keygen -t ed25519", finding: "1024") { box, home, testRun in
            let path = home.path("weak")
            try await ProcessRun.check("ssh-keygen", ["-q", "-t", "rsa", "-b", "1024", "-N", "", "-f", path])
            testRun.identities = [path, box.clientKeyFile]
        } apply: { command, box, home, testRun in
            let path = home.path("new")
            let result = try await TerminalRun.run("/bin/sh", ["-c", command]) { process in
                var place = try await process.standardOutput.wait(for: "Enter file")
                try await process.write(path + "\r")
                for prompt in ["passphrase", "again"] {
                    place = try await process.standardOutput.wait(for: prompt, after: place)
                    try await process.write("\r")
                }
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            let key = try String(contentsOfFile: path + ".pub", encoding: .utf8)
            try box.put(key, at: "/home/alice/.ssh/authorized_keys")
            testRun.identities = [path]
        },
    ]

    /// Puts a line at the beginning of sshd_config, where it wins, and makes sshd read it.
    private static func reconfigure(_ box: SSHDSandbox, _ line: String) async throws {
        let path = "/etc/ssh/sshd_config"
        let old = try String(contentsOf: box.url(of: path), encoding: .utf8)
        try box.put(line + "\n" + old, at: path)
        let before = box.log.text.ranges(of: "Server listening on").count
        box.listener?.send(signal: SIGHUP)
        // sshd restarts itself, and logs that.
        while box.log.text.ranges(of: "Server listening on").count == before {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test("the remedy of a finding helps", arguments: remedies)
    func helps(_ test: Case) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options(test.server)) { box in
                try await ScratchDirectory.with { home in
                    var testRun = try await box.testRun()
                    try await test.arrange(box, home, &testRun)
                    let first = try await diagnosis(testRun)
                    let told = first.findings.filter { $0.remedies.contains { $0.text.hasPrefix(test.command) } }
                    let finding = try #require(told.first, "\(first.findings.map(\.remedy))")
                    #expect(first.findings.contains { $0.text.contains(test.finding) })
                    let remedy = try #require(finding.remedies.first { $0.text.hasPrefix(test.command) })
                    #expect(remedy.applicability == .asIs)
                    try await test.apply(remedy.text, box, home, &testRun)
                    let second = try await diagnosis(testRun)
                    #expect(!second.findings.contains { $0.remedy == finding.remedy }, "\(second.findings.map(\.text))")
                    #expect(!second.findings.contains { $0.text == finding.text }, "\(second.findings.map(\.text))")
                }
            }
        }
    }

    private func diagnosis(_ testRun: TestRun) async throws -> SSHDiagnosis {
        try await SSHClient.diagnose(
            SSHEndpoint(unchecked: testRun.host, port: testRun.port, user: testRun.user), configuration: testRun.configuration)
    }
}
