import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Input from a pipe that another program has made non-blocking: its end is not the moment when it is empty.
@Suite struct LineInputTests {
    @Test("lines of classify") func lines() throws {
        let bytes = Array(String(repeating: "a line\n", count: 200).utf8)
        let found = try NonBlockingPipe.reading(bytes) { descriptor in
            let input = LineInput(descriptor: descriptor)
            var count = 0
            while let more = try input.nextLines({ $0.count { $0 == 0x0A } + 1 }) { count += more }
            return count
        }
        #expect(found == 200)
    }

    @Test("a transcript") func rest() throws {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 1000)
        #expect(try NonBlockingPipe.reading(bytes) { try LineInput(descriptor: $0).rest() }.utf8.count == 1000)
    }
}
