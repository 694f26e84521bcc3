import BridgeSSH
import SSHTestSupport
import Testing

/// Failing key exchange.
@Suite("Matrix: key exchange") struct KeyExchangeMatrix {
    static let disagreements: [SSHDCase] = [
        SSHDCase(
            "kex", .failure(.kexNoCommonKex, saying: "sntrup761x25519"),
            server: "KexAlgorithms sntrup761x25519-sha512@openssh.com"),
        SSHDCase(
            "old kex", .failure(.kexNoCommonKex), server: "KexAlgorithms diffie-hellman-group1-sha1,diffie-hellman-group14-sha1"),
        SSHDCase(
            "cipher", InstalledLibrary.is111 ? .success : .failure(.kexNoCommonCipher, saying: "chacha20"),
            server: "Ciphers chacha20-poly1305@openssh.com"),
        SSHDCase("old cipher", .failure(.kexNoCommonCipher), server: "Ciphers aes128-cbc,3des-cbc"),
        SSHDCase("MAC", .failure(.kexNoCommonMAC, saying: "umac-64"), server: "MACs umac-64-etm@openssh.com"),
        SSHDCase("old MAC", .failure(.kexNoCommonMAC), server: "MACs hmac-md5"),
        SSHDCase(
            "host key", InstalledLibrary.is111 ? .success : .failure(.kexNoCommonHostKeyAlgorithm),
            server: "HostKeyAlgorithms rsa-sha2-512,rsa-sha2-256",
            options: { $0.hostKeys = [.rsa] }),
    ]

    @Test("no algorithm in common with a real server", arguments: disagreements)
    func disagreement(_ test: SSHDCase) async throws { try await test.check() }

    struct Broken: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: Expected
        let script: FaultScript
        var timeout = 60.0
        init(_ name: String, _ expected: Expected, _ script: FaultScript, timeout: Double = 60) {
            self.name = name
            self.expected = expected
            self.script = script
            self.timeout = timeout
        }
        var testDescription: String { name }
    }

    private static func offering(_ change: (inout KeyExchangeLists) -> Void) -> FaultScript {
        var lists = KeyExchangeLists()
        change(&lists)
        return .keyExchangeInit(lists, then: .waits)
    }

    static let broken: [Broken] = [
        Broken("compression only", .failure(.kexNoCommonCompression), offering { $0.compression = ["zlib@openssh.com"] }),
        Broken("an unknown cipher", .failure(.kexNoCommonCipher), offering { $0.cipher = ["rot13"] }),
        Broken("an unknown MAC", .failure(.kexNoCommonMAC), offering { $0.mac = ["crc32"] }),
        Broken("DSS host keys only", .failure(.kexNoCommonHostKeyAlgorithm), offering { $0.hostKey = ["ssh-dss"] }),
        Broken("SHA-1 RSA host keys only", .failure(.kexNoCommonHostKeyAlgorithm), offering { $0.hostKey = ["ssh-rsa"] }),
        Broken("no kex at all", .failure(.kexNoCommonKex), offering { $0.keyExchange = [] }),
        Broken("ends after the greeting", .failure(.kexClosedEarly), .identifies(then: .finishes)),
        Broken("closes after the greeting", .failure(.kexClosedEarly), .identifies(then: .closes)),
        Broken("ends after KEXINIT", .failure(.kexClosed), .keyExchangeInit(then: .finishes)),
        Broken("waits after the greeting", .failure(.kexTimedOut), .identifies(then: .waits), timeout: 2),
        Broken("waits after KEXINIT", .failure(.kexTimedOut), .keyExchangeInit(then: .waits), timeout: 2),
        Broken("garbage", .failure(.kexProtocolError), .garbageAfterIdentification()),
        Broken("garbage that waits", .failure(.kexProtocolError), .garbageAfterIdentification(then: .waits)),
        Broken(
            "too many connections", .failure(.kexDisconnected, retry: "backoff", saying: "Too many connections"),
            .disconnects(reason: 12, text: "Too many connections")),
        Broken(
            "not allowed", .failure(.kexDisconnected, retry: "never", saying: "not allowed here"),
            .disconnects(reason: 2, text: "You are not allowed here")),
        Broken(
            "host not allowed", .failure(.kexDisconnected, retry: "never"),
            .disconnects(reason: 1, text: "Go away")),
        Broken(
            "shutting down", .failure(.kexDisconnected, retry: "backoff"), .disconnects(reason: 11, text: "Server shutting down")),
        Broken("without a text", .failure(.kexDisconnected), .disconnects(reason: 2, text: "")),
    ]

    @Test("a server that breaks during key exchange", arguments: broken)
    func breaks(_ broken: Broken) async throws {
        try await Gate.shared.pass {
            try await FaultServer.run(broken.script) { server in
                try await server.testRun(connectTimeout: broken.timeout).check(broken.expected)
            }
        }
    }
}
