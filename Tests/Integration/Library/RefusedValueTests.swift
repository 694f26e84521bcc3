import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Meaningless values are refused before anything is sent, so the connection and its other commands continue.
@Suite struct RefusedValueTests {
    @Test("a NUL reaches no server") func aNULReachesNoServer() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                var name = SSHCommandOptions(), value = SSHCommandOptions(), terminal = SSHCommandOptions(),
                    equals = SSHCommandOptions()
                name.environment = [("A\0B", "x")]
                value.environment = [("A", "x\0y")]
                terminal.pty = SSHPTYOptions(terminal: "xterm\0")
                equals.environment = [("A=B", "x")]
                var nameless = SSHCommandOptions()
                nameless.environment = [("", "x")]
                let runs: [(String, SSHCommandOptions)] = [
                    ("touch /tmp/ran\0", SSHCommandOptions()), ("touch /tmp/ran", name), ("touch /tmp/ran", value),
                    ("touch /tmp/ran", terminal), ("touch /tmp/ran", equals), ("touch /tmp/ran", nameless),
                ]
                _ = try await connection.execute("cat") { _, input in
                    for (command, options) in runs {
                        let error = try await #require(throws: SSHError.self) {
                            try await connection.run(command, options: options)
                        }
                        #expect(error.code == .localUsage && error.commandMayHaveRun == .no, "\(error.message)")
                    }
                    await #expect { try await connection.withSubsystem("sftp\0") { _, _ in } } throws: {
                        SSHError.localUsage ~= $0
                    }
                    await #expect { try await connection.open(to: "a\0b", port: 22) { _ in } } throws: {
                        SSHError.localUsage ~= $0
                    }
                    try await connection.withSFTP { sftp in
                        await #expect { _ = try await sftp.attributes(of: "/tmp\0") } throws: { SSHError.localUsage ~= $0 }
                        await #expect { try await sftp.rename("/tmp\0", to: "/tmp/b") } throws: { SSHError.localUsage ~= $0 }
                        await #expect { try await sftp.makeSymbolicLink("/tmp/c", to: "\0") } throws: {
                            SSHError.localUsage ~= $0
                        }
                        await #expect(throws: SSHError.self) { _ = try await sftp.upload(["/etc/passwd\0x"], to: "/tmp") }
                        let attributes = try await sftp.attributes(of: "/tmp")
                        #expect(attributes.kind == .directory)
                    }
                    #expect(try await input.write("alive"))
                }
                #expect(try await connection.run("test -e /tmp/ran -o -e /tmp/passwd").termination == .exited(1))
            }
        }
    }

    @Test(
        "an expired timeout does not run the command",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(-1)])
    func aTimeoutThatIsOverDoesNotRunTheCommand(_ limit: Duration) async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                var timeout = SSHCommandOptions(), idle = SSHCommandOptions()
                timeout.timeout = limit
                idle.idleTimeout = limit
                for (options, code) in [(timeout, SSHError.Code.commandTimedOut), (idle, .commandIdleTimedOut)] {
                    let error = try await #require(throws: SSHError.self) {
                        try await connection.run("touch /tmp/ran", options: options)
                    }
                    #expect(error.code == code && error.commandMayHaveRun == .no && !error.mayHaveTakenEffect)
                }
                #expect(try await connection.run("test -e /tmp/ran").termination == .exited(1))
            }
        }
    }

    private static let durations: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(1e15),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]
    private static let numbers = [Int.min, -1, 0, 1, 65536, Int(Int32.max) + 1, Int.max - 5, Int.max]

    @Test("no number in a command's options crashes the process") func commandNumbers() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                for duration in Self.durations {
                    for path in [\SSHCommandOptions.timeout, \.idleTimeout, \.drain] {
                        var options = SSHCommandOptions()
                        options[keyPath: path] = duration
                        _ = try? await connection.run("true", options: options)
                    }
                }
                for number in Self.numbers {
                    var options = SSHCommandOptions()
                    options.outputLimit = number
                    do {
                        let result = try await connection.run("printf abc", options: options)
                        #expect(number >= 3 && result.standardOutputText == "abc")
                    } catch let error as SSHError {
                        #expect(error.code == (number < 0 ? .localUsage : .commandOutputLimitExceeded))
                    }
                    options = SSHCommandOptions()
                    options.pty = SSHPTYOptions(columns: number, rows: number)
                    _ = try await connection.execute("stty size", options: options) { execution in
                        await execution.resize(columns: number, rows: number)
                        for try await _ in execution.standardOutput {}
                    }
                    await #expect(throws: SSHError.self) { try await connection.open(to: "localhost", port: number) { _ in } }
                }
                #expect(try await connection.run("echo alive").standardOutputText == "alive\n")
            }
        }
    }

    @Test("no number for a file crashes the process") func fileNumbers() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    try await sftp.withFile("/tmp/x", .writing) { file in
                        try await file.write([1, 2, 3], at: 0)
                        let offsets: [UInt64] = [0, 2, 1 << 40, UInt64(Int64.max) - 1, UInt64(Int64.max), .max - 5, .max]
                        for offset in offsets {
                            for count in Self.numbers {
                                let bytes = try? await file.read(count, at: offset)
                                #expect(bytes?.isEmpty != false || (offset < 3 && count > 0))
                            }
                            if offset >= UInt64(Int64.max) - 1 {
                                await #expect { try await file.write([1, 2], at: offset) } throws: { SSHError.localUsage ~= $0 }
                            }
                        }
                        #expect(try await file.read(.max, at: 1) == [2, 3])
                    }
                    for number in Self.numbers {
                        for path in [\SFTPCopyOptions.concurrency, \.window, \.largestWindow, \.maximumEntries] {
                            var options = SFTPCopyOptions()
                            options[keyPath: path] = number
                            do {
                                _ = try await sftp.upload([box.clientKeyFile], to: "/tmp/y", options: options)
                            } catch let error as SSHError {
                                #expect(error.code == .localUsage, "\(path) \(number): \(error.message)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("no number in a configuration crashes the process") func configurationNumbers() async throws {
        try await SharedSandbox.run { box in
            let endpoint = box.endpoint()
            let plain = try await box.configuration()
            func attempt(_ change: (inout SSHConnectionConfiguration) -> Void) async throws -> SSHError? {
                var configuration = plain
                change(&configuration)
                do {
                    let result = try await SSHClient.withConnection(to: endpoint, configuration: configuration) {
                        try await $0.run("true")
                    }
                    #expect(result.termination == .exited(0))
                    return nil
                } catch let error as SSHError {
                    return error
                }
            }
            for duration in Self.durations {
                let isOver = duration <= .nanoseconds(1)
                for path in [\SSHTimeouts.connect, \.resolve] {
                    let error = try await attempt { $0.timeouts[keyPath: path] = duration }
                    // An address needs no lookup.
                    if path == \.connect { #expect((error != nil) == isOver, "\(duration): \(error?.message ?? "")") }
                }
                let error = try await attempt { $0.keepalive = SSHKeepaliveOptions(interval: duration) }
                // An interval that is too short for any answer ends the connection, and does not crash.
                if duration != .nanoseconds(1) { #expect(duration > .zero ? error == nil : error?.code == .localUsage) }
                let hop = SSHJumpHost(endpoint, configuration: plain, connectTimeout: duration)
                #expect((try await attempt { $0.jumpHosts = [hop] } != nil) == isOver)
            }
            for number in Self.numbers {
                let keepalive = try await attempt { $0.keepalive = SSHKeepaliveOptions(interval: .seconds(30), countMax: number) }
                #expect(number > 0 ? keepalive == nil : keepalive?.code == .localUsage)
                let prompts = try await attempt { $0.credentials.passwordPrompts = number }
                #expect(number >= 0 ? prompts == nil : prompts?.code == .localUsage)
            }
        }
    }

    private static let configurations: [(String, @Sendable (inout SSHConnectionConfiguration) throws -> Void)] = [
        ("localAddress", { $0.localAddress = "garbage" }), ("localAddress", { $0.localAddress = "" }),
        ("localAddress", { $0.localAddress = "127.0.0.1\0" }),
        ("proxyCommand", { $0.proxyCommand = SSHProxyCommand("nc 127.0.0.1 22\0; true") }),
        ("proxyCommand", { $0.proxyCommand = SSHProxyCommand("nc", shell: "/bin/sh\0") }),
        ("proxyCommand", { $0.proxyCommand = SSHProxyCommand("nc", environment: ["A=\0"]) }),
        ("knownHostsCommand", { $0.knownHostsCommand = SSHKnownHostsCommand(["/bin/cat", "/x\0"]) }),
        ("knownHosts", { $0.knownHosts.user = ["/x\0/y"] }), ("knownHosts", { $0.knownHosts.revoked = ["/x\0"] }),
        ("hostKeyAlias", { $0.hostKeyAlias = "a\0b" }),
        ("credentials.identities", { $0.credentials.identities = [SSHIdentity(path: "/x\0")] }),
        ("credentials.certificates", { $0.credentials.certificates = ["/x\0"] }),
        ("credentials.agentSocket", { $0.credentials.agentSocket = "/x\0" }),
        ("hostKeyPolicy", { $0.hostKeyPolicy = .acceptNew }),
        ("trustedHostKeys", { $0.trustedHostKeys = [SSHHostKey(algorithm: "ssh-ed25519", blob: [])] }),
        ("algorithms.keyExchange", { $0.algorithms.keyExchange = [""] }),
        ("algorithms.keyExchange", { $0.algorithms.keyExchange = ["curve25519-sha256", " "] }),
        ("algorithms.hostKey", { $0.algorithms.hostKey = ["ssh-ed25519,ssh-rsa"] }),
        ("algorithms.ciphers", { $0.algorithms.ciphers = ["aes128-ctr\0"] }),
        ("algorithms.ciphers", { $0.algorithms.ciphers = [] }), ("algorithms.macs", { $0.algorithms.macs = [] }),
        (
            "jumpHosts",
            {
                let hop = SSHJumpHost(try SSHEndpoint(parsing: "a@hop"), configuration: SSHConnectionConfiguration())
                $0.jumpHosts = Array(repeating: hop, count: 101)
            }
        ),
        (
            "jumpHosts",
            {
                var nearest = SSHConnectionConfiguration()
                let hop = SSHJumpHost(try SSHEndpoint(parsing: "a@hop"), configuration: nearest)
                nearest.jumpHosts = Array(repeating: hop, count: 60)
                $0.jumpHosts = [SSHJumpHost(hop.endpoint, configuration: nearest)] + Array(repeating: hop, count: 40)
            }
        ),
    ]

    @Test("meaningless values are refused by name, without a connection", arguments: 0..<configurations.count)
    func configurationTexts(_ number: Int) async throws {
        let (field, change) = Self.configurations[number]
        var configuration = SSHConnectionConfiguration()
        try change(&configuration)
        let endpoint = try SSHEndpoint(parsing: "alice@192.0.2.1")
        let hop = SSHJumpHost(endpoint, configuration: configuration)
        var behind = SSHConnectionConfiguration()
        behind.jumpHosts = [hop]
        for configuration in [configuration, behind] {
            let error = try await #require(throws: SSHError.self) {
                try await SSHClient.withConnection(to: endpoint, configuration: configuration) { _ in }
            }
            #expect(error.code == .localUsage && error.message.hasPrefix(field + ": "), "\(error.message)")
        }
    }

    @Test("a named pipe in the place of any file does not block", .timeLimit(.minutes(2)))
    func namedPipes() async throws {
        try await ScratchDirectory.with { scratch in
            let pipe = scratch.path("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            try await SharedSandbox.run { box in
                let plain = try await box.configuration()
                let files: [(String, @Sendable (inout SSHConnectionConfiguration) -> Void)] = [
                    ("known hosts", { $0.knownHosts = SSHKnownHostsFiles(user: [pipe]) }),
                    ("system's known hosts", { $0.knownHosts = SSHKnownHostsFiles(user: [], system: [pipe]) }),
                    ("revoked keys", { $0.knownHosts.revoked = [pipe] }),
                    ("identity", { $0.credentials.identities = [SSHIdentity(path: pipe)] }),
                    ("certificate", { $0.credentials.certificates = [pipe] }),
                    ("agent", { $0.credentials.agentSocket = pipe }),
                ]
                for (name, change) in files {
                    // Several at once, since each would hold a thread.
                    let outcomes = await withTaskGroup(of: Bool.self) { group in
                        for _ in 0..<8 {
                            var configuration = plain
                            change(&configuration)
                            group.addTask { [configuration] in
                                let endpoint = box.endpoint()
                                return (try? await SSHClient.withConnection(to: endpoint, configuration: configuration) { _ in })
                                    != nil
                            }
                        }
                        return await group.reduce(into: []) { $0.append($1) }
                    }
                    // Valid values are accepted.
                    if !["certificate", "agent"].contains(name) { #expect(!outcomes.contains(true), "\(name)") }
                }
                #expect(throws: (any Error).self) {
                    try SSHConfigFile(context: .process(), source: .file(pipe)).resolve("web1")
                }
                try await box.connected { connection in
                    await #expect(throws: SSHError.self) { try await connection.run("cat", standardInput: .file(pipe)) }
                    _ = try await connection.withSFTP { sftp in
                        await #expect(throws: SSHError.self) { _ = try await sftp.upload([pipe], to: "/tmp/pipe") }
                    }
                    #expect(try await connection.run("echo alive").standardOutputText == "alive\n")
                }
            }
        }
    }

    @Test("invalid terminal modes are refused, and the connection stays usable") func terminalModes() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let wrong: [[UInt8]] = [
                    [1], [53, 0], [53, 0, 0, 0, 0], [0, 0], [160, 0, 0, 0, 0, 0], [53, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0],
                    Array(repeating: [53, 0, 0, 0, 0], count: 60).flatMap(\.self) + [0],
                ]
                for modes in wrong {
                    var options = SSHCommandOptions()
                    options.pty = SSHPTYOptions()
                    options.pty?.modes = modes
                    let error = try await #require(throws: SSHError.self) { try await connection.run("true", options: options) }
                    #expect(error.code == .localUsage && error.message.hasPrefix("pty"), "\(modes): \(error.message)")
                }
                var options = SSHCommandOptions()
                options.pty = SSHPTYOptions()
                options.pty?.modes = [53, 0, 0, 0, 0, 0]  // ECHO off
                #expect(try await connection.run("stty", options: options).standardOutputText.contains("-echo"))
            }
        }
    }

    @Test("no limit of a pool crashes the process") func poolNumbers() async throws {
        for number in Self.numbers {
            for path in [\SSHConnectionPool.Limits.connections, \.connectionsPerKey, \.sessionsPerConnection] {
                var limits = SSHConnectionPool.Limits()
                limits[keyPath: path] = number
                let error = try await poolError(limits)
                #expect(error?.code == (number < 1 ? .localUsage : .connectRefused), "\(error?.message ?? "")")
            }
        }
        for duration in Self.durations {
            var limits = SSHConnectionPool.Limits()
            limits.idleTimeout = duration
            let error = try await poolError(limits)
            #expect(error?.code == (duration < .zero ? .localUsage : .connectRefused), "\(error?.message ?? "")")
            limits = SSHConnectionPool.Limits(waitTimeout: duration)
            let late = try await poolError(limits)
            let expected: [SSHError.Code] =
                duration < .zero
                ? [.localUsage] : duration > .seconds(1) ? [.connectRefused] : [.connectRefused, .localPoolTimedOut]
            #expect(expected.contains(late?.code ?? .localUsage) && late != nil, "\(late?.message ?? "")")
        }
    }

    /// Several callers at once, without an answer.
    private func poolError(_ limits: SSHConnectionPool.Limits) async throws -> SSHError? {
        let endpoint = try SSHEndpoint(host: "127.0.0.1", port: 1, user: "alice")
        do {
            try await SSHConnectionPool.withPool(limits) { pool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await pool.withConnection(to: endpoint, configuration: SSHConnectionConfiguration()) { _ in }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            return nil
        } catch let error as SSHError {
            return error
        }
    }
}
