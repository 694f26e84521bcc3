import BridgeSSH
import Glibc
import SSHTestSupport
import Testing

/// `doctor` with an address that does not answer.
@Suite("Doctor and an address that does not answer") struct DoctorTimeoutTests {
    /// A port of 127.0.0.1 whose queue of connections is full, so that the kernel drops every further request to connect.
    private static func withFullQueue(_ body: (Int) async throws -> Void) async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain -> Int in
                guard bind(listener, plain, size) == 0, listen(listener, 0) == 0, getsockname(listener, plain, &size) == 0 else {
                    return 0
                }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
        try #require(port > 0)
        var descriptors = [listener]
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<4 {
            let waiting = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            descriptors.append(waiting)
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in _ = connect(waiting, plain, size) }
            }
        }
        try await body(port)
    }

    @Test("it is waited for once, and the failure is stated once") func once() async throws {
        try await Self.withFullQueue { port in
            var configuration = SSHConnectionConfiguration()
            configuration.timeouts.connect = .milliseconds(750)
            let diagnosis = try await SSHClient.diagnose(
                SSHEndpoint(host: "127.0.0.1", port: port, user: "alice"), configuration: configuration)
            #expect(diagnosis.error?.code == .connectTimedOut)
            let found = diagnosis.findings(about: .connect)
            #expect(found.count == 1 && found.first?.level == .failed)
            // A second attempt would have been measured.
            #expect(found.first?.durationSeconds == 0.75)
            #expect(diagnosis.findings(about: .algorithms).map(\.level) == [.notReached])
        }
    }
}
