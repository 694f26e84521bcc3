import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// `bridge-ssh fleet hosts --json`, and the schema that describes it.
@Suite("Fleet hosts as JSON") struct FleetHostsTests {
    private func json(_ words: [String], _ scratch: ScratchDirectory, status: Int32 = 0) async throws -> JSON {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["fleet", "hosts", "--json"] + words,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]))
        #expect(result.exitStatus == status, "\(result.errorOutput)")
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofHosts().faults(object) == [], "\(result.output)")
        return object
    }

    @Test("hosts, how they are reached, parts and notices")
    func whole() async throws {
        try await ScratchDirectory.with { scratch in
            let inventory = try scratch.write(
                """
                [web]
                web1 ansible_host=10.0.0.1 ansible_port=2222 ansible_user=deploy ansible_ssh_private_key_file=~/.ssh/key
                web2 ansible_ssh_common_args='-o ServerAliveInterval=5'
                web[3:4]
                """, to: "hosts")
            let object = try await json(["--inventory", inventory, "--split", "2", "--exclude", "none*", "web"], scratch)
            #expect(object["count"] == .integer(4) && object["folded"]?.text == "web[1-4]")
            #expect(object["parts"]?.items.compactMap(\.text) == ["web[1-2]", "web[3-4]"])
            #expect(object["hosts"]?.items.first?["address"]?.text == "10.0.0.1")
            #expect(object["hosts"]?.items.first?["port"] == .integer(2222))
            #expect(object["notices"]?.items.count == 1, "\(object)")
        }
    }

    @Test("a signal ends it, also while it reads a list that does not end")
    func signal() async throws {
        try await ScratchDirectory.with { scratch in
            let pipe = scratch.path("hosts")
            #expect(mkfifo(pipe, 0o600) == 0)
            let writer = Mutex<Int32>(-1)
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh-fleet"), ["hosts", "--hosts-file", pipe],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"])
            ) { process in
                // It can be opened once the program reads it.
                while writer.withLock({ $0 }) < 0 {
                    try await Task.sleep(for: .milliseconds(20))
                    writer.withLock { $0 = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
                }
                process.send(signal: SIGTERM)
            }
            close(writer.withLock { $0 })
            #expect(result.exitStatus == 143, "\(result.errorOutput)")
        }
    }

    @Test("what is wrong, with its place")
    func problem() async throws {
        try await ScratchDirectory.with { scratch in
            let syntax = try await json(["web[1-"], scratch, status: 199)
            #expect(syntax["error"]?["kind"]?.text == "syntax" && syntax["error"]?["expression"]?.text == "web[1-")
            let inventory = try scratch.write("web1\nweb2\n", to: "hosts")
            let unknown = try await json(["--inventory", inventory, "wbe1"], scratch, status: 199)
            #expect(unknown["error"]?["kind"]?.text == "unknown-host")
            #expect(unknown["error"]?["nearest"]?.items.contains(.string("web1")) == true, "\(unknown)")
        }
    }
}
