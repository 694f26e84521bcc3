import BridgeSSH
import Crypto
import Foundation
import SSHTestSupport
import Testing

/// Large streams and many commands through three servers.
@Suite("Jump hosts: streams") struct JumpStreamTests {
    private static let bytes = (0..<20 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }

    /// Three separate servers, each with these options.
    private func withChain(
        _ options: SSHDSandbox.Options, _ body: (Chain, [SSHDSandbox]) async throws -> Void
    ) async throws {
        try await SSHDSandbox.run(options) { first in
            try await SSHDSandbox.run(options) { second in
                try await SSHDSandbox.run(options) { third in
                    let boxes = [first, second, third]
                    var hops: [Chain.Hop] = []
                    for box in boxes { hops.append(try await box.hop()) }
                    try await body(Chain(hops: hops), boxes)
                }
            }
        }
    }

    private func transfers(_ chain: Chain) async throws {
        let expected = SHA256.hash(data: Self.bytes)
        try await SSHClient.withConnection(to: chain.endpoint, configuration: chain.configuration) { connection in
            let result = try await connection.run("tee /tmp/copy; sha256sum </tmp/copy >&2", standardInput: .bytes(Self.bytes))
            #expect(SHA256.hash(data: result.standardOutput) == expected)
            let digest = expected.map { String(format: "%02x", $0) }.joined()
            #expect(String(decoding: result.standardError, as: UTF8.self).hasPrefix(digest))
        }
    }

    @Test("20 MiB both ways") func bothWays() async throws {
        try await transfers(try await Chain.plain())
    }

    @Test("20 MiB both ways while every hop renews its keys") func rekeying() async throws {
        var options = SSHDSandbox.Options()
        options.rekeyLimit = "1M"
        try await withChain(options) { chain, _ in try await transfers(chain) }
    }

    @Test("20 commands at once") func manyCommands() async throws {
        let chain = try await Chain.plain()
        try await SSHClient.withConnection(to: chain.endpoint, configuration: chain.configuration) { connection in
            try await withThrowingTaskGroup(of: (Int, SSHCommandResult).self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let input = [UInt8](repeating: UInt8(number), count: 100_000)
                        return (number, try await connection.run("cat; exit \(number)", standardInput: .bytes(input)))
                    }
                }
                for try await (number, result) in group {
                    #expect(result.standardOutput == [UInt8](repeating: UInt8(number), count: 100_000))
                    #expect(result.termination == .exited(number))
                }
            }
        }
    }

    @Test("a stalled reader slows the far server down, and no data is lost") func stalledReader() async throws {
        try await withChain(SSHDSandbox.Options()) { chain, boxes in
            let progress = boxes[2].temporaryDirectory.appendingPathComponent("progress")
            func seen() -> Int {
                let text = try? String(contentsOf: progress, encoding: .utf8)
                return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
            }
            try await SSHClient.withConnection(to: chain.endpoint, configuration: chain.configuration) { connection in
                let command = "for i in $(seq 128); do head -c 1048576 /dev/zero; echo $i >/tmp/progress; done"
                let outcome = try await connection.execute(command) { execution in
                    // It continues until every window and buffer on the route is full, and no further.
                    var last = -1
                    while seen() == 0 || seen() != last {
                        last = seen()
                        for _ in 0..<20 { _ = try await connection.run("true") }
                    }
                    #expect(last < 100)
                    var count = 0
                    for try await chunk in execution.standardOutput { count += chunk.count }
                    return count
                }
                #expect(try outcome.checked() == 128 << 20)
            }
        }
    }

    @Test("the chain is closed from its far end, with a disconnect message at every hop") func goodbyes() async throws {
        try await withChain(SSHDSandbox.Options()) { chain, boxes in
            try await SSHClient.withConnection(to: chain.endpoint, configuration: chain.configuration) {
                _ = try await $0.run("true", check: true)
            }
            for box in boxes { try await box.log.wait(for: ":11: disconnected by user") }
        }
    }

    @Test("keepalives give up the silent hop only", arguments: 1...3) func keepalive(hop: Int) async throws {
        let box = try await SharedChain.shared.boxes(3)[hop - 1]
        try await FaultProxy.run(to: box.port) { proxy in
            var chain = try await Chain.plain()
            chain.hops[hop - 1] = try await box.hop(through: proxy.port)
            var configuration = chain.configuration
            // Long enough for a working hop to answer, even on a busy machine.
            configuration.keepalive = SSHKeepaliveOptions(interval: .seconds(2), countMax: 4)
            for index in configuration.jumpHosts.indices {
                configuration.jumpHosts[index].configuration.keepalive = SSHKeepaliveOptions(interval: .seconds(2), countMax: 4)
            }
            let error = await #expect(throws: SSHError.self) {
                try await SSHClient.withConnection(to: chain.endpoint, configuration: configuration) { connection in
                    try await connection.execute("echo running; sleep 600") { execution in
                        for try await _ in execution.standardOutput { await proxy.trigger(.stall) }
                    }
                }
            }
            #expect(error?.code == .sessionKeepaliveTimedOut)
            #expect(error?.evidence.hop?.number == hop, "\(error?.message ?? "")")
        }
    }
}
