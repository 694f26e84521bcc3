import BridgeSSH
import SSHTestSupport
import Testing

/// Real servers, reached through one another.
@Suite("Jump hosts") struct JumpTests {
    @Test("one, two and three servers", arguments: 1...3)
    func reaches(count: Int) async throws {
        var chain = try await Chain.plain(count)
        chain.command = "hostname; id -un; cat"
        chain.input = Array("through\n".utf8)
        let (error, output) = try await chain.byLibrary()
        #expect(error == nil, "\(error.map { "\($0.message) \($0.evidence)" } ?? "")")
        #expect(String(decoding: output, as: UTF8.self) == "hop3\nalice\nthrough\n")
        let ours = try await chain.byExecutable()
        #expect(ours.termination == .exited(0), "\(ours.errorOutput)")
        #expect(ours.output == "hop3\nalice\nthrough\n")
        #expect(ours.errorOutput.isEmpty, "\(ours.errorOutput)")
    }
}
