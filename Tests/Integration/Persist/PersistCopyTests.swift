import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Copies over a connection that a helper keeps.
@Suite("Copies over kept connections")
struct PersistCopyTests {
    @Test("copies and runs share one connection, there and back, with equal content")
    func shared() async throws {
        try await PersistFixture.run { fixture in
            let content = CopyTests.bytes(20_000_000)
            try content.write(to: fixture.runtime.url.appendingPathComponent("big"))
            for options in [["--checksum"], ["-p"]] {
                let up = try await fixture.copy([fixture.runtime.path("big"), "H:/tmp/a/\(options[0])"], ["--mkpath"] + options)
                #expect(up.exitStatus == 0 && up.errorOutput.isEmpty, "\(up.errorOutput)")
                let back = fixture.runtime.path("back")
                let down = try await fixture.copy(["H:/tmp/a/\(options[0])", back], options)
                #expect(down.exitStatus == 0 && down.errorOutput.isEmpty, "\(down.errorOutput)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: back)) == content)
            }
            #expect(try await fixture.run("ls /tmp/a").output == "--checksum\n-p\n")
            #expect(fixture.box.connectionCount == 1, "\(fixture.box.log.text)")
            // Four copies, two sums, one command.
            #expect(try await fixture.helpers().first?["runs"] == .integer(7))
        }
    }

    @Test("from a host to itself: both sides use the connection")
    func relay() async throws {
        try await PersistFixture.run { fixture in
            #expect(try await fixture.run("echo content > /tmp/one").exitStatus == 0)
            for name in ["two", "three"] {
                let result = try await fixture.copy(["H:/tmp/one", "H:/tmp/\(name)"])
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
            }
            #expect(try await fixture.run("cat /tmp/two /tmp/three").output == "content\ncontent\n")
            #expect(fixture.box.connectionCount == 1)
            // Two commands, and two sides of two copies.
            #expect(try await fixture.helpers().first?["runs"] == .integer(6))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let places: [String]
        var options: [String] = []
        var testDescription: String { (options + places).joined(separator: " ") }
    }

    static let rows = [
        Row(places: ["/etc/hostname", "H:/tmp/here"]),
        Row(places: ["/etc/hostname", "H:/tmp/here"], options: ["--checksum", "-p"]),
        Row(places: ["H:/etc/shadow", "H:/etc/passwd", "SCRATCH"]), Row(places: ["H:/no/such", "SCRATCH"]),
        Row(places: ["SCRATCH", "H:/tmp"]), Row(places: ["/no/such", "H:/tmp"]), Row(places: ["/etc/hostname", "H:/no/such/"]),
        Row(places: ["H:/etc/pass*", "SCRATCH"]), Row(places: ["/etc/hostname", "H:/proc/x"]),
    ]

    @Test("the result is the same as over a separate connection, with a new helper or a running one", arguments: rows)
    func same(_ row: Row) async throws {
        let box = try await SharedSandbox.plain.box()
        try await Gate.shared.pass {
            try await PersistFixture.run(on: box) { fixture in
                try FileManager.default.createDirectory(atPath: fixture.runtime.path("d"), withIntermediateDirectories: true)
                let places = row.places.map { $0 == "SCRATCH" ? fixture.runtime.path("d") : $0 }
                for more in [[], ["--json"]] {
                    let plain = try await fixture.copy(places, row.options + more, keep: nil)
                    for time in ["10m", "11m"] {
                        let kept = try await fixture.copy(places, row.options + more, keep: time)
                        #expect(kept.termination == plain.termination, "\(kept.errorOutput)")
                        #expect(Self.untimed(kept) == Self.untimed(plain))
                        if more == ["--json"] { #expect(try kept.facts() == plain.facts()) }
                    }
                }
            }
        }
    }

    /// The messages for a person, without the duration.
    private static func untimed(_ result: ProcessResult) -> String { result.errorOutput.replacing(/in [0-9.]+ s/, with: "") }

    @Test("a server without SFTP: the same message")
    func noSubsystem() async throws {
        try await PersistFixture.run(SSHDSandbox.Options("Subsystem other /bin/false")) { fixture in
            for more in [[], ["--json"]] {
                let plain = try await fixture.copy(["/etc/hostname", "H:/tmp/x"], more, keep: nil)
                #expect(plain.exitStatus == 198)
                for _ in 0..<2 {
                    let kept = try await fixture.copy(["/etc/hostname", "H:/tmp/x"], more)
                    #expect(kept.termination == plain.termination && kept.errorOutput == plain.errorOutput, "\(kept.errorOutput)")
                    if more == ["--json"] { #expect(try kept.facts() == plain.facts()) }
                }
            }
            #expect(try await fixture.run("echo here").output == "here\n")
        }
    }

    @Test("when the server allows no further session, the copy or its checksum uses a separate connection")
    func sessionLimit() async throws {
        try await PersistFixture.run(SSHDSandbox.Options("MaxSessions 1")) { fixture in
            let first = try await fixture.run("echo started; read line", input: .pipe) { process in
                try await process.standardOutput.wait(for: "started")
                let copy = try await fixture.copy(["/etc/hostname", "H:/tmp/x"])
                #expect(copy.exitStatus == 0, "\(copy.errorOutput)")
            }
            #expect(first.exitStatus == 1)
            #expect(fixture.box.connectionCount == 2)
            let verified = try await fixture.copy(["/etc/hostname", "H:/tmp/x"], ["--checksum"])
            #expect(verified.exitStatus == 0, "\(verified.errorOutput)")
            #expect(fixture.box.connectionCount == 3)
        }
    }

    @Test("its connection is lost during a copy: the kept file is named, and --resume continues over a new one")
    func lost() async throws {
        try await SSHDSandbox.run { box in
            let content = CopyTests.bytes(20_000_000)
            try content.write(to: box.url(of: "/home/alice/lost"))
            try await FaultProxy.run(to: box.port, fault: FaultProxy.Fault(.reset, after: 9_000_000, from: .server)) { proxy in
                try await PersistFixture.run(on: box, through: proxy.port) { fixture in
                    let copy = fixture.runtime.path("copy")
                    let result = try await fixture.copy(["H:lost", copy], ["--resume"])
                    #expect(result.exitStatus == 198)
                    #expect(result.words.contains("ssh.session.connection-lost"), "\(result.words)")
                    #expect(
                        result.words.contains("before the end of the copy. No file is known to have arrived"), "\(result.words)")
                    #expect(result.words.contains("the unfinished file is kept as \(fixture.runtime.path(".copy."))"))
                }
                try await PersistFixture.run(on: box, through: proxy.port) { fixture in
                    // Each connection carries nine million bytes.
                    let copy = fixture.runtime.path("copy")
                    let result = try await fixture.copy(["H:lost", copy], ["--retries", "5", "--json"])
                    #expect(result.exitStatus == 0, "\(result.output)")
                    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content)
                }
            }
        }
    }

    @Test("the helper gives up a server that goes silent during a copy")
    func silence() async throws {
        try await SSHDSandbox.run { box in
            try CopyTests.bytes(20_000_000).write(to: box.url(of: "/home/alice/silent"))
            let stall = FaultProxy.Fault(.stall, after: 4_000_000, from: .server)
            try await FaultProxy.run(to: box.port, fault: stall) { proxy in
                try await PersistFixture.run(on: box, through: proxy.port) { fixture in
                    let result = try await fixture.copy(["H:silent", fixture.runtime.path("copy")], ["--keepalive", "1"])
                    #expect(result.exitStatus == 194, "\(result.errorOutput)")
                    #expect(result.words.contains("ssh.session.keepalive-timed-out"), "\(result.words)")
                    #expect(!result.words.contains("command"), "\(result.words)")
                }
            }
        }
    }

    /// A copy that takes as long as the test wants.
    private func slowly(
        _ fixture: PersistFixture, _ more: [String] = [], _ body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        let big = fixture.runtime.path("big")
        try CopyTests.bytes(4_000_000).write(to: URL(fileURLWithPath: big))
        return try await fixture.copy([big, "H:slow/"], ["--mkpath", "--limit-rate", "20K"] + more) { process in
            try await Self.begun(fixture, process)
            try await body(process)
        }
    }

    /// Waits until the server has the file in part.
    ///
    /// - Throws: `Transcript.Ended` if the copy ends first.
    private static func begun(_ fixture: PersistFixture, _ process: RunningProcess) async throws {
        while try partial(fixture).isEmpty {
            guard !process.standardError.hasEnded else {
                throw Transcript.Ended(awaited: "a file in part", text: process.standardError.text)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func partial(_ fixture: PersistFixture) throws -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: fixture.box.url(of: "/home/alice/slow").path)) ?? []
    }

    @Test("^C removes the unfinished file, and leaves the connection to others")
    func interrupted() async throws {
        try await PersistFixture.run { fixture in
            let result = try await slowly(fixture) { $0.send(signal: SIGINT) }
            #expect(result.exitStatus == 130, "\(result.errorOutput)")
            #expect(result.words.contains("and no unfinished file is known to be left."), "\(result.words)")
            #expect(try Self.partial(fixture).isEmpty)
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 1)
        }
    }

