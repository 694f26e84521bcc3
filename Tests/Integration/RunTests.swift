import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@Suite struct RunTests {
    @Test func outputAndStatus() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let result = try await connection.run("echo out; echo err >&2; exit 3")
                #expect(result.termination == .exited(3))
                #expect(result.standardOutput == Array("out\n".utf8))
                #expect(result.standardError == Array("err\n".utf8))
            }
        }
    }
}
