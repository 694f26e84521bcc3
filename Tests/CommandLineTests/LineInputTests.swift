import Foundation
import Testing

@testable import SSHCommandLine

/// Input from a pipe that another program has made non-blocking: its end is not the moment when it is empty.
@Suite struct LineInputTests {
    /// Calls `read` with the reading end of a pipe. Each byte is written when the previous one has probably been read.
    private func reading<Result: Sendable>(
        _ bytes: [UInt8], _ read: @escaping @Sendable (Int32) throws -> Result
    ) throws -> Result {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        try #require(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        defer { close(input) }
        let writer = Thread {
            for byte in bytes {
                _ = withUnsafeBytes(of: byte) { write(output, $0.baseAddress, 1) }
                sched_yield()
            }
            close(output)
        }
        writer.start()
        return try read(input)
    }

    @Test("lines of classify") func lines() throws {
        let bytes = Array(String(repeating: "a line\n", count: 200).utf8)
        let found = try reading(bytes) { descriptor in
            let input = LineInput(descriptor: descriptor)
            var count = 0
            while let more = try input.nextLines({ $0.count { $0 == 0x0A } + 1 }) { count += more }
            return count
        }
        #expect(found == 200)
    }

    @Test("a transcript") func rest() throws {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 1000)
        #expect(try reading(bytes) { try LineInput(descriptor: $0).rest() }.utf8.count == 1000)
    }
}
