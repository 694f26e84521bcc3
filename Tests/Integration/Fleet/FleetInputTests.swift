import BridgeSSH
import Crypto
import Foundation
import SSHTestSupport
import Testing

/// Input piped to `fleet run` reaches every host, or a message says why not.
@Suite("Standard input of a fleet") struct FleetInputTests {
    private static let sum = "sha256sum"

    private static func digest(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "piped input of any length reaches every host completely",
        arguments: [1, 65_536, 300_001, 9_000_000])
    func piped(length: Int) async throws {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("h\(number)") }
            let result = try await fixture.fleet(
                ["run", "--output", "jsonl", "h[1-6]", Self.sum], input: .bytes(content))
            let lines = try FleetLines(result)
            #expect(lines.outcomes["ok"] == 6, "\(result.errorOutput)")
            #expect(lines.all("started").first?["stdin"]?.text == "-")
            for number in 1...6 {
                let output = lines.ends["h\(number)"]?.first?["result"]?["stdout"]?.text ?? ""
                #expect(output.hasPrefix(Self.digest(content)), "h\(number): \(output)")
            }
        }
    }

    @Test("a file is read by every host; commands that read nothing, or a part, end normally")
    func file() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)") }
            let content = [UInt8](repeating: 120, count: 2_000_000)
            let path = fixture.box.directory.path("content")
            try Data(content).write(to: URL(fileURLWithPath: path))
            let command = "case $LC_HOST in h1) sha256sum;; h2) true;; h3) head -c 5;; h4) exec <&-; sleep 0.2; echo on;; esac"
            let lines = try FleetLines(
                try await fixture.fleet(["run", "--stdin", path, "--output", "jsonl", "--journal", "none", "h[1-4]", command]))
            #expect(lines.outcomes["ok"] == 4)
            func output(_ host: String) -> String? { lines.ends[host]?.first?["result"]?["stdout"]?.text }
            #expect(output("h1")?.hasPrefix(Self.digest(content)) == true)
            #expect(output("h3") == "xxxxx" && output("h4") == "on\n")
        }
    }

    @Test("a command under sudo reads it after the password")
    func sudo() async throws {
        try await FleetFixture.with { fixture in
            try fixture.install(
                askingSudo: """
                    [ "$word" = sudo-pw ] || exit 1
                    exec "$@"
                    """)
            for number in 1...3 { fixture.add("h\(number)") }
            let secret = try fixture.box.directory.write("sudo-pw\n", to: "sudo-password")
            let content = [UInt8](repeating: 65, count: 500_000)
            let result = try await fixture.fleet(
                ["run", "--sudo-password-file", secret, "--output", "jsonl", "--journal", "none", "h[1-3]", Self.sum],
                input: .bytes(content))
            let lines = try FleetLines(result)
            #expect(lines.outcomes["ok"] == 3, "\(result.errorOutput)")
            #expect(lines.ends["h2"]?.first?["result"]?["stdout"]?.text?.hasPrefix(Self.digest(content)) == true)
        }
    }

    @Test("a run whose hosts read input is resumed only with the same input")
    func resumed() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            fixture.add("h2", port: 1)
            let first = try await fixture.fleet(["run", "h[1-2]", "cat"], input: .bytes(Array("hello\n".utf8)))
            #expect(first.output.contains("h1: hello") && first.exitStatus == 1, "\(first.output)\(first.errorOutput)")
            fixture.replace(port: 1, with: fixture.box.port)
            _ = try await fixture.words(["list"])
            let without = try await fixture.program(["resume", "last"])
            #expect(without.exitStatus == 199 && without.errorOutput.contains("which is not kept"), "\(without.errorOutput)")
            let other = try await fixture.program(["resume", "last"], input: .bytes(Array("hallo\n".utf8)))
            #expect(other.exitStatus == 199 && other.errorOutput.contains("something else"), "\(other.errorOutput)")
            let same = try await fixture.program(["resume", "last"], input: .bytes(Array("hello\n".utf8)))
            #expect(same.exitStatus == 0 && same.output.contains("h2: hello"), "\(same.output)\(same.errorOutput)")
        }
    }

    @Test("a run without input is resumed without one")
    func resumedWithout() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            fixture.add("h2", port: 1)
            _ = try await fixture.fleet(["run", "h[1-2]", "cat"])
            fixture.replace(port: 1, with: fixture.box.port)
            _ = try await fixture.words(["list"])
            let file = try fixture.box.directory.write("A", to: "input")
            let piped = try await fixture.program(["resume", "last"], input: .file(file))
            #expect(piped.exitStatus == 199, "\(piped.errorOutput)")
            let result = try await fixture.program(["resume", "last"])
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
        }
    }

    @Test("a pipe that is longer than the limit ends the run with an error")
    func tooLong() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let result = try await fixture.fleet(
                ["run", "--stdin-limit", "100K", "--output", "jsonl", "--journal", "none", "h[1-3]", "cat > /dev/null"],
                input: .bytes([UInt8](repeating: 1, count: 200_000)))
            let lines = try FleetLines(result)
            #expect(lines.outcomes["ok"] == 0 && result.exitStatus != 0, "\(result.output)")
            #expect(result.output.contains("--stdin-limit"), "\(result.output)")
        }
    }

    @Test("hosts waiting for a silent pipe are reported, and commands that do not read it end")
    func openPipe() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let idle = try await fixture.fleet(["run", "--journal", "none", "h[1-2]", "echo done"], input: .pipe) { process in
                try await process.standardOutput.wait(for: "h1: done")
                try await process.standardOutput.wait(for: "h2: done")
            }
            #expect(idle.exitStatus == 0 && idle.output.contains("h2: done"), "\(idle.errorOutput)")
            let waiting = try await fixture.fleet(["run", "--journal", "none", "h[1-2]", "cat"], input: .pipe) { process in
                try await process.standardError.wait(for: "has not been written to or closed")
                try await process.write("late\n")
                try await process.closeInput()
            }
            #expect(waiting.exitStatus == 0 && waiting.output.contains("h1: late"), "\(waiting.errorOutput)")
        }
    }

    @Test("a script replaces standard input, and a pipe next to it is reported")
    func script() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let script = try fixture.box.directory.write("echo ran\n", to: "script.sh")
            let piped = try await fixture.fleet(
                ["script", "--journal", "none", "h1", script],
                input: .file(try fixture.box.directory.write("lost", to: "input")))
            #expect(piped.exitStatus == 0 && piped.errorOutput.contains("piped input is ignored"), "\(piped.errorOutput)")
            let asked = try await fixture.fleet(["script", "--stdin", "-", "h1", script], input: .bytes(Array("lost".utf8)))
            #expect(asked.exitStatus == 199)
        }
    }
}
