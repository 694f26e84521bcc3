import BridgeSSHFleet
import FleetOutput
import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@Suite("Output in files")
struct FilesRendererTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("files hold all output, even past the limit on kept output, and the end as JSON")
    func files() async throws {
        try await ScratchDirectory.with { scratch in
            let directory = scratch.path("results")
            var end = SampleRun.result("web1", .failed, status: 3)
            end.standardOutput = FleetKeptOutput(bytes: Array("on".utf8), total: 8, restDigest: Array(repeating: 1, count: 32))
            _ = try Rendering.of(
                FilesRenderer(directory: directory),
                [
                    SampleRun.started(2), SampleRun.output("web1", "one\n"), SampleRun.output("web1", "oh\n", .standardError),
                    SampleRun.output("web1", "two\n"), .ended(end), SampleRun.ended("web2"), SampleRun.ended("web3", .skipped),
                ])
            #expect(try text("\(directory)/web1.out") == "one\ntwo\n")
            #expect(try text("\(directory)/web1.err") == "oh\n")
            #expect(try text("\(directory)/web2.out") == "")
            let json = try JSON(parsing: Data(text("\(directory)/web1.json").utf8))
            #expect(json["outcome"]?.text == "failed")
            #expect(json["result"]?["exitStatus"] == .integer(3))
            #expect(json["result"]?["command"]?.text == "uptime")
            #expect(!FileManager.default.fileExists(atPath: "\(directory)/web3.out"))
            #expect(FileManager.default.fileExists(atPath: "\(directory)/web3.json"))
            let modes = try FileManager.default.attributesOfItem(atPath: "\(directory)/web1.out")[.posixPermissions] as? Int
            #expect(modes == 0o600)
        }
    }

    @Test("files of an earlier run are replaced")
    func replaced() async throws {
        try await ScratchDirectory.with { scratch in
            for text in ["a long first text\n", "new\n"] {
                _ = try Rendering.of(
                    FilesRenderer(directory: scratch.path("r")), [SampleRun.output("a", text), SampleRun.ended("a")])
            }
            #expect(try text(scratch.path("r/a.out")) == "new\n")
        }
    }

    @Test(
        "no host name leads out of the directory",
        arguments: [
            "../../etc/passwd", "/etc/passwd", "..", ".", "a/b", "-rf", ".bashrc", "a\nb", "a\0b", "", "CON",
            String(repeating: "x", count: 4000),
        ])
    func hostileNames(host: String) async throws {
        try await ScratchDirectory.with { scratch in
            _ = try Rendering.of(
                FilesRenderer(directory: scratch.path("r")), [SampleRun.output(host, "x"), SampleRun.ended(host)])
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["r"])
            let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("r"))
            #expect(files.count == 3)
            #expect(files.allSatisfy { !$0.hasPrefix(".") && !$0.hasPrefix("-") })
        }
    }

    @Test("a link in the place of a file is not followed")
    func link() async throws {
        try await ScratchDirectory.with { scratch in
            let victim = try scratch.write("kept", to: "victim")
            let renderer = try FilesRenderer(directory: scratch.path("r"))
            try FileManager.default.createSymbolicLink(atPath: scratch.path("r/a.out"), withDestinationPath: victim)
            let error = #expect(throws: SSHError.self) { try Rendering.of(renderer, [SampleRun.output("a", "x")]) }
            #expect(error?.message.contains("symbolic link") == true && error?.message.contains("r/a.out") == true)
            #expect(try text(victim) == "kept")
        }
    }

    @Test(
        "a FIFO, a device, another user's file and a second name are refused by name, at once",
        arguments: ["fifo", "read fifo", "directory", "owner", "link"])
    func strange(kind: String) async throws {
        for file in ["a.out", "a.err", "a.json"] {
            try await ScratchDirectory.with { scratch in
                let renderer = try FilesRenderer(directory: scratch.path("r"))
                let path = scratch.path("r/\(file)")
                var reader: Int32 = -1
                switch kind {
                case "fifo", "read fifo":
                    mkfifo(path, 0o600)
                    if kind == "read fifo" { reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
                case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                case "owner":
                    _ = try scratch.write("kept", to: "r/\(file)")
                    try #require(chown(path, 4721, 4721) == 0, "the tests run as root")
                default:
                    _ = try scratch.write("kept", to: "other")
                    try FileManager.default.linkItem(atPath: scratch.path("other"), toPath: path)
                }
                defer { if reader >= 0 { close(reader) } }
                let error = #expect(throws: SSHError.self) {
                    try Rendering.of(renderer, [SampleRun.output("a", "x"), SampleRun.ended("a")])
                }
                #expect(error?.message.contains("r/\(file)") == true, "\(error?.message ?? "")")
                if ["owner", "link"].contains(kind) { #expect(try text(path) == "kept") }
            }
        }
    }

    @Test("a directory that cannot be made is named")
    func noDirectory() async throws {
        try await ScratchDirectory.with { scratch in
            let path = try scratch.write("", to: "file") + "/r"
            let error = #expect(throws: SSHError.self) { try FilesRenderer(directory: path) }
            #expect(error?.message.contains(path) == true)
        }
    }

    @Test("no file stays open: there may be more hosts than descriptors")
    func descriptors() async throws {
        try await ScratchDirectory.with { scratch in
            var renderer = try FilesRenderer(directory: scratch.path("r"))
            var pieces: [RenderedPiece] = []
            for event in [SampleRun.output("a", "x"), SampleRun.ended("a")] { try renderer.take(event, &pieces) }
            let opened = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(opened.filter { $0.hasPrefix(scratch.path("r") + "/") } == [])
            #expect(opened.contains(scratch.path("r")))
        }
    }
}
