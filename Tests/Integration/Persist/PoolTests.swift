import ErrorCore
import Foundation
import InMemoryLogging
import Logging
import SSHTestSupport
import Testing

@testable import BridgeSSH

/// A pool of connections on a real sshd.
@Suite("A pool of connections")
struct PoolTests {
    private func limits(perKey: Int = 4, sessions: Int = 10, idle: Double = 60) -> SSHConnectionPool.Limits {
        var limits = SSHConnectionPool.Limits()
        limits.connectionsPerKey = perKey
        limits.sessionsPerConnection = sessions
        limits.idleTimeout = .seconds(idle)
        return limits
    }

    @Test("many callers share few connections") func sharing() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            try await SSHConnectionPool.withPool(limits(perKey: 2, sessions: 5)) { pool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            let result = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                                try await $0.run("echo \(number)")
                            }
                            #expect(result.standardOutputText == "\(number)\n")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(await pool.connectionCount <= 2)
            }
            #expect((1...2).contains(box.connectionCount))
            try await box.connectionsEnded()
        }
    }

    @Test("a connection that was lost is replaced") func lost() async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                let configuration = try await box.configuration(port: proxy.port)
                try await SSHConnectionPool.withPool(limits()) { pool in
                    for _ in 0..<3 {
                        let result = try await pool.withConnection(
                            to: box.endpoint(port: proxy.port), configuration: configuration
                        ) { try await $0.run("echo here") }
                        #expect(result.standardOutputText == "here\n")
                        await proxy.trigger(.reset)
                        while await pool.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
                    }
                }
                #expect(box.connectionCount == 3)
            }
        }
    }

    @Test("an unused connection is closed; the next caller gets another") func idle() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            try await SSHConnectionPool.withPool(limits(idle: 0.05)) { pool in
                for _ in 0..<2 {
                    _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                        try await $0.run("true")
                    }
                    while await pool.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
                }
            }
            #expect(box.connectionCount == 2)
        }
    }

    @Test("a refused credential fails all waiting callers, and is offered once") func refused() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            try await SSHConnectionPool.withPool(limits()) { pool in
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<5 {
                        group.addTask {
                            await #expect(throws: SSHError.self) {
                                try await pool.withConnection(to: box.endpoint(.loosehome), configuration: configuration) { _ in }
                            }
                        }
                    }
                }
            }
            #expect(box.connectionCount == 1)
        }
    }

    @Test("a caller that gives up leaves, and the pool continues") func givingUp() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            try await SSHConnectionPool.withPool(limits(perKey: 1, sessions: 1)) { pool in
                try await pool.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                    let waiting = Task {
                        try await pool.withConnection(to: box.endpoint(), configuration: configuration) { _ in }
                    }
                    waiting.cancel()
                    await #expect { try await waiting.value } throws: { SSHError.localCancelled ~= $0 }
                    let result = try await connection.run("true")
                    #expect(result.termination == .exited(0))
                }
                _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) { try await $0.run("true") }
            }
            #expect(box.connectionCount == 1)
        }
    }

    @Test("a caller whose time is over gets an error that says so, and the pool continues") func waitingTooLong() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            var limits = limits(perKey: 1, sessions: 1)
            // No caller waits: only a free connection counts.
            limits.waitTimeout = .zero
            let never = await #expect(throws: SSHError.self) {
                try await SSHConnectionPool.withPool(limits) { pool in
                    try await pool.withConnection(to: box.endpoint(), configuration: configuration) { _ in }
                }
            }
            #expect(never?.code == Self.late)
            limits.waitTimeout = .seconds(20)
            try await SSHConnectionPool.withPool(limits) { pool in
                _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) { try await $0.run("true") }
            }
            // The first caller's connection is opened in this time too, on a busy machine.
            limits.waitTimeout = .seconds(10)
            try await SSHConnectionPool.withPool(limits) { pool in
                try await pool.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                    let start = ContinuousClock.now
                    let error = try await #require(throws: SSHError.self) {
                        try await pool.withConnection(to: box.endpoint(), configuration: configuration) { _ in }
                    }
                    #expect(start.duration(to: .now) >= .seconds(10))
                    #expect(error.code == Self.late && error.message.contains("10 s"), "\(error.message)")
                    #expect(error.retry == .backoff() && error.commandMayHaveRun == .no && error.evidence.host == "127.0.0.1")
                    #expect(try await connection.run("true").termination == .exited(0))
                }
                _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) { try await $0.run("true") }
            }
        }
    }

    static let late = SSHError.Code.localPoolTimedOut

    @Test("a pool whose run() was not called warns its logger and its waiting callers", .timeLimit(.minutes(5)))
    func unattended() async throws {
        let handler = InMemoryLogHandler()
        var configuration = SSHConnectionConfiguration()
        configuration.logger = Logger(label: "test") { _ in handler }
        let endpoint = try SSHEndpoint(parsing: "alice@127.0.0.1:1")
        let pool = try SSHConnectionPool(limits: SSHConnectionPool.Limits(waitTimeout: .seconds(2)))
        let error = try await #require(throws: SSHError.self) {
            try await pool.withConnection(to: endpoint, configuration: configuration) { _ in }
        }
        #expect(error.code == .localUsage && error.message.contains("run()"), "\(error.message)")
        await pool.attendanceWarning?.value
        #expect(handler.entries.count { $0.level == .warning && "\($0.message)".contains("run()") } == 1)
        // The end of a pool cancels the warning.
        withExtendedLifetime(pool) {}
    }

    @Test("a pool that is run while a caller waits does not warn", .timeLimit(.minutes(5))) func attended() async throws {
        let handler = InMemoryLogHandler()
        var configuration = SSHConnectionConfiguration()
        configuration.logger = Logger(label: "test") { _ in handler }
        let endpoint = try SSHEndpoint(parsing: "alice@127.0.0.1:1")
        let pool = try SSHConnectionPool()
        let caller = Task { [configuration] in
            try await pool.withConnection(to: endpoint, configuration: configuration) { _ in }
        }
        while await pool.attendanceWarning == nil { try await Task.sleep(for: .milliseconds(1)) }
        let work = Task { await pool.run() }
        let refused = await #expect(throws: SSHError.self) { try await caller.value }
        #expect(refused?.code == .connectRefused)
        #expect(await pool.attendanceWarning == nil)
        work.cancel()
        await work.value
    }

    @Test("a caller that waits gets one answer: its time is over, or it is cancelled", arguments: 0..<4)
    func limitsAndCancellations(seed: UInt64) async throws {
        let endpoint = try SSHEndpoint(parsing: "alice@127.0.0.1:1")
        let pool = try SSHConnectionPool(limits: SSHConnectionPool.Limits(waitTimeout: .milliseconds(20)))
        var random = SeededGenerator(seed: seed)
        var codes: [SSHError.Code?] = []
        await withTaskGroup(of: (isCancelled: Bool, code: SSHError.Code?).self) { group in
            for number in 0..<200 {
                let pause = Duration.microseconds(Int.random(in: 0...40_000, using: &random))
                group.addTask {
                    let waiting = Task {
                        try await pool.withConnection(to: endpoint, configuration: SSHConnectionConfiguration()) { _ in }
                    }
                    let isCancelled = number.isMultiple(of: 2)
                    if isCancelled {
                        try? await Task.sleep(for: pause)
                        waiting.cancel()
                    }
                    guard case .failure(let error) = await waiting.result else { return (isCancelled, nil) }
                    return (isCancelled, (error as? SSHError)?.code)
                }
            }
            for await (isCancelled, code) in group {
                // Nothing runs the pool, so a caller that is not cancelled must get an answer when its time is over.
                #expect(code == .localUsage || isCancelled && code == .localCancelled)
                codes.append(code)
            }
        }
        #expect(codes.count == 200)
        #expect(await pool.connectionCount <= SSHConnectionPool.Limits().connectionsPerKey)
    }

    @Test("a pool whose task is cancelled ends, with its connections") func cancelled() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            let pooling = Task {
                try await SSHConnectionPool.withPool(limits()) { pool in
                    _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                        try await $0.run("true")
                    }
                    _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) {
                        try await $0.run("touch /tmp/mark; while echo working; do sleep 0.1; done")
                    }
                }
            }
            let mark = box.temporaryDirectory.appendingPathComponent("mark")
            while (try? mark.checkResourceIsReachable()) != true { try await Task.sleep(for: .milliseconds(10)) }
            pooling.cancel()
            await #expect(throws: SSHError.self) { try await pooling.value }
            try await box.connectionsEnded()
        }
    }
}
