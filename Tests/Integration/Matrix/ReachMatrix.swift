import BridgeSSH
import SSHTestSupport
import Testing

/// Unreachable hosts, and services that are not SSH servers.
@Suite("Matrix: reaching") struct ReachMatrix {
    struct Place: Sendable, CustomTestStringConvertible {
        let host: String
        let code: SSHError.Code
        var port = 22
        var family = SSHAddressFamily.any
        var testDescription: String { "\(host.prefix(40)) \(family)" }
    }

    static let places: [Place] = [
        Place(host: "no-such-host.invalid", code: .resolveHostNotFound),
        Place(host: "127.0.0.1", code: .resolveFailed, family: .ipv6),
        Place(host: "::1", code: .resolveFailed, family: .ipv4),
        Place(host: String(repeating: "a", count: 64) + ".invalid", code: .resolveHostNameInvalid),
        Place(host: "two..dots", code: .resolveHostNameInvalid),
        Place(host: "127.0.0.1", code: .connectRefused, port: 1),
        Place(host: "::1", code: .connectRefused, port: 1),
    ]

    @Test("an address without a server", arguments: places)
    func place(_ place: Place) async throws {
        try await Gate.shared.pass {
            var testRun = TestRun(host: place.host, port: place.port, user: "alice")
            testRun.password = "never-sent-pw"
            testRun.family = place.family
            testRun.knownHosts = ["/dev/null"]
            try await testRun.check(.failure(place.code))
        }
    }

    static let unanswered = Expected.failure(.connectTimedOut)

    @Test("a connect without an answer") func blackhole() async throws {
        try await Gate.shared.pass {
            try await FullListener.run { listener in
                var testRun = TestRun(host: "127.0.0.1", port: listener.port, user: "alice")
                testRun.knownHosts = ["/dev/null"]
                testRun.password = "never-sent-pw"
                testRun.connectTimeout = 1
                try await testRun.check(Self.unanswered)
            }
        }
    }

    struct Greeting: Sendable, CustomTestStringConvertible {
        let name: String
        let code: SSHError.Code
        let words: String
        let bytes: [UInt8]
        init(_ name: String, _ code: SSHError.Code = .bannerNotSSH, naming words: String = "", bytes: [UInt8]) {
            self.name = name
            self.code = code
            self.words = words
            self.bytes = bytes
        }
        init(_ name: String, _ code: SSHError.Code = .bannerNotSSH, naming words: String = "", says text: String) {
            self.init(name, code, naming: words, bytes: Array(text.utf8))
        }
        var testDescription: String { name }
    }

    static let greetings: [Greeting] = [
        Greeting("HTTP", naming: "HTTP", says: "HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n<html></html>\r\n"),
        Greeting("SMTP", naming: "mail", says: "220 mail.example ESMTP Postfix\r\n"),
        Greeting("FTP", naming: "FTP", says: "220 (vsFTPd 3.0.3)\r\n"),
        Greeting("IMAP", says: "* OK [CAPABILITY IMAP4rev1] Dovecot ready.\r\n"),
        Greeting("POP3", says: "+OK POP3 ready\r\n"),
        Greeting("TLS alert", naming: "TLS", bytes: [0x15, 3, 1, 0, 2, 2, 70]),
        Greeting("Redis", says: "-ERR unknown command 'SSH-2.0-libssh2_1.10.0'\r\n"),
        Greeting("MySQL", bytes: [0x4A, 0, 0, 0, 0x0A] + Array("8.0.36\u{0}".utf8) + [UInt8](repeating: 7, count: 60)),
        Greeting("VNC", says: "RFB 003.008\n"),
        Greeting("telnet", bytes: [0xFF, 0xFD, 0x18, 0xFF, 0xFD, 0x20]),
        Greeting("SSH-1.5", .bannerUnsupportedVersion, says: "SSH-1.5-OpenSSH_1.2\r\n"),
        Greeting("MaxStartups", .bannerServerBusy, says: "Exceeded MaxStartups\r\n"),
        Greeting("penalised", .bannerSourcePenalised, says: "Not allowed at this time\r\n"),
    ]

    @Test("another service that speaks first and closes", arguments: greetings)
    func closes(_ greeting: Greeting) async throws {
        for ending in [FaultScript.Ending.closes, .finishes, .readsThenFinishes] {
            try await check(.says(greeting.bytes, then: ending), greeting)
        }
    }

    @Test("another service that speaks first and waits", arguments: greetings)
    func waits(_ greeting: Greeting) async throws {
        // Other lines may precede the identification, so some of these are recognized only at the deadline.
        try await check(.says(greeting.bytes, then: .waits), greeting, connectTimeout: 2)
    }

    private func check(_ script: FaultScript, _ greeting: Greeting, connectTimeout: Double = 60) async throws {
        try await Gate.shared.pass {
            try await FaultServer.run(script) { server in
                try await server.testRun(connectTimeout: connectTimeout).check(.failure(greeting.code, saying: greeting.words))
            }
        }
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let name: String
        let code: SSHError.Code
        let script: FaultScript
        var timeout = 60.0
        var testDescription: String { name }
    }

    static let broken: [Broken] = [
        Broken(name: "silent", code: .bannerTimedOut, script: .silent, timeout: 2),
        Broken(name: "tarpit", code: .bannerTimedOut, script: .tarpit(), timeout: 2),
        Broken(
            name: "a tarpit without line ends", code: .bannerTimedOut, script: .init([.drip([97], every: .milliseconds(50))]),
            timeout: 2),
        Broken(name: "half an identification", code: .bannerTimedOut, script: .says("SSH-2.0-Half", then: .waits), timeout: 2),
        Broken(name: "half an identification, then the end", code: .bannerClosed, script: .says("SSH-2.0-Half", then: .finishes)),
        Broken(name: "a line, then the end", code: .bannerClosed, script: .says("Go away.\r\n", then: .finishes)),
        Broken(name: "closed", code: .bannerClosed, script: .closesAtOnce),
        Broken(name: "ended", code: .bannerClosed, script: .finishesAtOnce),
        Broken(name: "reset", code: .bannerClosed, script: .resetsAtOnce),
        Broken(name: "read, then closed", code: .bannerClosed, script: .init([.awaitBytes, .close])),
        Broken(name: "read, then reset", code: .bannerClosed, script: .init([.awaitBytes, .reset])),
    ]

    @Test("a server that breaks before it identifies itself", arguments: broken)
    func breaks(_ broken: Broken) async throws {
        try await Gate.shared.pass {
            try await FaultServer.run(broken.script) { server in
                try await server.testRun(connectTimeout: broken.timeout).check(.failure(broken.code))
            }
        }
    }

    @Test("a real server with too many unauthenticated connections") func maxStartups() async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options("MaxStartups 1:100:1")) { box in
                try await RawConnection.run(to: box.port) { held in
                    // The server counts a connection before it sends its identification.
                    try await held.received.wait(for: "SSH-2.0")
                    try await box.testRun().check(.failure(.bannerServerBusy))
                }
            }
        }
    }
}
