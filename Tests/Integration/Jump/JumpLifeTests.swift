import SSHTestSupport
import Testing

@testable import BridgeSSH

/// Cancelling a chain, and its remains.
@Suite("The lifetime of jump hosts") struct JumpLifeTests {
    @Test("a task that is cancelled at any time") func cancelled() async throws {
        let box = try await SharedChain.shared.boxes(3)[0]
        let whole = WireRecord()
        try await FaultProxy.run(to: box.port, record: whole) { proxy in
            var chain = try await Chain.plain()
            chain.hops[0] = try await box.hop(through: proxy.port)
            #expect(try await chain.byLibrary().error == nil)
        }
        // From before the first connect to just before the running command.
        for tenth in 0..<10 {
            let record = WireRecord()
            let enough = whole.bytes(from: .server).count * tenth / 10
            try await FaultProxy.run(to: box.port, record: record) { proxy in
                var chain = try await Chain.plain()
                chain.hops[0] = try await box.hop(through: proxy.port)
                chain.command = "sleep 600"
                let run = Task { [chain] in try await chain.byLibrary().error }
                while record.bytes(from: .server).count < enough { try await Task.sleep(for: .milliseconds(1)) }
                run.cancel()
                let error = try await run.value
                #expect(error?.code == .localCancelled, "\(tenth): \(error?.message ?? "")")
            }
        }
    }

    @Test("a cancelled command leaves the chain usable") func stillUsable() async throws {
        let chain = try await Chain.plain()
        try await SSHClient.withConnection(to: chain.endpoint, configuration: chain.configuration) { connection in
            let started = Transcript()
            let run = Task {
                try await connection.execute("echo started; sleep 600") { execution in
                    for try await chunk in execution.standardOutput { chunk.withUnsafeBytes { started.append(Array($0)) } }
                }
            }
            try await started.wait(for: "started")
            run.cancel()
            await #expect(throws: SSHError.self) { try await run.value }
            #expect(try await connection.run("echo still here").standardOutputText == "still here\n")
        }
    }

    @Test("no part of a chain outlives its connection", arguments: [false, true]) func freed(isBroken: Bool) async throws {
        let box = try await SharedChain.shared.boxes(3)[0]
        try await FaultProxy.run(to: box.port) { proxy in
            var chain = try await Chain.plain()
            chain.hops[0] = try await box.hop(through: proxy.port)
            let sessions = Sessions()
            do {
                let connection = try await SSHClient.connect(to: chain.endpoint, configuration: chain.configuration)
                sessions.note(connection)
                _ = try await connection.run("true", check: true)
                if isBroken {
                    await proxy.trigger(.finish)
                    await #expect(throws: SSHError.self) { try await connection.run("true") }
                }
                await connection.close()
            }
            #expect(sessions.count == 3)
            // The event loop releases its remaining references in its next turns.
            for _ in 0..<6000 where sessions.living > 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(sessions.living == 0)
        }
    }
}

/// The sessions of a chain, without holding them.
private final class Sessions {
    private struct Weak { weak var session: Session? }
    private var all: [Weak] = []

    var count: Int { all.count }
    var living: Int { all.count { $0.session != nil } }

    func note(_ connection: SSHConnection) {
        all.append(Weak(session: connection.session))
        var path = connection.recorder.path
        while case .hop(let jumpHost) = path {
            all.append(Weak(session: jumpHost.session))
            path = jumpHost.recorder.path
        }
    }
}
