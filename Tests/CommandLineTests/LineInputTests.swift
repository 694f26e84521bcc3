import Glibc
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

    @Test("a command's input is repeatable if it is a regular file", arguments: [true, false]) func repeatable(isFile: Bool)
        async throws
    {
        try await ScratchDirectory.with { scratch in
            let path = isFile ? try scratch.write("x", to: "input") : scratch.path("input")
            var writer: Int32 = -1
            if !isFile {
                try #require(mkfifo(path, 0o600) == 0)
                writer = open(path, O_RDWR | O_CLOEXEC)
            }
            defer { if writer >= 0 { close(writer) } }
            let input = try OpenedInput(.file(path))
            #expect(input.isRepeatable == isFile && !input.isTerminal)
        }
    }
}
