import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Names and routes that no machine has: the executable runs in its own mount namespace, and often its own network.
@Suite("Matrix: names and routes") struct NamespaceMatrix {
    struct World: Sendable, CustomTestStringConvertible {
        let name: String
        let code: SSHError.Code
        var host = "192.0.2.1"
        var hosts = ""
        var resolver = ""
        var routes = "true"
        var status: Int32 = 193
        var testDescription: String { name }
    }

    private static let loopback = "ip link set lo up"

    static let worlds: [World] = [
        World(name: "no network", code: .connectNetworkUnreachable),
        World(
            name: "an unreachable host", code: .connectHostUnreachable,
            routes: "\(loopback) && ip route add unreachable 192.0.2.1"),
        World(
            name: "a forbidden host", code: .connectBlockedLocally, routes: "\(loopback) && ip route add prohibit 192.0.2.1"),
        World(
            name: "every address for its own reason", code: .connectFailed, host: "several",
            hosts: "127.0.0.1 several\n192.0.2.1 several\n", routes: loopback),
        World(
            name: "every address refuses", code: .connectRefused, host: "several",
            hosts: "127.0.0.1 several\n127.0.0.2 several\n::1 several\n", routes: loopback),
        World(
            name: "no name server answers", code: .resolveTemporaryFailure, host: "web1.example",
            resolver: "nameserver 127.0.0.1\noptions attempts:1 timeout:1\n", routes: loopback),
    ]

    @Test("a separate network namespace", arguments: worlds)
    func world(_ world: World) async throws {
        try await Gate.shared.pass {
            try await ScratchDirectory.with { scratch in
                let result = try await run(
                    ["--json", "--batch", "--agent", "none", "-F", "none"] + [world.host, "--", "true"], in: scratch,
                    hosts: world.hosts, resolver: world.resolver, setup: world.routes, ownNetwork: true)
                let object = try JSON(parsing: Data(result.standardOutput))
                #expect(object["error"]?["code"] == .string(world.code.rawValue), "\(result.output)")
                #expect(result.termination == .exited(world.status))
                #expect(try JSONSchema.ofReport().faults(object) == [])
            }
        }
    }

    @Test("a name whose first address refuses and whose second accepts", arguments: ["127.0.0.2 several\n", "::1 several\n"])
    func secondAddress(refusing: String) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await ScratchDirectory.with { scratch in
                let keys = box.hostKeys.map { "[several]:\(box.port) \($0.publicKey)\n" }
                let known = try scratch.write(keys.joined(), to: "known")
                let arguments = [
                    "--batch", "--agent", "none", "-F", "none", "-p", "\(box.port)", "-l", "alice", "-i", box.clientKeyFile,
                    "--known-hosts", known, "several", "--", "echo in",
                ]
                let result = try await run(
                    arguments, in: scratch, hosts: refusing + "127.0.0.1 several\n", resolver: "", setup: "true",
                    ownNetwork: false)
                #expect(result.output == "in\n", "\(result.errorOutput)")
                #expect(result.termination == .exited(0))
            }
        }
    }

    @Test("a diagnosis reports each address") func diagnosis() async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await ScratchDirectory.with { scratch in
                let keys = box.hostKeys.map { "[several]:\(box.port) \($0.publicKey)\n" }
                let arguments = [
                    "--json", "--batch", "--agent", "none", "-F", "none", "-p", "\(box.port)", "-l", "alice", "-i",
                    box.clientKeyFile, "--known-hosts", try scratch.write(keys.joined(), to: "known"), "several",
                ]
                let result = try await run(
                    arguments, as: "doctor", in: scratch, hosts: "127.0.0.1 several\n127.0.0.2 several\n::1 several\n",
                    resolver: "", setup: "true", ownNetwork: false)
                let object = try JSON(parsing: Data(result.standardOutput))
                #expect(result.termination == .exited(0), "\(result.output) \(result.errorOutput)")
                #expect(try JSONSchema.ofDiagnosis().faults(object) == [])
                let outcomes = (object["findings"]?.items ?? []).filter { $0["step"] == .string("connect") }.map { finding in
                    [finding["details"]?["address"], finding["details"]?["outcome"], finding["level"]].map { $0?.text ?? "" }
                }
                #expect(
                    Set(outcomes) == [
                        ["127.0.0.1:\(box.port)", "open", "ok"], ["127.0.0.2:\(box.port)", "refused", "notice"],
                        ["[::1]:\(box.port)", "refused", "notice"],
                    ], "\(result.output)")
            }
        }
    }

    private func run(
        _ arguments: [String], as subcommand: String = "run", in scratch: ScratchDirectory, hosts: String, resolver: String,
        setup: String, ownNetwork: Bool
    ) async throws -> ProcessResult {
        let program = try BuiltExecutable.path("bridge-ssh")
        let hostsFile = try scratch.write(hosts, to: "hosts", mode: 0o644)
        let resolverFile = try scratch.write(resolver, to: "resolv.conf", mode: 0o644)
        let script = """
            mount --bind "$1" /etc/hosts && { [ ! -e /etc/resolv.conf ] || mount --bind "$2" /etc/resolv.conf; } && \(setup) || exit 99
            program=$3
            shift 3
            exec "$program" \(subcommand) "$@"
            """
        return try await ProcessRun.run(
            "unshare",
            ["--mount"] + (ownNetwork ? ["--net"] : []) + ["bash", "-c", script, "world", hostsFile, resolverFile, program]
                + arguments,
            environment: .exactly(["PATH": "/usr/bin:/usr/sbin:/bin:/sbin", "HOME": scratch.url.path]))
    }
}
