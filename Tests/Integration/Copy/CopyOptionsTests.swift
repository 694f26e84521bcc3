import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The features of `copy` beyond a plain copy, with the executable.
@Suite("The copy command's options")
struct CopyOptionsTests {
    private func names(_ url: URL) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    @Test("wildcards of the server's side are expanded, as a shell would")
    func wildcards() async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("wild")
        for name in ["f1", "f2", "g1", ".f3", "odd[1]", "odd1", "new\nline"] {
            try Data(name.utf8).write(to: folder.appendingPathComponent(name))
        }
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
        try Data("s".utf8).write(to: folder.appendingPathComponent("sub/f9"))
        let wanted: [(String, [String])] = [
            ("wild/f*", ["f1", "f2"]), ("wild/[!f]1", ["g1"]), ("wild/odd[1]", ["odd[1]"]), ("wi*/s?b/f*", ["f9"]),
            ("wild/.f*", [".f3"]), ("wild/new*", ["new\nline"]), ("/home/alice/wild/*1", ["f1", "g1", "odd1"]),
        ]
        for (pattern, expected) in wanted {
            try await ScratchDirectory.with { scratch in
                try FileManager.default.createDirectory(atPath: scratch.path("to"), withIntermediateDirectories: false)
                let result = try await box.copy(["127.0.0.1:\(pattern)", "to/"], home: scratch)
                #expect(result.exitStatus == 0, "\(pattern): \(result.errorOutput)")
                #expect(try names(scratch.url.appendingPathComponent("to")) == expected, "\(pattern)")
            }
        }
        try await ScratchDirectory.with { scratch in
            let result = try await box.copy(["127.0.0.1:wild/x*", "127.0.0.1:wild/f1", "."], home: scratch)
            #expect(result.exitStatus == 1 && result.words.contains("Cannot find wild/x* on 127.0.0.1"), "\(result.words)")
            #expect(try names(scratch.url) == ["f1"])
        }
    }

    @Test("a directory that its owner may not enter gets its mode after all that is in it") func closedDirectory() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let inner = scratch.path("closed/inner")
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
            try scratch.write("1", to: "closed/inner/file")
            #expect(chmod(inner, 0o750) == 0 && chmod(scratch.path("closed"), 0o600) == 0)
            let result = try await box.copy(["-rp", "closed", "127.0.0.1:/tmp/closed"], home: scratch)
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            for (path, mode) in [("/tmp/closed", 0o600), ("/tmp/closed/inner", 0o750)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: box.url(of: path).path)
                #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
            }
        }
    }

    @Test("from one host to another, a file and a tree")
    func relay() async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("relay/tree/deep")
        try CopyTests.bytes(1_000_000).write(to: folder.appendingPathComponent("large"))
        try Data("small".utf8).write(to: folder.appendingPathComponent("small"))
        let tree = folder.deletingLastPathComponent().path
        try FileManager.default.createSymbolicLink(atPath: tree + "/link", withDestinationPath: "deep/small")
        try FileManager.default.createSymbolicLink(atPath: tree + "/out", withDestinationPath: "/etc/passwd")
        try await ScratchDirectory.with { scratch in
            let file = try await box.copy(
                ["--checksum", "127.0.0.1:relay/tree/deep/l*", "127.0.0.1:/tmp/relayed"], home: scratch)
            #expect(file.exitStatus == 0 && file.errorOutput.isEmpty, "\(file.errorOutput)")
            #expect(try Data(contentsOf: box.url(of: "/tmp/relayed")) == CopyTests.bytes(1_000_000))
            let all = try await box.copy(["-rp", "--json", "127.0.0.1:relay/tree", "127.0.0.1:/tmp/relay-tree"], home: scratch)
            let json = try JSON(parsing: Data(all.standardOutput))
            #expect(try JSONSchema.ofCopy().faults(json) == [])
            #expect(json["direction"]?.text == "relay" && json["sourceHost"]?.text == "127.0.0.1")
            #expect(json["files"]?.double == 2 && json["symbolicLinks"]?.double == 1 && json["leftOut"]?.double == 1)
            #expect(all.exitStatus == 1)
            let copy = box.url(of: "/tmp/relay-tree")
            #expect(try names(copy) == ["deep", "link"])
            #expect(try Data(contentsOf: copy.appendingPathComponent("deep/large")) == CopyTests.bytes(1_000_000))
        }
    }

    @Test("a directory copied into itself does not copy its copy") func intoItself() async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("self")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        try Data("f".utf8).write(to: try box.folder("self/sub").appendingPathComponent("f"))
        try await ScratchDirectory.with { scratch in
            for again in [false, true] {
                let result = try await box.copy(["-r", "127.0.0.1:self", "127.0.0.1:self"], home: scratch)
                #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
                #expect(try names(folder) == ["self", "sub"])
                #expect(try names(folder.appendingPathComponent("self")) == (again ? ["self", "sub"] : ["sub"]))
            }
        }
    }

    @Test("after a lost connection the copy reconnects and continues", arguments: [true, false])
    func retries(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("retries-\(isUpload)")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let content = CopyTests.bytes(40_000_000)
        try await ScratchDirectory.with { scratch in
            let source = isUpload ? scratch.url : folder
            try content.write(to: source.appendingPathComponent("large"))
            try Data("first".utf8).write(to: source.appendingPathComponent("a"))
            let there = "127.0.0.1:retries-\(isUpload)/"
            let places = isUpload ? ["a", "large", there + "to/"] : [there + "a", there + "large", "to/"]
            let fault = FaultProxy.Fault(.reset, after: 25_000_000, from: isUpload ? .client : .server)
            try await FaultProxy.run(to: box.port, fault: fault) { proxy in
                let result = try await box.copy(
                    ["--json", "--retries", "3", "--mkpath"] + places, home: scratch, through: proxy.port)
                let json = try JSON(parsing: Data(result.standardOutput))
                #expect(try JSONSchema.ofCopy().faults(json) == [])
                #expect(result.exitStatus == 0, "\(result.output)")
                #expect(json["attempts"]?.double == 2 && json["files"]?.double == 2)
                #expect((json["resumedBytes"]?.double ?? 0) > 10_000_000)
            }
            let target = (isUpload ? folder : scratch.url).appendingPathComponent("to")
            #expect(try names(target) == ["a", "large"])
            #expect(try Data(contentsOf: target.appendingPathComponent("large")) == content)
        }
    }

    @Test("a directory gets its new name, even if an earlier attempt has created it", arguments: [true, false])
    func retriedDirectory(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("retried-\(isUpload)")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let content = CopyTests.bytes(20_000_000)
        try await ScratchDirectory.with { scratch in
            let source = (isUpload ? scratch.url : folder).appendingPathComponent("tree")
            try FileManager.default.createDirectory(at: source, withIntermediateDirectories: false)
            for name in ["one", "two"] { try content.write(to: source.appendingPathComponent(name)) }
            let there = "127.0.0.1:retried-\(isUpload)/"
            let places = isUpload ? ["tree", there + "new"] : [there + "tree", "new"]
            let fault = FaultProxy.Fault(.reset, after: 25_000_000, from: isUpload ? .client : .server)
            try await FaultProxy.run(to: box.port, fault: fault) { proxy in
                let result = try await box.copy(["-r", "--json", "--retries", "5"] + places, home: scratch, through: proxy.port)
                let json = try JSON(parsing: Data(result.standardOutput))
                #expect(result.exitStatus == 0 && (json["attempts"]?.double ?? 0) > 1, "\(result.output)")
            }
            let target = (isUpload ? folder : scratch.url).appendingPathComponent("new")
            #expect(try names(target) == ["one", "two"])
            for name in ["one", "two"] { #expect(try Data(contentsOf: target.appendingPathComponent(name)) == content) }
        }
    }

    @Test("--sparse leaves holes, both ways, and the content is the same", arguments: [true, false])
    func sparse(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("sparse-\(isUpload)")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        try await ScratchDirectory.with { scratch in
            let (source, target) = isUpload ? (scratch.url, folder) : (folder, scratch.url)
            // Zeros at the beginning, in the middle and at the end.
            let content =
                Data(count: 5_000_000) + CopyTests.bytes(1_000_000) + Data(count: 9_000_000) + Data([1]) + Data(count: 3_000_000)
            try content.write(to: source.appendingPathComponent("image"))
            let there = "127.0.0.1:sparse-\(isUpload)/"
            let places = isUpload ? ["image", there + "copy"] : [there + "image", "copy"]
            let result = try await box.copy(["--sparse"] + places, home: scratch)
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            let copy = target.appendingPathComponent("copy")
            #expect(try Data(contentsOf: copy) == content)
            #expect(try FileFacts(copy).allocated < 6_000_000)
        }
    }

    @Test("--mkpath creates missing directories, for a file and for a target directory, both ways")
    func mkpath() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try scratch.write("1", to: "one")
            try scratch.write("2", to: "two")
            for places in [
                ["one", "127.0.0.1:/tmp/mk/a/b/file"], ["one", "two", "127.0.0.1:/tmp/mk/c/d"], ["one", "127.0.0.1:/tmp/mk/e/"],
                ["127.0.0.1:/tmp/mk/a/b/file", "x/y/file"], ["127.0.0.1:/tmp/mk/c/d/one", "z/z/"],
            ] {
                let result = try await box.copy(["--mkpath"] + places, home: scratch)
                #expect(result.exitStatus == 0, "\(places): \(result.errorOutput)")
            }
            for path in ["/tmp/mk/a/b/file", "/tmp/mk/c/d/two", "/tmp/mk/e/one"] {
                #expect(FileManager.default.fileExists(atPath: box.url(of: path).path), "\(path)")
            }
            for path in ["x/y/file", "z/z/one"] { #expect(FileManager.default.fileExists(atPath: scratch.path(path)), "\(path)") }
        }
    }
}