    @Test("a helper that is killed during a copy")
    func helperKilled() async throws {
        try await PersistFixture.run { fixture in
            let result = try await slowly(fixture, ["--resume"]) { _ in kill(try await fixture.helper(), SIGKILL) }
            #expect(result.exitStatus == 198, "\(result.errorOutput)")
            #expect(
                result.words.contains("ended before the end of the copy. No file is known to have arrived"), "\(result.words)")
            #expect(result.words.contains("the unfinished file is kept as"), "\(result.words)")
        }
    }

    @Test("a helper that hangs during a copy: a signal ends the copy")
    func helperHangs() async throws {
        try await PersistFixture.run { fixture in
            // More bytes than the socket between them holds.
            let big = fixture.runtime.path("big")
            try CopyTests.bytes(8_000_000).write(to: URL(fileURLWithPath: big))
            #expect(try await fixture.run("true").exitStatus == 0)
            let helper = try await fixture.helper()
            let result = try await fixture.copy([big, "H:slow/"], ["--mkpath", "--limit-rate", "1M"]) { process in
                try await Self.begun(fixture, process)
                kill(helper, SIGSTOP)
                process.send(signal: SIGINT)
            }
            #expect(result.exitStatus == 130, "\(result.termination) \(result.errorOutput)")
            kill(helper, SIGKILL)
        }
    }

    @Test("a killed copy leaves the connection usable")
    func copyKilled() async throws {
        try await PersistFixture.run { fixture in
            let result = try await slowly(fixture) { $0.send(signal: SIGKILL) }
            #expect(result.termination == .signalled(SIGKILL))
            try await fixture.isRunning(0)
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 1)
        }
    }

    @Test("a copy does not use a helper of another build, which ends")
    func otherBuild() async throws {
        try await PersistFixture.run { fixture in
            try await fixture.keepsBuildsApart { executable in
                let result = try await fixture.copy(["/etc/hostname", "H:/tmp/x"], executable: executable)
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
            }
        }
    }
}
