import Foundation
import HostSets
import Testing

@Suite struct LocalFilesTests {
    @Test("a pipe that another program has made non-blocking is read to its end") func nonBlocking() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        try #require(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        defer { close(input) }
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 1000)
        let writer = Thread {
            for byte in bytes {
                _ = withUnsafeBytes(of: byte) { write(output, $0.baseAddress, 1) }
                sched_yield()
            }
            close(output)
        }
        writer.start()
        #expect(try LocalFiles.read(input, "standard input") == bytes)
    }
}
