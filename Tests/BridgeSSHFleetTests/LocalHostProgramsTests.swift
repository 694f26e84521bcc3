import Foundation
import HostSets
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("Programs that print host names")
struct LocalHostProgramsTests {
    private func refusal(_ script: String, timeLimit: Duration, _ message: String) {
        let problem = #expect(throws: HostSetProblem.self) {
            try LocalHostPrograms.run(HostProgram(["/bin/sh", "-c", script]), timeLimit: timeLimit, maximumOutput: 100_000)
        }
        #expect(problem?.kind == .programFailed)
        #expect(problem?.message == message)
        #expect(problem?.location?.file == "/bin/sh")
    }

    @Test("the output of a program is read to its end")
    func output() throws {
        #expect(try LocalHostPrograms.run(HostProgram(["/bin/sh", "-c", "echo a; echo b"])) == "a\nb\n")
        #expect(try LocalHostPrograms.run(HostProgram(["/bin/sh", "-c", "pwd"], in: "/usr")) == "/usr\n")
    }

    @Test("a program that never ends is killed", arguments: ["exec sleep 1000", "exec sleep 1000 >&-"])
    func endless(script: String) {
        refusal(script, timeLimit: .seconds(1), "The program did not end within 1 s, and was killed.")
    }

    @Test("a program that prints without end is killed")
    func verbose() {
        refusal("exec yes", timeLimit: .seconds(60), "The program printed more than 100000 bytes, and was killed.")
    }

    @Test("a program is killed together with its children, even those that have left it", .timeLimit(.minutes(1)))
    func children() async throws {
        try await ScratchDirectory.with { scratch in
            let list = scratch.path("children")
            let script = "(sleep 1000 & echo $! >> \(list)); sleep 1000 & echo $! >> \(list); wait"
            refusal(script, timeLimit: .seconds(1), "The program did not end within 1 s, and was killed.")
            let children = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").compactMap { pid_t($0) }
            #expect(children.count == 2)
            for child in children {
                // Its death, and its parent's wait for it, may take a while.
                while let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8), !state.contains(") Z ") {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }
    }

    private func pids(_ list: String) throws -> [pid_t] {
        try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").compactMap { pid_t($0) }
    }

    @Test("a program is killed together with processes that have sessions of their own")
    func sessions() async throws {
        try await ScratchDirectory.with { scratch in
            let list = try scratch.write("", to: "children")
            let child = "sh -c 'echo $$ >> \(list); exec sleep 1000'"
            let all = "while [ $(wc -l < \(list)) -lt 3 ]; do sleep 0.1; done"
            // The parent of the last process has already ended.
            let script = "\(child) & setsid \(child) & setsid -f \(child); \(all); exec yes"
            refusal(script, timeLimit: .seconds(60), "The program printed more than 100000 bytes, and was killed.")
            let children = try pids(list)
            #expect(children.count == 3)
            for child in children { #expect(kill(child, 0) == -1 && errno == ESRCH, "\(child)") }
        }
    }

    @Test("processes that a program leaves behind when it exits are left alone")
    func daemons() async throws {
        try await ScratchDirectory.with { scratch in
            let list = try scratch.write("", to: "children")
            let daemon = "setsid -f sh -c 'echo $$ >> \(list); exec sleep 1000' > /dev/null"
            let script = "\(daemon); while ! [ -s \(list) ]; do sleep 0.1; done; echo web1"
            #expect(try LocalHostPrograms.run(HostProgram(["/bin/sh", "-c", script])) == "web1\n")
            let children = try pids(list)
            #expect(children.count == 1)
            for child in children { #expect(kill(child, SIGKILL) == 0) }
        }
    }

    @Test("a program has its three streams and no other descriptor")
    func descriptors() throws {
        // Opened without close-on-exec, as a library might do.
        let stray = open("/", O_RDONLY)
        defer { close(stray) }
        let listed = try LocalHostPrograms.run(HostProgram(["/bin/sh", "-c", "ls /proc/$$/fd; true"]))
        #expect(stray > 2 && listed == "0\n1\n2\n", "\(listed)")
    }

    @Test("a failed program is reported with its exit status or signal")
    func failure() {
        refusal("exit 3", timeLimit: .seconds(60), "The program ended with status 3.")
        refusal("kill -9 $$", timeLimit: .seconds(60), "The program ended with signal 9.")
    }
}
