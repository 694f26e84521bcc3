import BridgeSSH
import Synchronization
import Testing

@testable import SSHRun

@Suite("ssh's configuration for many hosts") struct HostConfigurationsTests {
    private static let files = [
        "/home/me/.ssh/config": """
        Include extra
        Host web*
          User deploy
          ProxyJump gate
        Host gate
          Port 2200
        """,
        "/home/me/.ssh/extra": """
        Host web7
          Port 77
        Host *
          ConnectTimeout 9
        """,
    ]

    /// Reads and patterns, in their order.
    private final class Reads: Sendable {
        private let all = Mutex<[String]>([])
        var paths: [String] { all.withLock { $0 } }
        func note(_ path: String) { all.withLock { $0.append(path) } }
    }

    private func environment(_ reads: Reads) -> LaunchEnvironment {
        var context = ConfigurationContext(home: "/home/me", localUser: "me", userID: 1, localHostName: "here")
        context.files = ConfigurationFiles(
            read: { path, _ in
                reads.note(path)
                return Self.files[path].map { .bytes(Array($0.utf8)) } ?? .unreadable(errno: 2)
            },
            matching: { pattern in
                reads.note(pattern)
                return [pattern]
            })
        return LaunchEnvironment(home: "/home/me", loginName: "me", canAsk: false, machine: context)
    }

    @Test("each host has its own settings, and each file is read once") func once() throws {
        let reads = Reads()
        let configurations = HostConfigurations(AccessRequest(), in: environment(reads))
        #expect(reads.paths.isEmpty)
        for number in 1...1000 {
            let settings = try configurations.settings(for: "web\(number)")
            #expect(try settings.endpoint() == Endpoint(host: "web\(number)", port: number == 7 ? 77 : 22, user: "deploy"))
            #expect(try settings.jumpHosts().map { try $0.endpoint() } == [Endpoint(host: "gate", port: 2200, user: "me")])
            #expect(settings.connectTimeout == .seconds(9))
        }
        #expect(
            reads.paths.sorted() == ["/etc/ssh/ssh_config", "/home/me/.ssh/config", "/home/me/.ssh/extra", "/home/me/.ssh/extra"])
    }

    @Test("what was asked for holds for every host, and wins") func request() throws {
        var request = AccessRequest()
        (request.user, request.port) = ("cli", 5)
        request.settings = ["ConnectTimeout=3"]
        let configurations = HostConfigurations(request, in: environment(Reads()))
        for host in ["web1", "joe@web7:99", "db"] {
            let settings = try configurations.settings(for: host)
            let endpoint = try settings.endpoint()
            #expect(endpoint.user == "cli" && endpoint.port == 5 && settings.connectTimeout == .seconds(3))
        }
        #expect(throws: UsageProblem.self) { try configurations.settings(for: "web1\n") }
        #expect(throws: UsageProblem.self) { try configurations.settings(for: "-x") }
        request.configuration = .file("/nowhere")
        #expect(throws: UsageProblem.self) {
            try HostConfigurations(request, in: environment(Reads())).settings(for: "web1")
        }
    }
}
