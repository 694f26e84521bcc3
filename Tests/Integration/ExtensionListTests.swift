import BridgeSSH
import SSHTestSupport
import Testing

/// A list of extensions (RFC 8308) that claims to be longer than its message, under each protection of packets.
@Suite("A list of extensions that lies", .enabled(if: Library.isAtLeast(1, 11), "libssh2 1.10 does not read it"))
struct ExtensionListTests {
    static let modes = [PacketMode.ctr, .ctr256, .encryptThenMAC, .encryptThenMAC512, .gcm128, .gcm256]
    private static let list = ServerAction.message(7, [0xFF, 0xFF, 0xFF, 0xFF])

    @Test("an invalid extension list after the keys is a protocol error", arguments: modes) func behindTheKeys(_ mode: PacketMode)
        async throws
    {
        var script = ServerScript().on(.keyExchange, Self.list)
        script.mode = mode
        try await ScriptedCase("lists", .failure(.sessionProtocolError), script).check()
    }

    @Test("an invalid extension list after the login is a protocol error", arguments: modes) func behindTheLogin(
        _ mode: PacketMode
    ) async throws {
        var script = ServerScript().on(.request("exec"), Self.list, .accept, .exitStatus(0), .endOfOutput, .closeChannel)
        script.mode = mode
        try await ScriptedCase("lists", .unknown(.sessionProtocolError), script).check()
    }

    /// Messages of honest servers, amid data of all lengths.
    @Test("a correct list passes", arguments: modes) func aTrueListPasses(_ mode: PacketMode) async throws {
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

    // MARK: Repeated names

    /// libssh2 allocates memory for its own list of an RSA key's signature algorithms, and copies a name as often as the server
    /// lists it.
    static let repeated = [
        String(repeating: "rsa-sha2-256,", count: 1000) + "rsa-sha2-256",
        "ssh-rsa,rsa-sha2-256,rsa-sha2-512,ssh-rsa,rsa-sha2-256,rsa-sha2-512", "rsa-sha2-512,rsa-sha2-256,ssh-rsa,ssh-rsa",
    ]

    @Test("a list that repeats a name is used like one without repetitions", arguments: modes, repeated) func aNameIsRepeated(
        _ mode: PacketMode, _ list: String
    ) async throws {
        let best = list.contains("rsa-sha2-512") ? "rsa-sha2-512" : "rsa-sha2-256"
        var script = ServerScript().asking(for: "publickey")
            .on(.keyExchange, .extensions([("server-sig-algs", list)]))
            .on(.keyOffer(best), .accept).on(.signature(best), .accept)
        script.mode = mode
        try await ScriptedCase("repeats", .success, script) { scratch, testRun in
            testRun.identities = [try await TestKey.make(.rsa).write(to: scratch, as: "id_rsa")]
        }.check()
    }

    /// No algorithm fits the RSA key, so only the keys after it are offered.
    @Test(
        "with a list without RSA algorithms, the other keys are still offered",
        arguments: ["ssh-ed25519", "ecdsa-sha2-nistp256,ssh-ed25519,ssh-ed25519"])
    func noneIsForRSA(_ list: String) async throws {
        let script = ServerScript().asking(for: "publickey")
            .on(.keyExchange, .extensions([("server-sig-algs", list)]))
            .on(.keyOffer("ssh-ed25519"), .accept).on(.signature("ssh-ed25519"), .accept)
        try await ScriptedCase("no RSA", .success, script) { scratch, testRun in
            testRun.identities = [
                try await TestKey.make(.rsa).write(to: scratch, as: "id_rsa"),
                try await TestKey.make(.ed25519).write(to: scratch, as: "id_ed25519"),
            ]
        }.check()
    }

    /// Each list replaces the one before.
    @Test("a second list") func theListComesAgain() async throws {
        let lists = Self.repeated.map { ServerAction.extensions([("server-sig-algs", "x,x"), ("server-sig-algs", $0)]) }
        let script = ServerScript().asking(for: "publickey").on(.keyExchange, lists + [.extensions([("x", "y")])] + lists)
            .on(.keyOffer("rsa-sha2-512"), .accept).on(.signature("rsa-sha2-512"), .accept)
        try await ScriptedCase("lists", .success, script) { scratch, testRun in
            testRun.identities = [try await TestKey.make(.rsa).write(to: scratch, as: "id_rsa")]
        }.check()
    }
}

/// A server whose key exchange methods contain a marker that only a client may send (RFC 8308 section 2.1): libssh2 1.11 would
/// call a function through a null pointer.
@Suite("A client's extension markers in a server's list") struct ClientSignTests {
    private static let signs = ["ext-info-c", "kex-strict-c-v00@openssh.com"]
    static let lists = signs.flatMap { [["curve25519-sha256", $0], [$0, "curve25519-sha256"], [$0]] }

    @Test("a client's extension name in the first exchange", arguments: lists) func inTheFirstExchange(_ methods: [String])
        async throws
    {
        var script = ServerScript()
        script.methods = methods
        let isKnown = methods.contains("curve25519-sha256")
        let others = isKnown ? Expected.success : .failure(.kexNoCommonKex)
        try await ScriptedCase(
            "signs", Library.isAtLeast(1, 11) ? .failure(.kexProtocolError) : others, script
        ).check()
    }

    @Test("a client's extension name in a later exchange", arguments: lists.filter { $0.count > 1 }) func inALaterOne(
        _ methods: [String]
    ) async throws {
        var script = ServerScript()
            .on(.request("exec"), .accept, .renewKeys(), .exitStatus(0), .endOfOutput, .closeChannel)
        script.laterMethods = methods
        try await ScriptedCase("signs", .success, script).check()
        // Right after the first keys, before any request.
        script = ServerScript().on(.newKeys, .renewKeys()).on(.newKeys)
        script.laterMethods = methods
        try await ScriptedCase("signs", .success, script).check()
    }
}
