import Foundation
import SSHTestSupport

/// A sandbox where each host of a fleet has its own user, and so its own home directory.
extension FleetFixture {
    static let transferHosts = 5

    /// `h1` to `h5` lead to users of their own, `closed1` to a port without a listener.
    static func withHomes(_ body: (inout FleetFixture) async throws -> Void) async throws {
        var options = FleetFixture.options
        options.users += (1...transferHosts).map(user)
        try await with(options) { fixture in
            for number in 1...transferHosts { fixture.add("h\(number)", user: user(number)) }
            fixture.add("closed1", port: 1)
            try await body(&fixture)
        }
    }

    private static func user(_ number: Int) -> SandboxUser {
        SandboxUser(name: "u\(number)", id: 3000 + UInt32(number), password: "pw-\(number)")
    }

    /// Another name for a host, which is reached through a proxy.
    mutating func add(_ name: String, of number: Int, through proxy: FaultProxy) async throws {
        add(
            name, port: proxy.port, user: Self.user(number),
            ["UserKnownHostsFile \(try await box.knownHosts(port: proxy.port))"])
    }

    /// A path in the home directory of a host.
    func home(_ number: Int, _ path: String = "") -> URL { box.url(of: "/home/u\(number)").appendingPathComponent(path) }

    /// Puts a file into the home directory of a host.
    func put(_ text: String, _ path: String, at number: Int) throws {
        let url = home(number, path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Waits until a partial copy is in a directory.
    static func waitForPartial(in directory: URL) async throws {
        while try partials(in: directory).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    }

    static func partials(in directory: URL) throws -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        return (names ?? []).filter { $0.hasSuffix(".bridge-partial") }
    }
}

extension URL {
    /// The content of a text file; nil if there is none.
    var text: String? { (try? Data(contentsOf: self)).map { String(decoding: $0, as: UTF8.self) } }
}
