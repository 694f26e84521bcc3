import BridgeSSH
import Crypto
import Foundation
import SSHTestSupport
import Testing

/// Large and slow streams, many at once, on a real sshd.
@Suite struct StreamTests {
    /// The bytes of `yes TEXT | head -c COUNT`, hashed.
    private func hash(of text: String, count: Int) -> SHA256.Digest {
        let line = Array((text + "\n").utf8)
        var block: [UInt8] = []
        while block.count < 1 << 20 { block += line }
        var hash = SHA256()
        var rest = count
        while rest > 0 {
            let whole = block.count / line.count * line.count
            hash.update(data: block[..<min(rest, whole)])
            rest -= min(rest, whole)
        }
        return hash.finalize()
    }

    @Test("two hundred mebibytes on both streams at once") func twoHundredMebibytesOnBothStreamsAtOnce() async throws {
        let count = 200 << 20
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let command = "yes out | head -c \(count) & yes err | head -c \(count) >&2; wait"
                let outcome = try await connection.execute(command, standardError: .stream) { execution in
                    async let output = Self.digest(execution.standardOutput)
                    async let errors = Self.digest(execution.standardError)
                    return try await (output, errors)
                }
                let (output, errors) = try outcome.checked()
                #expect(output == hash(of: "out", count: count))
                #expect(errors == hash(of: "err", count: count))
            }
        }
    }

    private static func digest(_ stream: SSHOutput) async throws -> SHA256.Digest {
        var hash = SHA256()
        for try await chunk in stream { chunk.withUnsafeBytes { hash.update(bufferPointer: $0) } }
        return hash.finalize()
    }

    @Test("eight mebibytes through cat") func eightMebibytesThroughCat() async throws {
        let bytes = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let result = try await connection.run("cat", standardInput: .bytes(bytes))
                #expect(SHA256.hash(data: result.standardOutput) == SHA256.hash(data: bytes))
            }
        }
    }

    @Test("keys are renewed during transfers both ways") func keysAreRenewedDuringTransfersBothWays() async throws {
        var options = SSHDSandbox.Options()
        options.rekeyLimit = "1M"
        let bytes = (0..<12 << 20).map { UInt8(truncatingIfNeeded: $0 &* 40_503 >> 7) }
        try await SSHDSandbox.run(options) { box in
            try await box.connected { connection in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            let result = try await connection.run("cat", standardInput: .bytes(bytes))
                            #expect(result.standardOutput.count == bytes.count)
                            #expect(SHA256.hash(data: result.standardOutput) == SHA256.hash(data: bytes))
                        }
                        group.addTask {
                            let count = 24 << 20
                            let outcome = try await connection.execute("yes err | head -c \(count) >&2", standardError: .stream) {
                                try await Self.digest($0.standardError)
                            }
                            #expect(try outcome.checked() == hash(of: "err", count: count))
                        }
                    }
                    group.addTask {
                        for number in 0..<100 {
                            let result = try await connection.run("echo \(number)")
                            #expect(result.standardOutput == Array("\(number)\n".utf8))
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("a hundred channels at once") func aHundredChannelsAtOnce() async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options("MaxSessions 200")) { box in
            try await box.connected { connection in
                try await withThrowingTaskGroup(of: (Int, SSHCommandResult).self) { group in
                    for number in 0..<100 {
                        group.addTask { (number, try await connection.run("echo \(number); exit \(number)")) }
                    }
                    for try await (number, result) in group {
                        #expect(result.standardOutput == Array("\(number)\n".utf8))
                        #expect(result.termination == .exited(number))
                    }
                }
            }
        }
    }

    @Test("a stalled reader stalls the server and loses nothing") func aStalledReaderStallsTheServerAndLosesNothing() async throws
    {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                // The command records its progress: without back-pressure the server would finish at once.
                let command = "for i in $(seq 64); do head -c 1048576 /dev/zero; echo $i >/tmp/progress; done"
                let progress = box.temporaryDirectory.appendingPathComponent("progress")
                func seen() -> Int {
                    let text = try? String(contentsOf: progress, encoding: .utf8)
                    return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
                }
                let outcome = try await connection.execute(command) { execution in
                    var chunks = execution.standardOutput.makeAsyncIterator()
                    var count = try await chunks.next()?.count ?? 0
                    // It continues until every window (of at most 32 MiB) and buffer on the route is full, and no further.
                    var last = -1
                    while seen() == 0 || seen() != last {
                        last = seen()
                        for _ in 0..<20 { _ = try await connection.run("true") }
                    }
                    #expect(last < 64)
                    while let chunk = try await chunks.next() { count += chunk.count }
                    return count
                }
                #expect(try outcome.checked() == 64 << 20)
            }
        }
    }
}

extension StreamTests {
    /// Counted in a separate process, where nothing else runs.
    @Test("a thousand commands leave nothing behind") func aThousandCommandsLeaveNothingBehind() async throws {
        let alone = "STREAM_TESTS_ALONE"
        guard ProcessInfo.processInfo.environment[alone] == nil else { return try await countFootprint() }
        let filter = ["--testing-library", "swift-testing", "--filter", "aThousandCommandsLeaveNothingBehind"]
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).path
        let result = try await ProcessRun.run(tests, filter, environment: .inherited([alone: "1"]), limit: .seconds(600))
        #expect(result.termination == .exited(0), "\(result.output)\(result.errorOutput)")
        #expect(result.output.contains("footprint: "))
    }

    private func countFootprint() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                for _ in 0..<100 { try await connection.run("echo x", check: true) }
                let before = Footprint()
                for _ in 0..<1000 { try await connection.run("echo x", check: true) }
                let after = Footprint()
                print("footprint: \(before) \(after)")
                #expect(await connection.openChannels() == 0)
                #expect(after.descriptors <= before.descriptors)
                // The memory that malloc keeps varies; a leak of one packet for each command would be more than twice this.
                #expect(after.residentKibibytes - before.residentKibibytes < 8192)
            }
        }
    }
}

/// The memory of this process.
struct Footprint {
    let residentKibibytes: Int
    let descriptors: Int

    init() {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        residentKibibytes = Int(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? 0
    }
}
