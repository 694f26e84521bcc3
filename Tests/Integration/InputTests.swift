import BridgeSSH
import Crypto
import SSHTestSupport
import Synchronization
import Testing

/// A command's input, piece by piece.
@Suite struct InputTests {
    /// Small pieces are joined, and large ones are not. All arrive in order, also if keys are renewed in between.
    @Test("pieces of any size arrive in order") func piecesOfAnySizeArriveInOrder() async throws {
        var generator = SeededGenerator(seed: 94)
        let pieces = (0..<600).map { _ in
            let count = [0, 1, 100, 4096, 16384, 16385, 40000].randomElement(using: &generator) ?? 1
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
        var options = SSHDSandbox.Options()
        options.rekeyLimit = "1M"
        try await SSHDSandbox.run(options) { box in
            try await box.connected { connection in
                let rest = Mutex(pieces[...])
                let input = SSHStandardInput.pieces { rest.withLock { $0.popFirst() } }
                let result = try await connection.run("cat", standardInput: input)
                #expect(SHA256.hash(data: result.standardOutput) == SHA256.hash(data: pieces.flatMap { $0 }))
            }
        }
    }

    /// A command that ends without reading everything is over, even if its input still waits.
    @Test(
        "a source that waits does not delay the end of the command",
        arguments: ["true", "head -c 1", "exec 0<&-; echo x; exit 0"])
    func aSourceThatWaitsHoldsNothingUp(_ command: String)
        async throws
    {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let isFirst = Mutex(true)
                let input = SSHStandardInput.pieces {
                    let first = isFirst.withLock { isFirst in
                        defer { isFirst = false }
                        return isFirst
                    }
                    if !first { try await Task.sleep(for: .seconds(3600)) }
                    return [UInt8](repeating: 0, count: 1 << 20)
                }
                let result = try await connection.run(command, standardInput: input)
                #expect(result.termination == .exited(0))
                #expect(try await connection.run("echo still here").standardOutputText == "still here\n")
            }
        }
    }
}
