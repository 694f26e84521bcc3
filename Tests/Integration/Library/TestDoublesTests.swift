import BridgeSSH
import BridgeSSHTesting
import Foundation
import SSHTestSupport
import Testing

/// The doubles for an app's tests behave like a server.
@Suite("Doubles for tests") struct TestDoublesTests {
    // MARK: An app's code

    private func firstFailure(on server: some SSHCommandStreaming) async throws -> String? {
        try await server.execute("while echo fine; do echo web failed; done") { command in
            try await command.standardOutput.lines.first { $0.contains("failed") }
        }.value
    }

    private func product(_ terms: [String], on server: some SSHCommandStreaming) async throws -> [String] {
        try await server.execute("while read x; do echo \"<$x>\"; done") { command, input in
            var lines = command.standardOutput.lines.makeAsyncIterator()
            var answers: [String] = []
            for term in terms {
                try await input.write(term + "\n")
                answers.append(try await lines.next() ?? "nothing")
            }
            return answers
        }.checked()
    }

    private func code(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "ok"
        } catch {
            return (error as? SSHError)?.code.rawValue ?? "\(error)"
        }
    }

    /// Everything that a command's reader learns about its end.
    private func endings(on server: some SSHCommandStreaming) async throws -> [String] {
        var seen: [String] = []
        let failed = try await server.execute("echo out; echo err >&2; exit 3") { command in
            try await command.standardOutput.lines.first { _ in false } ?? "none"
        }
        seen.append("\(failed.value) \(failed.termination) \(failed.wasTerminated) \(failed.error?.code.rawValue ?? "")")
        let awaited = try await server.execute("echo out; echo err >&2; exit 3", whenBodyReturns: .wait) { command in
            try await command.standardOutput.lines.first { _ in true }
        }
        seen.append("\(awaited.value ?? "none") \(awaited.termination) \(awaited.wasTerminated)")
        let read = try await server.execute("echo out; echo err >&2; exit 3", standardError: .stream) { command in
            try await command.standardError.lines.first { _ in true }
        }
        seen.append(read.value ?? "none")
        seen.append(
            await code {
                _ = try await server.execute("echo out; echo err >&2; exit 3") { command in
                    _ = try await command.standardError.lines.first { _ in true }
                }
            })
        seen.append(
            await code {
                let output = try await server.execute("echo out; echo err >&2; exit 3") { $0.standardOutput }.value
                for try await _ in output {}
            })
        seen.append(
            await code {
                _ = try await server.execute("cat") { command, input in
                    await command.cancel(signal: "INT")
                    for try await _ in command.standardOutput {}
                    try await input.finish()
                }
            })
        seen.append(
            await code {
                _ = try await server.execute("cat", standardInput: "one\ntwo") { command in
                    seen.append("\(try await Array(command.standardOutput.lines))")
                }
            })
        return seen
    }

    private func scripted() -> ScriptedCommands {
        let server = ScriptedCommands()
        server.on("while echo fine; do echo web failed; done") { command in
            while true {
                try await command.write("fine\n")
                try await command.write("web failed\n")
            }
        }
        server.on("while read x; do echo \"<$x>\"; done") { command in
            while let line = await command.readLine() { try await command.write("<\(line)>\n") }
            return .exited(0)
        }
        server.on("echo out; echo err >&2; exit 3", answer: "out\n", exits: 3, standardError: "err\n")
        server.on("cat") { command in
            try await command.write(await command.readAll())
            return .exited(0)
        }
        return server
    }

    // MARK: Tests

    @Test("a script that is read as it arrives, and one with a dialogue") func streams() async throws {
        let server = scripted()
        for _ in 0..<20 { #expect(try await firstFailure(on: server) == "web failed") }
        #expect(try await product(["6 * 7", "", "ö"], on: server) == ["<6 * 7>", "<>", "<ö>"])
        #expect(try await server.run("cat", standardInput: "abc").standardOutputText == "abc")
        var options = SSHCommandOptions()
        options.outputLimit = 2
        await #expect { try await server.run("cat", options: options, standardInput: "abc") } throws: {
            SSHError.commandOutputLimitExceeded ~= $0
        }
        await #expect(throws: ScriptedCommands.UnexpectedCommand.self) { try await server.execute("rm -rf /") { _ in } }
        #expect(server.commands.last == "rm -rf /")
    }

    @Test("a failing script fails its readers, and an abandoned one is cancelled") func failures() async throws {
        let server = ScriptedCommands()
        server.on("tail -f log") { command in
            try await command.write("one\n")
            throw SSHError(.sessionConnectionLost, host: "web1", commandMayHaveRun: .unknown)
        }
        var lines: [String] = []
        await #expect {
            try await server.execute("tail -f log") { for try await line in $0.standardOutput.lines { lines.append(line) } }
        } throws: { SSHError.sessionConnectionLost ~= $0 }
        #expect(lines == ["one"])
        server.on("sleep 1000") { _ in
            try await Task.sleep(for: .seconds(1000))
            return .exited(0)
        }
        let waiting = Task { try await server.execute("sleep 1000") { for try await _ in $0.standardOutput {} } }
        while server.commands.last != "sleep 1000" { try await Task.sleep(for: .milliseconds(5)) }
        waiting.cancel()
        await #expect { try await waiting.value } throws: { SSHError.localCancelled ~= $0 }
        struct Mine: Error {}
        await #expect(throws: Mine.self) { try await server.execute("sleep 1000") { _ in throw Mine() } }
        let ended = try await server.execute("sleep 1000", whenBodyReturns: .terminate) { _ in }
        #expect(ended.wasTerminated && ended.error == nil)
    }

    @Test("destinations that a server connects to") func tunnels() async throws {
        let server = ScriptedCommands()
        server.on(host: "127.0.0.1", port: 6379) { stream in
            while let line = await stream.readLine() { try await stream.write(line == "PING" ? "+PONG\r\n" : "-ERR\r\n") }
            return .exited(0)
        }
        func ping(_ server: some SSHStreamOpening) async throws -> String? {
            try await server.open(to: "127.0.0.1", port: 6379) { stream in
                try await stream.outbound.write("PING\n")
                return try await stream.inbound.lines.first { _ in true }
            }
        }
        #expect(try await ping(server) == "+PONG")
        await #expect(throws: ScriptedCommands.UnexpectedCommand.self) {
            try await server.open(to: "elsewhere", port: 1) { _ in }
        }
    }

    @Test("a connection, a pool and a script have the same interface") func realCommands() async throws {
        let scripted = scripted()
        let expected = try await endings(on: scripted)
        try await SSHTestServer.run { server in
            func compare(_ server: some SSHCommandStreaming) async throws {
                let seen = try await endings(on: server)
                #expect(seen == expected)
                let (failure, answers) = (try await firstFailure(on: server), try await product(["a", "b"], on: server))
                #expect(failure == "web failed" && answers == ["<a>", "<b>"])
            }
            try await SSHClient.withConnection(to: server.endpoint, configuration: server.configuration) { try await compare($0) }
            try await SSHConnectionPool.withPool { pool in
                try await compare(pool.commands(on: server.endpoint, configuration: server.configuration))
            }
        }
    }

    // MARK: Files

    /// An app's actions on files and their results, as text.
    private func exercise(_ server: some SFTPProviding, in root: String, local: ScratchDirectory) async throws -> [String] {
        try await server.withSFTP { sftp in
            var seen: [String] = []
            func note(_ what: String, _ body: () async throws -> String) async {
                do { seen.append("\(what): \(try await body())") } catch {
                    seen.append("\(what): \((error as? SSHError)?.code.rawValue ?? "\(error)")")
                }
            }
            func made(_ what: String, _ body: () async throws -> Void) async {
                await note(what) {
                    try await body(); return "done"
                }
            }
            func text(_ path: String) async throws -> String {
                String(decoding: try await sftp.read(path), as: UTF8.self)
            }
            await made("mkdir") { try await sftp.makeDirectory(root + "/a/b", createParents: true) }
            await made("mkdir again") { try await sftp.makeDirectory(root + "/a/b") }
            await made("mkdir below nothing") { try await sftp.makeDirectory(root + "/x/y") }
            let one = try local.write("content of one", to: "one")
            await made("upload") { _ = try await sftp.upload([one], to: root + "/a/one") }
            await note("read") { try await text(root + "/a/one") }
            await note("read nothing") { try await text(root + "/a/none") }
            await note("read a directory") { try await text(root + "/a") }
            await note("size") { "\(try await sftp.attributes(of: root + "/a/one").size ?? 0)" }
            await made("link") { try await sftp.makeSymbolicLink(root + "/a/link", to: "one") }
            await note("through a link") { try await text(root + "/a/link") }
            await note("the link") { try await sftp.target(ofLink: root + "/a/link") }
            await note("its kind") { "\(try await sftp.linkAttributes(of: root + "/a/link").kind ?? .other)" }
            await made("rename") { try await sftp.rename(root + "/a/one", to: root + "/a/two") }
            await note("a dangling link") { try await text(root + "/a/link") }
            await made("rename over a directory") { try await sftp.rename(root + "/a/two", to: root + "/a/b") }
            await made("rename nothing") { try await sftp.rename(root + "/a/none", to: root + "/a/b2") }
            await note("list") {
                var names: [String] = []
                for try await entry in sftp.list(root + "/a") { names.append("\(entry.name) \(entry.attributes.kind ?? .other)") }
                return "\(names.sorted())"
            }
            await note("list nothing") {
                for try await _ in sftp.list(root + "/none") {}
                return "listed"
            }
            var attributes = SFTPAttributes()
            attributes.mode = 0o600
            await made("chmod") { try await sftp.set(attributes, of: root + "/a/two") }
            await note("mode") { String(try await sftp.attributes(of: root + "/a/two").permissions ?? 0, radix: 8) }
            await note("write and read at places") {
                try await sftp.withFile(root + "/a/places", .writing) { try await $0.write(Array("abc".utf8), at: 2) }
                return "\(try await sftp.read(root + "/a/places"))"
            }
            await made("download") { _ = try await sftp.download([root + "/a/two"], to: local.path("back")) }
            await note("what came") { try String(contentsOfFile: local.path("back"), encoding: .utf8) }
            await made("upload a tree") {
                try FileManager.default.createDirectory(
                    atPath: local.path("tree/in"), withIntermediateDirectories: true)
                try local.write("deep", to: "tree/in/deep")
                var options = SFTPCopyOptions()
                options.isRecursive = true
                _ = try await sftp.upload([local.path("tree")], to: root, options: options)
            }
            await note("deep") { try await text(root + "/tree/in/deep") }
            await made("rmdir full") { try await sftp.removeDirectory(root + "/tree") }
            await made("remove") { try await sftp.remove(root + "/tree/in/deep") }
            await made("rmdir") { try await sftp.removeDirectory(root + "/tree/in") }
            await made("remove a directory") { try await sftp.remove(root + "/tree") }
            await note("where") { try await sftp.realPath(of: root + "/./a/../a/two") == root + "/a/two" ? "there" : "elsewhere" }
            return seen
        }
    }

    @Test("files in memory behave like a server's") func files() async throws {
        try await ScratchDirectory.with { scratch in
            let memory = InMemoryFiles()
            memory["/root/x"] = []
            memory["/root/x"] = nil
            let here = try await exercise(memory, in: "/root", local: scratch)
            try await SSHDSandbox.run { box in
                let there = try await SSHClient.withConnection(
                    to: box.endpoint(), configuration: try await box.configuration()
                ) { try await exercise($0, in: "/tmp", local: scratch) }
                for (one, other) in zip(here, there) { #expect(one == other) }
                #expect(here.count == there.count)
            }
            #expect(memory.text(of: "/root/a/two") == "content of one" && memory.text(of: "/root/a/none") == nil)
            #expect(memory.paths == ["/root/a/places", "/root/a/two"])
        }
    }

    @Test("a file in memory cannot grow beyond the available memory") func longFiles() async throws {
        let files = InMemoryFiles(["/file": "hello"])
        try await files.withSFTP { sftp in
            func resize(_ size: UInt64) async throws {
                var attributes = SFTPAttributes()
                attributes.size = size
                try await sftp.set(attributes, of: "/file")
            }
            for size in [UInt64.max, UInt64(Int.max) + 1, 1 << 40] {
                await #expect(throws: SSHError.self) { try await resize(size) }
            }
            for (size, text) in [(7, "hello\0\0"), (2, "he")] as [(UInt64, String)] {
                try await resize(size)
                #expect(files.text(of: "/file") == text)
            }
        }
    }

    @Test("a path that is denied, a disk that is full, a client that is used after its end") func refusals() async throws {
        let files = InMemoryFiles(["/etc/shadow": "secret", "/etc/motd": "hello"])
        files.deny("/etc/shadow")
        let kept = try await files.withSFTP { sftp in
            await #expect { try await sftp.read("/etc/shadow") } throws: { SSHError.sftpPermissionDenied ~= $0 }
            files.isFull = true
            await #expect {
                try await sftp.withFile("/etc/motd", .writing) { try await $0.write([1], at: 0) }
            } throws: { SSHError.sftpDiskFull ~= $0 }
            return sftp
        }
        await #expect { try await kept.read("/etc/motd") } throws: { SSHError.localClosed ~= $0 }
    }
}

extension Array where Element == String {
    /// All lines.
    fileprivate init(_ lines: SSHOutputLines) async throws {
        self = []
        for try await line in lines { append(line) }
    }
}
