import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// More concurrent commands than a server allows on one connection.
@Suite("Channels queue") struct ChannelQueueTests {
    /// Runs so many commands at once on a connection.
    private func run(_ count: Int, on connection: SSHConnection) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let result = try await connection.run("echo \(number); sleep 0.05", check: true)
                    #expect(result.standardOutputText == "\(number)\n")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("40 commands wait for channels on one connection", arguments: [nil, 1, 3]) func commands(limit: Int?) async throws {
        try await SSHDSandbox.run(.init(limit.map { "MaxSessions \($0)" } ?? "")) { box in
            try await box.connected { connection in
                for _ in 0..<2 { try await run(limit == nil ? 40 : 8, on: connection) }
            }
            #expect(box.connectionCount == 1)
        }
    }

    @Test("a server that allows no session at all says so at once") func none() async throws {
        try await SSHDSandbox.run(.init("MaxSessions 0")) { box in
            let error = try await box.failure()
            #expect(error.code == .channelSessionLimit)
            let configuration = try await box.configuration()
            try await SSHConnectionPool.withPool { pool in
                _ = await #expect(throws: SSHError.self) {
                    _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                        try await $0.run("true")
                    }
                }
            }
        }
    }

    @Test("a caller that is cancelled while it waits gives up its place") func cancelled() async throws {
        try await SSHDSandbox.run(.init("MaxSessions 1")) { box in
            try await box.connected { connection in
                let started = Transcript()
                let first = Task {
                    try await connection.execute("echo started; read line") { execution in
                        for try await chunk in execution.standardOutput { chunk.withUnsafeBytes { started.append(Array($0)) } }
                    }
                }
                try await started.wait(for: "started")
                let waiting = Task { try await connection.run("true") }
                let last = Task { try await connection.run("echo last") }
                waiting.cancel()
                let error = try #require(await #expect(throws: SSHError.self) { try await waiting.value })
                #expect(error.code == .localCancelled)
                #expect(error.commandMayHaveRun == .no)
                first.cancel()
                _ = await first.result
                // If libssh2 cannot signal, the command holds its channel until it ends, so this caller would wait until the
                // connection ends.
                if InstalledLibrary.is111 { #expect(try await last.value.standardOutputText == "last\n") } else { last.cancel() }
                _ = await last.result
            }
        }
    }

    @Test("ten leases with SFTP and a command each") func leases() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            try await SSHConnectionPool.withPool { pool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<10 {
                        group.addTask {
                            try await pool.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                                try await connection.withSFTP { files in
                                    _ = try await files.attributes(of: "/tmp")
                                    let result = try await connection.run("echo \(number); sleep 0.05", check: true)
                                    #expect(result.standardOutputText == "\(number)\n")
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(await pool.connectionCount <= 4)
            }
        }
    }

    @Test("a pool of one connection to a server that allows fewer than its limit") func lowerLimit() async throws {
        try await SSHDSandbox.run(.init("MaxSessions 2")) { box in
            let configuration = try await box.configuration()
            var limits = SSHConnectionPool.Limits()
            limits.connectionsPerKey = 1
            try await SSHConnectionPool.withPool(limits) { pool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let result = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                                try await $0.run("echo \(number); sleep 0.02", check: true)
                            }
                            #expect(result.standardOutputText == "\(number)\n")
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(box.connectionCount == 1)
        }
    }

    @Test("invalid limits are refused", arguments: [0, -1, .min]) func refused(value: Int) throws {
        let changes: [(inout SSHConnectionPool.Limits) -> Void] = [
            { $0.connections = value }, { $0.connectionsPerKey = value }, { $0.sessionsPerConnection = value },
        ]
        for change in changes {
            var limits = SSHConnectionPool.Limits()
            change(&limits)
            let error = try #require(#expect(throws: SSHError.self) { try SSHConnectionPool(limits: limits) })
            #expect(error.code == .localUsage)
            #expect(error.message.contains("\(value)"))
        }
    }
}

/// Interrupted commands that may still run: they hold their channels until they end.
@Suite("A pool and interrupted commands") struct InterruptedCommandTests {
    @Test("a pool replaces a connection whose channels interrupted commands hold") func saturated() async throws {
        try await SSHDSandbox.run(.init("MaxSessions 2")) { box in
            let configuration = try await box.configuration()
            var limits = SSHConnectionPool.Limits()
            limits.connectionsPerKey = 1
            limits.sessionsPerConnection = 2
            try await SSHConnectionPool.withPool(limits) { pool in
                for round in 0..<5 {
                    try await pool.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                        var options = SSHCommandOptions()
                        options.timeout = .milliseconds(100)
                        let error = try #require(
                            await #expect(throws: SSHError.self) {
                                // The command ignores the signals that libssh2 1.11 could send.
                                try await connection.run("trap '' TERM HUP; sleep 30", options: options)
                            })
                        #expect(error.code == .commandTimedOut, "round \(round): \(error.message)")
                    }
                    let result = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                        try await $0.run("echo \(round)", check: true)
                    }
                    #expect(result.standardOutputText == "\(round)\n")
                }
            }
            #expect(box.connectionCount > 1)
        }
    }
}
