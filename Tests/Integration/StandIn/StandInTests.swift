import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A program's view of the stand-in compared with its view of ssh.
@Suite("A stand-in for ssh") struct StandInTests {
    /// Calls as options before those that succeed, and what follows the destination.
    static let calls: [(String, String)] = [
        ("", "echo out; echo err >&2; exit 7"), ("", "cat"), ("-v", "true"), ("-vv", "exit 3"), ("-q", "true"),
        ("-o LogLevel=VERBOSE", "true"), ("-o LogLevel=ERROR", "exit 255"), ("-o LogLevel=QUIET", "true"),
        ("-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=NEW", "true"), ("-o UserKnownHostsFile=/dev/null", "true"),
        ("-p 1", "true"), ("-q -p 1", "true"), ("-i /missing", "true"),
        ("-o IdentityFile=none -o PubkeyAuthentication=no", "true"),
        ("-tt", "tty >/dev/null && read -r line && exit 5"), ("-N -o ExitOnForwardFailure=yes -L 1:a:b:c", ""),
        ("-o Nonsense=yes", "true"),
        ("-s", "sftp"), ("-n", "cat"), ("-E LOG", "exit 9"), ("-vELOG", "exit 9"), ("-E /missing/log", "true"), ("-T", "exit 4"),
    ]

