import Foundation
import SSHTestSupport
import Testing

/// A run through a helper must be like any other: the same streams, status and JSON, whether the helper is new or not.
@Suite("Runs with and without a helper")
struct PersistSameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var command: String
        var options: [String] = []
        var input: [UInt8] = []
        var testDescription: String { "\(options.joined(separator: " ")) \(command.prefix(60))" }
    }

    private static let noise = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }

    static let rows: [Row] = [
        Row(command: "echo out; echo err >&2"),
        Row(command: "exit 7"), Row(command: "exit 255"), Row(command: "exit 193"),
        Row(command: "kill -9 $$"), Row(command: "kill -TERM $$"), Row(command: "no-such-program"),
        Row(command: "cat", input: noise), Row(command: "cat >&2", input: noise), Row(command: "head -c 5", input: noise),
        Row(command: "cat", options: ["-n"], input: [65]),
        Row(command: "cat", options: ["--stdin", "/etc/hostname"]), Row(command: "cat", options: ["--stdin", "/no/such/file"]),
        Row(command: "echo out; echo err >&2", options: ["--json"]),
        Row(command: "echo out; cat /no/such/file; exit 3", options: ["--json"]),
        Row(command: #"printf '\377'; printf '\376' >&2"#, options: ["--json"]),
        Row(command: "kill -9 $$", options: ["--json"]),
        Row(command: "head -c 3000000 /dev/zero", options: ["--json"]),
        Row(command: "head -c 3000 /dev/zero; sleep 600", options: ["--json", "--output-limit", "1K"]),
        Row(command: "sleep 600", options: ["--timeout", "0.3"]),
        Row(command: "sleep 600", options: ["--json", "--timeout", "0.3"]),
        Row(command: "echo a; sleep 600", options: ["--idle-timeout", "5", "--exit-codes", "ssh"]),
        Row(command: "echo out; (sleep 20; echo late) & exit 4", options: ["--drain", "0.2"]),
        Row(command: "echo $A", options: ["--env", "A=b"]),
        Row(command: "exit 3", options: ["-q"]),
        Row(command: "tty | sed s/[0-9]//g; stty size; echo $TERM", options: ["-t", "-n"]),
    ]

    @Test("the results are the same", arguments: rows)
    func same(_ row: Row) async throws {
        let box = try await SharedSandbox.plain.box()
        try await Gate.shared.pass {
            try await PersistFixture.run(on: box) { fixture in
                func run(_ keep: String?) async throws -> ProcessResult {
                    try await fixture.run(row.command, row.options, keep: keep, input: .bytes(row.input))
                }
                let plain = try await run(nil)
                for time in ["10m", "11m"] {
                    let kept = try await run(time)
                    #expect(kept.termination == plain.termination, "\(kept.errorOutput)")
                    #expect(kept.standardError == plain.standardError, "\(kept.errorOutput)")
                    if row.options.contains("--json") {
                        #expect(try kept.facts() == plain.facts())
                    } else {
                        #expect(kept.standardOutput == plain.standardOutput)
                    }
                }
            }
        }
    }

    @Test(
        "a failed connection has the same message, and leaves no helper",
        arguments: [
            ["-l", "loosehome"], ["-p", "1"], ["-o", "HostKeyAlias=other"], ["-o", "Ciphers=3des-cbc"],
            ["--password-file", "/no/such/file"],
        ])
    func failures(_ options: [String]) async throws {
        let box = try await SharedSandbox.plain.box()
        try await Gate.shared.pass {
            try await PersistFixture.run(on: box) { fixture in
                for more in [["--json"], []] {
                    let plain = try await fixture.run("true", options + more, keep: nil)
                    let kept = try await fixture.run("true", options + more)
                    #expect(kept.termination == plain.termination)
                    #expect(kept.standardError == plain.standardError, "\(kept.errorOutput)")
                    if more == ["--json"] { #expect(try kept.facts() == plain.facts()) }
                    #expect(plain.exitStatus != 0)
                }
                try await fixture.isEmpty()
            }
        }
    }

    @Test("the results are the same at a terminal: typing, resizing, ^C, and stopping", arguments: [nil, "10m"] as [String?])
    func terminal(keep: String?) async throws {
        try await PersistFixture.run { fixture in
            if keep != nil { #expect(try await fixture.run("true").exitStatus == 0) }
            let size = try await fixture.type("stty size; read line; echo got $line", ["-t"], keep: keep) { process in
                try await process.standardOutput.wait(for: "33 91")
                try await process.write("word\r")
            }
            #expect(size.exitStatus == 0 && size.output.contains("got word\r\n"), "\(size.output)")
            let typed = try await fixture.type("echo started; read line; echo got $line", keep: keep) { process in
                try await process.standardOutput.wait(for: "started")
                try await process.write("word\r")
            }
            #expect(typed.exitStatus == 0 && typed.output.contains("got word\r\n"), "\(typed.output)")
            let raw = try await fixture.type("echo started; sleep 600", ["-t"], keep: keep) { process in
                try await process.standardOutput.wait(for: "started")
                try await process.write("\u{3}")
            }
            #expect(raw.exitStatus == 130, "\(raw.termination) \(raw.output)")
            let cooked = try await fixture.type("echo started; sleep 600", keep: keep) { process in
                try await process.standardOutput.wait(for: "started")
                try await process.write("\u{3}")
            }
            #expect(cooked.exitStatus == 130, "\(cooked.termination) \(cooked.output)")
            #expect(cooked.output.contains("ssh.local.cancelled"), "\(cooked.output)")
        }
    }
}

extension ProcessResult {
    /// The JSON object without the values that differ between any two runs.
    func facts() throws -> JSON {
        func essence(_ value: JSON) -> JSON {
            switch value {
            case .object(let members):
                let changing: Set = [
                    "durationSeconds", "timings", "elapsedSeconds", "bytesReceived", "debugMessages", "seconds",
                    // Only the process that made the connection has seen the server's offer.
                    "postQuantum",
                ]
                return .object(members.filter { !changing.contains($0.key) }.mapValues(essence))
            case .array(let values): return .array(values.map(essence))
            default: return value
            }
        }
        return essence(try JSON(parsing: Data(standardOutput)))
    }
}
