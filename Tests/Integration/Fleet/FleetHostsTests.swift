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

    @Test("@ssh reads the configuration that -F names")
    func configured() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("Host one two\n  Tag red\nHost three\n", to: "config")
            #expect(try await json(["-F", file, "@ssh"], scratch)["count"] == .integer(3))
            #expect(try await json(["-F", file, "@ssh:red"], scratch)["folded"]?.text == "one,two")
        }
    }

    @Test("a signal ends it, even while it reads an endless list")
    func signal() async throws {
        try await ScratchDirectory.with { scratch in
            let pipe = scratch.path("hosts")
            #expect(mkfifo(pipe, 0o600) == 0)
            let writer = Mutex<Int32>(-1)
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh-fleet"), ["hosts", "--hosts-file", pipe],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"])
            ) { process in
                // The pipe can be opened as soon as the program reads it.
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

    @Test("--no-inventory-commands runs no program, refuses options that start one, and accepts others")
    func noCommands() async throws {
        try await ScratchDirectory.with { scratch in
            let ran = scratch.path("ran")
            try FileManager.default.createDirectory(atPath: scratch.path("programs"), withIntermediateDirectories: false)
            let program = try scratch.write(
                "#!/bin/sh\necho ran >> \(ran); echo '{\"web\": [\"h1\"]}'\n", to: "programs/program", mode: 0o700)
            let groups = try scratch.write(
                "[Main]\ndefault: u\n[u]\nmap: echo ran >> \(ran); echo h1\nlist: echo web\n", to: "groups.conf")
            let options = [
                "-o ProxyCommand='touch \(ran)'", "-oproxycommand='touch \(ran)'", "-o 'ProxyCommand touch \(ran)'",
                "-o ' LocalCommand=touch \(ran)' -o PermitLocalCommand=yes", "-o KnownHostsCommand='/bin/touch \(ran)'",
                "-o 'Match exec touch'", "-o Include=/x", "-o PKCS11Provider=/x.so", "-o SecurityKeyProvider=/x.so",
                "-o '\"ProxyCommand\" touch'", "-o ProxyUseFdpass=yes", "-o XAuthLocation=/x", "-o SmartcardDevice=/x.so",
            ]
            var sources = [
                ["--inventory", program, "web"], ["--groups", groups, "@web"], ["--inventory", scratch.path("programs"), "web"],
            ]
            for (index, option) in options.enumerated() {
                let escaped = option.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                sources.append([
                    "--inventory",
                    try scratch.write("[web]\nh1 ansible_ssh_common_args=\"\(escaped)\"\n", to: "inventory\(index).ini"), "web",
                ])
            }
            let environment = ProcessEnvironment.exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"])
            for source in sources {
                let result = try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh-fleet"),
                    ["check", "-F", "none", "--no-inventory-commands", "--journal", "none"] + source, environment: environment)
                let text = result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(result.exitStatus == 199 && text.contains("--no-inventory-commands"), "\(source): \(result.errorOutput)")
                #expect(!FileManager.default.fileExists(atPath: ran), "\(source)")
            }
            let harmless = try scratch.write(
                "[web]\nh1 ansible_host=127.0.0.1 ansible_port=1 ansible_ssh_common_args='-o ConnectTimeout=3 -oCompression=yes -l u'\n",
                to: "harmless.ini")
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh-fleet"),
                [
                    "check", "-F", "none", "--agent", "none", "--no-inventory-commands", "--journal", "none", "--inventory",
                    harmless, "web",
                ],
                environment: environment)
            #expect(result.errorOutput.contains("[ssh.connect.refused]"), "\(result.errorOutput)")
        }
    }

    @Test("a signal ends a program that prints an inventory, with its children", .timeLimit(.minutes(1)))
    func programs() async throws {
        try await ScratchDirectory.with { scratch in
            let list = scratch.path("children")
            let program = try scratch.write(
                "#!/bin/sh\n(sleep 1000 & echo $! >> \(list))\nsleep 1000 & echo $! $$ >> \(list)\ntouch \(list).done\nwait\n",
                to: "program", mode: 0o700)
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh-fleet"), ["hosts", "--inventory", program, "web"],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"])
            ) { process in
                while !FileManager.default.fileExists(atPath: list + ".done") { try await Task.sleep(for: .milliseconds(10)) }
                process.send(signal: SIGTERM)
            }
            #expect(result.exitStatus == 143, "\(result.errorOutput)")
            let numbers = try String(contentsOfFile: list, encoding: .utf8).split(whereSeparator: \.isWhitespace)
            #expect(numbers.count == 3)
            for number in numbers {
                while let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8), !state.contains(") Z ") {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }
    }

    @Test("errors are reported with their position")
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
