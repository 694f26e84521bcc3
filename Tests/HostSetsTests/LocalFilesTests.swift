import HostSets
import SSHTestSupport
import Testing

@Suite struct LocalFilesTests {
    @Test("a pipe that another program has made non-blocking is read to its end") func nonBlocking() throws {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 1000)
        #expect(try NonBlockingPipe.reading(bytes) { try LocalFiles.read($0, "standard input") } == bytes)
    }
}
