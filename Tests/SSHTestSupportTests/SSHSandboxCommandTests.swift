import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// The executable for scripts. It leaves nothing behind, even when it is killed.
@Suite struct SSHSandboxCommandTests {
    private struct Report: Decodable {
        let host: String
        let port: Int
        let user: String
        let identity: String
        let knownHosts: String
        let root: String
    }

    /// Starts the executable and passes its report to `use`. Returns its result and the directory that it used.
    private func sandbox(
        _ use: @escaping @Sendable (Report, RunningProcess) async throws -> Void
    ) async throws -> (ProcessResult, root: String) {
        let root = Mutex("")
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("ssh-sandbox"), ["start", "--json"], input: .pipe
        ) { process in
            try await process.standardOutput.wait(for: "\n")
            let report = try JSONDecoder().decode(Report.self, from: Data(process.standardOutput.bytes))
            root.withLock { $0 = report.root }
            try await use(report, process)
        }
        return (result, root.withLock { $0 })
    }

    @Test("prints connection parameters") func printsConnectionParameters() async throws {
        let (result, root) = try await sandbox { report, _ in
            let login = try await ProcessRun.run(
                "ssh",
                ["-F", "none", "-i", report.identity, "-o", "UserKnownHostsFile=\(report.knownHosts)", "-o", "BatchMode=yes"]
                    + ["-p", "\(report.port)", "\(report.user)@\(report.host)", "id -un"])
            #expect(login.output == "alice\n", "\(login.errorOutput)")
        }
        #expect(result.termination == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    @Test("ends in order when signalled", arguments: [SIGTERM, SIGINT, SIGHUP]) func endsInOrderWhenSignalled(_ signal: Int32)
        async throws
    {
        let (result, root) = try await sandbox { _, process in process.send(signal: signal) }
        #expect(result.termination == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    @Test("killing it ends its server") func killingItEndsItsServer() async throws {
        let (result, root) = try await sandbox { report, process in
            try await RawClient.with(report.port) { client in
                try await client.received.wait(for: "SSH-2.0-")
                process.send(signal: SIGKILL)
                // The connection ends when its sshd ends.
                _ = try await client.ended()
            }
        }
        #expect(result.termination == .signalled(SIGKILL))
        // The supervisor is no longer a child of this process, so the test can only watch for the removal of the directory.
        let directory = URL(fileURLWithPath: root).deletingLastPathComponent().path
        for _ in 0..<6000 where FileManager.default.fileExists(atPath: directory) { try await Task.sleep(for: .milliseconds(20)) }
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test("prints assignments for a shell") func printsAssignmentsForAShell() async throws {
        let program = try BuiltExecutable.path("ssh-sandbox")
        let script = "eval \"$(true | \"$0\" start --extra 'Banner none')\"; echo \"$SANDBOX_USER@$SANDBOX_HOST\""
        #expect(try await ProcessRun.run("sh", ["-c", script, program]).output == "alice@127.0.0.1\n")
    }
}
