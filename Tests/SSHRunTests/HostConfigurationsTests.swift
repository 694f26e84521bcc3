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

    /// The recorded reads and patterns, in their order.
    private final class Reads: Sendable {
        private let all = Mutex<[String]>([])
        var paths: [String] { all.withLock { $0 } }
        func note(_ path: String) { all.withLock { $0.append(path) } }
    }

    private func environment(_ reads: Reads, files: [String: String] = Self.files) -> LaunchEnvironment {
        var context = SSHConfigContext(home: "/home/me", localUser: "me", userID: 1, localHostName: "here")
        context.files = SSHConfigFiles(
            read: { path, _ in
                reads.note(path)
                return files[path].map { .bytes(Array($0.utf8)) } ?? .unreadable(errno: 2)
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
            #expect(try settings.endpoint() == SSHEndpoint(host: "web\(number)", port: number == 7 ? 77 : 22, user: "deploy"))
            #expect(try settings.jumpHosts().map { try $0.endpoint() } == [SSHEndpoint(host: "gate", port: 2200, user: "me")])
            #expect(settings.connectTimeout == .seconds(9))
        }
        #expect(
            reads.paths.sorted() == ["/etc/ssh/ssh_config", "/home/me/.ssh/config", "/home/me/.ssh/extra", "/home/me/.ssh/extra"])
    }

    @Test("sections with patterns apply to each host in order, as for a single host")
    func patterns() throws {
        let files = [
            "/home/me/.ssh/config": """
            Host a* !ab*
              Port 1001
            Host *c b?
              Port 1002
              User two
            Host !a1 *
              ConnectTimeout 3
            Match user two
              ConnectTimeout 4
            Host abc
              Port 1003
            Host z* "a1"
              ConnectTimeout 5
            Host *
              Port 1004
              ConnectTimeout 6
            """
        ]
        let many = HostConfigurations(AccessRequest(), in: environment(Reads(), files: files))
        var ports: Set<Int> = []
        for name in ["a1", "ab1", "abc", "b1", "b12", "xc", "z1", "a", "ac", "q"] {
            let one = HostConfigurations(AccessRequest(), in: environment(Reads(), files: files))
            // The first host that is read examines every line.
            let (expected, found) = (try one.settings(for: name), try many.settings(for: name))
            #expect(try found.endpoint() == expected.endpoint(), "\(name)")
            #expect(found.connectTimeout == expected.connectTimeout, "\(name)")
            ports.insert(try found.endpoint().port)
        }
        #expect(ports == [1001, 1002, 1004])
    }

    @Test("options apply to every host, and win") func request() throws {
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

    /// A host's settings when the files are read for many hosts, and when they are read for this host alone.
    private func compare(_ config: String, _ hosts: [String], with extra: String = "") {
        let environment = environment(Reads(), files: ["/home/me/.ssh/config": config, "/home/me/.ssh/extra": extra])
        let shared = HostConfigurations(AccessRequest(), in: environment)
        for host in hosts {
            let alone = HostConfigurations(AccessRequest(), in: environment)
            #expect(text(shared, host) == text(alone, host), "\(host)")
        }
    }

    private func text(_ configurations: HostConfigurations, _ host: String) -> String {
        do {
            let settings = try configurations.settings(for: host).resolved
            let keys = ["user", "port", "hostname", "connecttimeout", "sendenv", "identityfile", "proxyjump", "loglevel"]
            return keys.map { "\($0)=\(settings.value($0) ?? "-")" }.joined(separator: " ")
        } catch let problem as UsageProblem {
            return problem.verdict.message
        } catch {
            return "\(error)"
        }
    }

    @Test("skipped sections do not change a host's settings") func leavingOut() {
        compare(
            """
            ConnectTimeout 4
            Host a b
              User first
              SendEnv A
            Host b
              Port 2
              SendEnv B
            Host !a *
              SendEnv NOT_A
            Match originalhost c exec "false"
              Port 3
            Host c
              Include extra
              User third
            Match user first
              LogLevel DEBUG
            Host c a
              HostName %h.lan
            Host d
              IgnoreUnknown Strange
              Strange yes
              User fourth
            Host *
              User last
            """, ["a", "b", "c", "d", "e", "a", "c", "b", "A", "e"],
            with: """
                Port 30
                Host a
                  Port 31
                """)
        // A skipped last section does not affect the file that includes it.
        compare(
            "Include extra\nUser outside\nHost z\n  Port 9", ["x", "y", "z", "x"], with: "Host y\n  User inside\nHost w\n  Port 1"
        )
    }

    @Test(
        "a wrong line is refused for every host, at any position",
        arguments: ["Port none", "StrictKeyChecking x", "User \"open", "Host"])
    func wrongLine(line: String) {
        compare("Host a\n  User x\nHost b\n  \(line)\nHost c\n  Port 3", ["a", "c", "b", "a"])
    }
}
