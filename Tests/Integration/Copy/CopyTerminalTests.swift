import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// What a person at a terminal sees of a copy, and what ^C does to it.
@Suite("Copying at a terminal")
struct CopyTerminalTests {
    private func onTerminal(
        _ arguments: [String], home: ScratchDirectory, body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        try await TerminalRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8", "TERM": "xterm"]),
            columns: 60, body: body)
    }

    private func words(_ shown: String) -> String { shown.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The progress lines on a terminal of 60 columns: each fits, and the last is removed.
    private func checkProgress(_ shown: String) {
        let parts = shown.components(separatedBy: "\u{1B}[J").dropLast()
        let lines = parts.map { $0.split(separator: "\r", omittingEmptySubsequences: false).last.map(String.init) ?? "" }
        #expect(lines.contains { $0.contains(" %  ") && $0.contains("/s") && $0.contains(" left") }, "\(shown)")
        #expect(lines.allSatisfy { $0.count < 60 }, "\(lines)")
        #expect(lines.last == "", "\(lines)")
    }

    @Test("a closing terminal sends two signals, and the partial file is still removed")
    func closedTerminal() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let source = try fixture.write(String(repeating: "x", count: 8 << 20), to: "source")
            let home = fixture.box.url(of: "/home/alice")
            let words = try await fixture.words(["copy", "--limit-rate", "1M", source, "h1:closed"])
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), words, environment: fixture.environment
            ) { process in
                try await FleetFixture.waitForPartial(in: home)
                process.send(signal: SIGHUP)
                // Signals that are sent at once may be delivered as one.
                try await Task.sleep(for: .milliseconds(20))
                process.send(signal: SIGHUP)
            }
            #expect(result.exitStatus == 129, "\(result.errorOutput)")
            #expect(try FleetFixture.partials(in: home).isEmpty)
        }
    }

    @Test(
        "^C ends a hanging download; only --resume keeps the partial file, which the next copy continues",
        arguments: [true, false])
    func interruptedDownload(resumes: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let name = "interrupted-\(resumes)"
        let content = CopyTests.bytes(20_000_000)
        try content.write(to: box.url(of: "/home/alice/\(name)"))
        try await ScratchDirectory.with { home in
            try await ScratchDirectory.with { target in
                let places = (resumes ? ["--resume"] : []) + ["127.0.0.1:\(name)", target.path("file")]
                @Sendable func partial() throws -> [String] {
                    try FileManager.default.contentsOfDirectory(atPath: target.url.path)
                }
                let stall = FaultProxy.Fault(.stall, after: 8_000_000, from: .server)
                try await FaultProxy.run(to: box.port, fault: stall) { proxy in
                    let arguments = try await box.copyArguments(through: proxy.port)
                    let result = try await onTerminal(arguments + places, home: home) { process in
                        // As much as the proxy lets through: a resumed copy goes back by a window of 4 MiB.
                        while try partial().allSatisfy({ try target.size(of: $0) < 6_000_000 }) {
                            try await Task.sleep(for: .milliseconds(20))
                        }
                        try await process.standardOutput.wait(for: " left")
                        try await process.write("\u{3}")
                    }
                    #expect(result.exitStatus == 130)
                    #expect(result.output.contains("ssh.local.cancelled"), "\(result.output)")
                    let left =
                        resumes ? "the unfinished file is kept as" : "no unfinished file is known to be left."
                    #expect(
                        words(result.output).contains("was cancelled by SIGINT. No file is known to have arrived, and \(left)"))
                    checkProgress(result.output)
                }
                let left = try partial()
                #expect(left.count == (resumes ? 1 : 0) && left.allSatisfy { $0.hasSuffix(".bridge-partial") }, "\(left)")
                guard resumes else { return }
                let result = try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh"), try await box.copyArguments() + ["--json"] + places,
                    environment: .exactly(["HOME": home.url.path]))
                let json = try JSON(parsing: Data(result.standardOutput))
                #expect((json["resumedBytes"]?.double ?? 0) > 1_000_000, "\(result.output)")
                #expect(try Data(contentsOf: target.url.appendingPathComponent("file")) == content)
                #expect(try partial() == ["file"])
            }
        }
    }

    @Test("^C ends an upload and leaves nothing on the server")
    func interruptedUpload() async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = box.url(of: "/home/alice/interrupted-upload")
        try await box.connected { try await $0.withSFTP { try await $0.makeDirectory("interrupted-upload") } }
        try await ScratchDirectory.with { scratch in
            // A file of holes, large enough that the copy takes longer than pressing a key.
            _ = try scratch.write("", to: "huge")
            try FileHandle(forWritingTo: scratch.url.appendingPathComponent("huge")).truncate(atOffset: 16 << 30)
            let arguments = try await box.copyArguments() + [scratch.path("huge"), "127.0.0.1:interrupted-upload"]
            let result = try await onTerminal(arguments, home: scratch) { process in
                // The first line has no speed yet, and so no remaining time.
                try await process.standardOutput.wait(for: " left")
                while try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty {
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await process.write("\u{3}")
            }
            #expect(result.exitStatus == 130)
            checkProgress(result.output)
            #expect(
                words(result.output).contains("No file is known to have arrived, and no unfinished file is known to be left."),
                "\(result.output)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }
}

extension ScratchDirectory {
    fileprivate func size(of name: String) throws -> Int {
        // The partial file may have been renamed in the meantime.
        ((try? FileManager.default.attributesOfItem(atPath: path(name)))?[.size] as? NSNumber)?.intValue ?? 0
    }
}
