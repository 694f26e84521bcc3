import BridgeSSH
import SSHTestSupport
import Testing

/// What cannot be meant is refused here, before anything is sent: the connection and its other commands live on.
@Suite struct RefusedValueTests {
    @Test func aNULReachesNoServer() async throws {
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
                try await connection.execute("cat") { _, input in
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

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(-1)])
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

    @Test("no number of a command's options is a trap") func commandNumbers() async throws {
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
                    try await connection.execute("stty size", options: options) { execution in
                        await execution.resize(columns: number, rows: number)
                        for try await _ in execution.standardOutput {}
                    }
                    await #expect(throws: SSHError.self) { try await connection.open(to: "localhost", port: number) { _ in } }
                }
                #expect(try await connection.run("echo alive").standardOutputText == "alive\n")
            }
        }
    }

    @Test("no number of a file is a trap") func fileNumbers() async throws {
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

    @Test("no number of a configuration is a trap") func configurationNumbers() async throws {
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
                    // An address needs no looking up.
                    if path == \.connect { #expect((error != nil) == isOver, "\(duration): \(error?.message ?? "")") }
                }
                let error = try await attempt { $0.keepalive = SSHKeepaliveOptions(interval: duration) }
                // An interval that no answer can keep to ends the connection, and is no trap.
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
}
