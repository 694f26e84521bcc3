import Glibc
import Testing

@testable import SSHTransport

@Suite("Starting local programs") struct LocalProgramTests {
    /// Runs a shell script.
    ///
    /// - Returns: its output and its exit status.
    private func run(_ script: String, _ set: (inout LocalProgram) -> Void = { _ in }) throws -> (output: String, status: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var program = LocalProgram("/bin/sh", ["-c", script])
        program.output = ends[1]
        set(&program)
        let process = try program.start()
        close(ends[1])
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(ends[0], &buffer, buffer.count), count > 0 { output += buffer[..<count] }
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process)
        return (String(decoding: output, as: UTF8.self), status >> 8 & 0xFF)
    }

    @Test("its input is empty, and its output and status arrive") func streams() throws {
        let result = try run("cat; echo out; exit 7")
        #expect(result == ("out\n", 7))
    }

    @Test("all three streams are the given ones, with any descriptor numbers") func allStreams() throws {
        let child = try ChildProcess.start(shell: "/bin/sh", script: "read line; echo $line; echo $A >&2", environment: ["A=B"])
        _ = Array("in\n".utf8).withUnsafeBytes { write(child.input, $0.baseAddress, $0.count) }
        close(child.input)
        child.reap()
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(read(child.output, &buffer, 16) == 3)
        #expect(child.readErrors() == Array("B\n".utf8))
        #expect(child.exitStatus == 0)
        close(child.output)
        close(child.errors)
    }

    @Test("a missing program gives an errno and leaves no child") func missing() {
        #expect {
            try LocalProgram("/nowhere/program", []).start()
        } throws: {
            ($0 as? LocalProgram.StartFailure)?.errno == ENOENT
        }
    }

    @Test("only the signals that are asked for are blocked") func blocked() throws {
        let script = "while read name value; do [ $name = SigBlk: ] && echo $value; done </proc/$$/status; true"
        #expect(try run(script).output == "0000000000000000\n")
        // SIGINT is 2: its bit is the second.
        #expect(try run(script, { $0.blockedSignals = [SIGINT] }).output == "0000000000000002\n")
    }

    @Test("a variable is left out, and no other") func environment() throws {
        setenv("BRIDGE_TEST_KEPT", "kept", 1)
        setenv("BRIDGE_TEST_DROPPED", "dropped", 1)
        defer { for name in ["BRIDGE_TEST_KEPT", "BRIDGE_TEST_DROPPED"] { unsetenv(name) } }
        let script = "echo $BRIDGE_TEST_KEPT $BRIDGE_TEST_DROPPED"
        #expect(try run(script).output == "kept dropped\n")
        #expect(try run(script, { $0.environment = .inherited(without: "BRIDGE_TEST_DROPPED") }).output == "kept\n")
        #expect(try run(script, { $0.environment = .variables(["BRIDGE_TEST_KEPT=other"]) }).output == "other\n")
    }

    @Test("no descriptor except its streams is inherited, with or without close-on-exec") func descriptors() throws {
        for flags in [O_RDONLY | O_CLOEXEC, O_RDONLY] {
            let descriptor = open("/dev/null", flags)
            defer { close(descriptor) }
            #expect(descriptor > 2)
            #expect(try run("ls /proc/$$/fd; true").output == "0\n1\n2\n")
        }
    }
}
