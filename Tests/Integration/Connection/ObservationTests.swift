import BridgeSSH
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import SSHTestSupport
import Testing

/// Connections in logs and metrics.
@Suite("Logs and metrics") struct ObservationTests {
    private func logging() -> (InMemoryLogHandler, Logger) {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .debug
        return (handler, logger)
    }

    @Test("every line names host and user, a command's its channel, a chain's its hop") func lines() async throws {
        let (handler, logger) = logging()
        var chain = try await Chain.plain(2)
        chain.command = "true"
        var configuration = chain.configuration
        configuration.logger = logger
        try await SSHClient.withConnection(to: chain.endpoint, configuration: configuration) {
            _ = try await $0.run("true", check: true)
        }
        #expect(!handler.entries.isEmpty)
        var hops: Set<String> = []
        for entry in handler.entries {
            #expect(entry.metadata["ssh_host"] != nil && entry.metadata["ssh_user"] == "alice", "\(entry)")
            entry.metadata["ssh_hop"].map { _ = hops.insert("\($0)") }
        }
        #expect(hops == ["1/2", "2/2"])
        let running = try #require(handler.entries.first { $0.metadata["ssh_stage"] == "command" })
        #expect(running.metadata["ssh_channel"] != nil)
    }

    @Test("failures and losses are warnings with their code; a cancellation is not") func failures() async throws {
        let box = try await SharedSandbox.plain.box()
        let (handler, logger) = logging()
        try await FaultProxy.run(to: box.port) { proxy in
            var configuration = try await box.configuration(port: proxy.port)
            configuration.logger = logger
            func warned(_ code: SSHError.Code) -> Bool {
                handler.entries.contains { $0.level == .warning && $0.metadata["ssh_code"] == "\(code.rawValue)" }
            }
            await #expect(throws: SSHError.self) {
                try await SSHClient.withConnection(to: box.endpoint(.loosehome, port: proxy.port), configuration: configuration) {
                    _ in
                }
            }
            #expect(warned(.authKeyRejected))
            let connection = try await SSHClient.connect(to: box.endpoint(port: proxy.port), configuration: configuration)
            let run = Task { try await connection.run("sleep 60") }
            run.cancel()
            _ = await run.result
            #expect(!warned(.localCancelled))
            await proxy.trigger(.reset)
            // The connection is idle, and there are no keepalives.
            while !warned(.sessionConnectionLost) { try await Task.sleep(for: .milliseconds(10)) }
            await connection.close()
        }
    }

    @Test("connections, commands and pools are counted, with outcomes as their only label") func metrics() async throws {
        let box = try await SharedSandbox.plain.box()
        let metrics = TestMetrics()
        var configuration = try await box.configuration()
        configuration.metrics = metrics
        let pool = try SSHConnectionPool(metrics: metrics)
        let work = Task { await pool.run() }
        try await pool.withConnection(to: box.endpoint(), configuration: configuration) { connection in
            for command in ["true", "true", "false"] { _ = try await connection.run(command) }
            var options = SSHCommandOptions()
            options.outputLimit = 1
            _ = try? await connection.run("echo long", options: options)
        }
        _ = try? await pool.withConnection(to: box.endpoint(.loosehome), configuration: configuration) { _ in }
        func count(_ name: String, _ outcome: String) throws -> Int64 {
            try metrics.expectCounter("bridge_ssh_\(name)_total", [("outcome", outcome)]).totalValue
        }
        #expect(try count("commands", "ok") == 2)
        #expect(try count("commands", "failed") == 1)
        #expect(try count("commands", SSHError.Code.commandOutputLimitExceeded.rawValue) == 1)
        #expect(try count("connections", "ok") == 1)
        #expect(try count("connections", SSHError.Code.authKeyRejected.rawValue) == 1)
        #expect(try metrics.expectTimer("bridge_ssh_command_duration").values.count == 3)
        #expect(try metrics.expectTimer("bridge_ssh_connect_duration").values.count == 1)
        #expect(try metrics.expectTimer("bridge_ssh_pool_wait_duration").values.count == 2)
        #expect(try metrics.expectGauge("bridge_ssh_pool_connections").values.contains(1))
        work.cancel()
        await work.value
        #expect(await pool.connectionCount == 0)
    }
}

/// A pool for the life of an app.
@Suite("A pool that runs") struct RunningPoolTests {
    @Test("callers wait for run(), and the pool ends with its task") func running() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            let pool = try SSHConnectionPool()
            async let early = pool.withConnection(to: box.endpoint(), configuration: configuration) {
                try await $0.run("echo early").standardOutputText
            }
            let work = Task { await pool.run() }
            #expect(try await early == "early\n")
            #expect(await pool.connectionCount == 1)
            work.cancel()
            await work.value
            try await box.connectionsEnded()
            let error = try #require(
                await #expect(throws: SSHError.self) {
                    try await pool.withConnection(to: box.endpoint(), configuration: configuration) { _ in }
                })
            #expect(error.code == .localClosed)
        }
    }
}
