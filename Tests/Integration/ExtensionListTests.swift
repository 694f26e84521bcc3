import BridgeSSH
import SSHTestSupport
import Testing

/// A list of extensions (RFC 8308) that claims to be longer than its message, under each protection of packets.
@Suite("A list of extensions that lies", .enabled(if: Library.isAtLeast(1, 11), "libssh2 1.10 does not read it"))
struct ExtensionListTests {
    static let modes = [PacketMode.ctr, .ctr256, .encryptThenMAC, .encryptThenMAC512, .gcm128, .gcm256]
    private static let list = ServerAction.message(7, [0xFF, 0xFF, 0xFF, 0xFF])

    @Test(arguments: modes) func behindTheKeys(_ mode: PacketMode) async throws {
        var script = ServerScript().on(.keyExchange, Self.list)
        script.mode = mode
        try await ScriptedCase("lists", .failure(.sessionProtocolError), script).check()
    }

    @Test(arguments: modes) func behindTheLogin(_ mode: PacketMode) async throws {
        var script = ServerScript().on(.request("exec"), Self.list, .accept, .exitStatus(0), .endOfOutput, .closeChannel)
        script.mode = mode
        try await ScriptedCase("lists", .unknown(.sessionProtocolError), script).check()
    }

    /// What honest servers send, in the midst of data of all lengths.
    @Test(arguments: modes) func aTrueListPasses(_ mode: PacketMode) async throws {
        let list = ServerAction.extensions([("server-sig-algs", "ssh-ed25519,rsa-sha2-256"), ("ping@openssh.com", "0")])
        let output = (1...60).map { ServerAction.output(String(repeating: "x", count: $0 * 37 % 1900)) }
        var script = ServerScript().on(.keyExchange, list)
            .on(.request("exec"), [.accept, list] + output + [.exitStatus(0), .endOfOutput, .closeChannel])
        script.mode = mode
        for pieceLength in [Int.max, 7] {
            script.pieceLength = pieceLength
            try await ScriptedCase("lists", .success, script).check()
        }
    }
}