    @Test("streams, status and messages are ssh's", arguments: calls)
    func same(_ options: String, _ command: String) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            func call(_ folder: String) async throws -> StandInCall {
                try FileManager.default.createDirectory(
                    atPath: scratch.path(folder), withIntermediateDirectories: true)
                let words = options.split(separator: " ").map {
                    String($0).replacing("NEW", with: scratch.path("\(folder)/known")).replacing(
                        "LOG", with: scratch.path("\(folder)/log"))
                }
                return StandInCall(
                    words: words + (try await StandInCall.options(box)) + ["alice@127.0.0.1"]
                        + (command.isEmpty ? [] : [command]),
                    input: .bytes(Array("typed\n".utf8)))
            }
            let real = try await call("real").bySSH()
            let ours = try await call("ours").byStandIn()
            #expect(ours.termination == real.termination)
            #expect(ours.output == real.output)
            #expect(Self.plain(ours.wordsOfSSH, scratch) == Self.plain(real.errorOutput, scratch))
            if options.contains("LOG") {
                func log(_ folder: String) throws -> String {
                    Self.plain(try String(contentsOfFile: scratch.path("\(folder)/log"), encoding: .utf8), scratch)
                }
                #expect(try log("ours") == log("real"))
            }
        }
    }

    @Test("no message appears if the reader of the output has gone") func closedOutput() async throws {
        let box = try await SharedSandbox.plain.box()
        let words = try await StandInCall.options(box) + ["alice@127.0.0.1", "yes"]
        try await ScratchDirectory.with { home in
            let result = try await ProcessRun.run(
                "/bin/sh", ["-c", "\"$@\" | head -1", "sh", try BuiltExecutable.path("bridge-ssh"), "ssh"] + words,
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path]))
            #expect(result.output == "y\n" && result.errorOutput.isEmpty, "\(result.errorOutput)")
        }
    }

    /// The text without the parts that differ from call to call: numbers, and the location of the files.
    private static func plain(_ text: String, _ scratch: ScratchDirectory) -> String {
        text.replacing(scratch.url.path, with: "").replacing("/ours/", with: "/real/")
            .split(separator: "\n", omittingEmptySubsequences: false)
            // Variables for descriptors, for times, and for the log's location.
            .filter {
                !$0.contains("fd ") && !$0.contains("Bytes per second") && !$0.contains("Transferred:")
                    && !$0.contains("OpenSSH_")
            }
            .map { $0.replacing(/[0-9]+/, with: "0") }.joined(separator: "\n")
    }

    @Test("a call that only queries ssh becomes ssh", arguments: ["-V", "-Q cipher", "-G -F none web1", ""])
    func questions(_ line: String) async throws {
        let call = StandInCall(words: line.split(separator: " ").map(String.init))
        let (real, ours) = (try await call.bySSH(), try await call.byStandIn())
        #expect(ours.termination == real.termination && ours.output == real.output && ours.errorOutput == real.errorOutput)
    }

    @Test("under the name ssh it takes only ssh's arguments, and finds the real ssh")
    func named() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try FileManager.default.createSymbolicLink(
                atPath: scratch.path("ssh"), withDestinationPath: try BuiltExecutable.path("bridge-ssh"))
            let words = try await StandInCall.options(box) + ["alice@127.0.0.1"]
            let environment = ProcessEnvironment.exactly(["PATH": scratch.url.path + ":/usr/bin:/bin", "HOME": scratch.url.path])
            let result = try await ProcessRun.run("/usr/bin/env", ["ssh"] + words + ["exit 6"], environment: environment)
            #expect(result.termination == .exited(6) && result.errorOutput == "")
            let failed = try await ProcessRun.run(
                "/usr/bin/env", ["ssh", "-p", "1"] + words + ["true"], environment: environment)
            #expect(failed.termination == .exited(255) && failed.errorOutput.contains("\nbridge-ssh: ssh.connect.refused: "))
        }
    }

    @Test("a script in PATH that runs it is not taken for ssh", arguments: ["BRIDGE", "LINK", "env ssh-of-ours"])
    func script(_ program: String) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let own = try BuiltExecutable.path("bridge-ssh")
            try FileManager.default.createDirectory(atPath: scratch.path("link"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: scratch.path("link/ssh"), withDestinationPath: own)
            // Found in PATH, so the script does not contain the program's path.
            try scratch.write("#!/bin/sh\nexec \(scratch.path("link/ssh")) \"$@\"\n", to: "ssh-of-ours", mode: 0o755)
            let words = program.replacing("BRIDGE", with: "\(own) ssh").replacing("LINK", with: scratch.path("link/ssh"))
            try scratch.write("#!/bin/sh\nexec \(words) \"$@\"\n", to: "ssh", mode: 0o755)
            let environment = ProcessEnvironment.exactly(["PATH": scratch.url.path + ":/usr/bin:/bin", "HOME": scratch.url.path])
            let call = try await StandInCall.options(box) + ["alice@127.0.0.1", "exit 6"]
            let result = try await ProcessRun.run(scratch.path("ssh"), call, environment: environment)
            #expect(result.termination == .exited(6) && result.errorOutput == "")
        }
    }

    @Test(
        "BRIDGE_SSH_OPENSSH that names this program, or a script that runs it, is refused",
        arguments: [["web1", "true"], ["-V"]], [false, true])
    func namedItself(_ words: [String], _ isScript: Bool) async throws {
        try await ScratchDirectory.with { scratch in
            let own = try BuiltExecutable.path("bridge-ssh")
            if isScript {
                try scratch.write("#!/bin/sh\nexec \(own) ssh \"$@\"\n", to: "ssh", mode: 0o755)
            } else {
                try FileManager.default.createSymbolicLink(atPath: scratch.path("ssh"), withDestinationPath: own)
            }
            let result = try await StandInCall(words: words, environment: ["BRIDGE_SSH_OPENSSH": scratch.path("ssh")]).byStandIn()
            #expect(result.termination == .exited(255) && result.errorOutput.contains("BRIDGE_SSH_OPENSSH"), "\(result)")
        }
    }

    @Test("an error says that bridge-ssh's own options come before ssh's") func misplacedOption() async throws {
        let call = StandInCall(words: ["-p", "1", "--retries", "2", "127.0.0.1", "true"])
        let result = try await call.byStandIn()
        #expect(
            result.exitStatus == 255 && result.errorOutput.contains("--retries must come before ssh's own options"), "\(result)")
        // After the destination, the word belongs to the command.
        let command = try await StandInCall(words: ["-F", "none", "-p", "1", "127.0.0.1", "true", "--retries", "2"]).byStandIn()
        #expect(command.errorOutput.contains("ssh.connect.refused"), "\(command)")
    }

    @Test("without an ssh bridge-ssh reports the failure, with ssh's status") func missing() async throws {
        let call = StandInCall(words: ["web1", "true"], environment: ["PATH": "/missing"])
        let (verdict, result) = try await call.verdict()
        #expect(result.termination == .exited(255))
        #expect(verdict["error"]?["code"]?.text == "ssh.local.usage", "\(result.errorOutput)")
        #expect(result.errorOutput.contains("BRIDGE_SSH_OPENSSH"))
    }

    @Test("if there are enough descriptors for ssh but not for bridge-ssh, ssh runs alone") func fewDescriptors() async throws {
        let program = try BuiltExecutable.path("bridge-ssh")
        let result = try await ProcessRun.run(
            "/bin/sh", ["-c", "ulimit -n 5; exec \"$@\"", "sh", program, "ssh", "-F", "none", "-p", "1", "127.0.0.1", "true"],
            environment: .exactly(["PATH": "/usr/bin:/bin"]))
        #expect(result.termination == .exited(255))
        #expect(result.errorOutput == "ssh: connect to host 127.0.0.1 port 1: Connection refused\r\n")
    }

    @Test("a background connection keeps no descriptor of bridge-ssh, and stays open") func master() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let kept = ["-o", "ControlMaster=auto", "-o", "ControlPersist=60", "-o", "ControlPath=\(scratch.path("c"))"]
            let options = try await StandInCall.options(box)
            // ProcessRun waits for the end of both outputs.
            let first = try await StandInCall(words: kept + options + ["alice@127.0.0.1", "echo one"]).byStandIn()
            #expect(first.output == "one\n" && first.termination == .exited(0))
            let log = scratch.path("log")
            let second = try await StandInCall(words: ["-E", log] + kept + options + ["alice@127.0.0.1", "exit 255"]).verdict()
            #expect(second.1.termination == .exited(255) && second.0["endedBy"]?.text == "remote")
            let end = try await StandInCall(words: kept + ["-F", "none", "-O", "exit", "alice@127.0.0.1"]).byStandIn()
            #expect(end.termination == .exited(0))
        }
    }

    @Test("the caller's log file gets later messages of a background connection") func relayed() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let log = scratch.path("log")
            let kept = ["-M", "-S", scratch.path("c"), "-f", "-N", "-v", "-E", log]
            let start = try await StandInCall(words: kept + (try await StandInCall.options(box)) + ["alice@127.0.0.1"])
                .byStandIn()
            #expect(start.termination == .exited(0))
            // The remaining connection logs it after the end of the started ssh.
            var before = try String(contentsOfFile: log, encoding: .utf8)
            while !before.contains("Entering interactive session") {
                try await Task.sleep(for: .milliseconds(20))
                before = try String(contentsOfFile: log, encoding: .utf8)
            }
            #expect(!before.contains("debug2"))
            _ = try await StandInCall(words: ["-F", "none", "-S", scratch.path("c"), "-O", "exit", "alice@127.0.0.1"]).byStandIn()
            // The line of a process that no other one waits for.
            while try String(contentsOfFile: log, encoding: .utf8) == before {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
