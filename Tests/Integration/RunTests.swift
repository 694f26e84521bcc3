import BridgeSSH
import SSHTestSupport
import Testing

/// A command's output and end, on a real sshd.
@Suite struct RunTests {
    @Test("output and status") func outputAndStatus() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let result = try await connection.run("echo out; echo err >&2; exit 3")
                #expect(result.termination == .exited(3))
                #expect(result.standardOutput == Array("out\n".utf8))
                #expect(result.standardError == Array("err\n".utf8))
            }
        }
    }

    @Test("a signal is not a status", arguments: ["KILL", "TERM", "SEGV"]) func aSignalIsNotAStatus(_ name: String) async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let result = try await connection.run("ulimit -c 0; kill -\(name) $$")
                guard case .signalled(let signal) = result.termination else {
                    Issue.record("\(result.termination)")
                    return
                }
                #expect(signal.name == name)
            }
        }
    }

    @Test("every byte comes back unchanged") func everyByteComesBackUnchanged() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let bytes = (0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
                let result = try await connection.run("cat", standardInput: .bytes(bytes))
                #expect(result.standardOutput == bytes)
                #expect(result.termination == .exited(0))
            }
        }
    }

    @Test("a command need not be ASCII") func aCommandNeedNotBeASCII() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let result = try await connection.run("printf %s 'Größe → 大きさ'")
                #expect(String(decoding: result.standardOutput, as: UTF8.self) == "Größe → 大きさ")
            }
        }
    }

    @Test("ten thousand lines are returned") func tenThousandLines() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let lines = try await connection.execute("seq 10000") { execution in
                    var lines: [String] = []
                    for try await line in execution.standardOutput.lines { lines.append(line) }
                    return lines
                }
                #expect(try lines.checked() == (1...10_000).map(String.init))
            }
        }
    }

    @Test("a refused variable is a notice") func environmentThatIsRefusedIsANotice() async throws {
        var options = SSHDSandbox.Options()
        options.acceptedEnvironment = ["BRIDGE_*"]
        try await SSHDSandbox.run(options) { box in
            try await box.connected { connection in
                var options = SSHCommandOptions()
                options.environment = [("BRIDGE_ONE", "1 ü"), ("OTHER", "2")]
                let result = try await connection.run("echo $BRIDGE_ONE.$OTHER", options: options)
                #expect(String(decoding: result.standardOutput, as: UTF8.self) == "1 ü.\n")
                #expect(connection.notices.contains { $0.contains("OTHER") })
                #expect(!connection.notices.contains { $0.contains("BRIDGE_ONE") })
            }
        }
    }

    @Test("a pseudo terminal") func aPseudoTerminal() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                var options = SSHCommandOptions()
                options.pty = SSHPTYOptions(terminal: "vt100", columns: 91, rows: 33)
                let result = try await connection.run("stty size; echo $TERM; echo err >&2; tty", options: options)
                let text = String(decoding: result.standardOutput, as: UTF8.self)
                #expect(text.contains("33 91\r\n"))
                #expect(text.contains("vt100"))
                #expect(text.contains("err"))
                #expect(text.contains("/dev/pts/"))
            }
        }
    }

    @Test("a checked run throws with its output") func aCheckedRunThrowsWithItsOutput() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let error = try await #require(throws: SSHError.self) {
                    try await connection.run("echo kept; echo why >&2; exit 7", check: true)
                }
                #expect(error.result?.standardOutput == Array("kept\n".utf8))
                #expect(error.result?.standardError == Array("why\n".utf8))
                #expect(error.result?.termination == .exited(7))
                #expect(error.commandMayHaveRun == .yes)
            }
        }
    }
}
