import Foundation
import SSHTestSupport
import Testing

/// The programs on an unusual system: without /proc, as in a chroot, and without an executable name.
@Suite("Without /proc")
struct BareRootTests {
    private func run(_ words: [String], home: ScratchDirectory, hides: Bool = true) async throws -> ProcessResult {
        let environment = ProcessEnvironment.exactly([
            "PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": home.url.path,
            "XDG_STATE_HOME": home.url.path,
        ])
        let executable = try BuiltExecutable.path("bridge-ssh")
        guard hides else { return try await ProcessRun.run(executable, words, environment: environment) }
        return try await ProcessRun.run(
            "bwrap", ["--dev-bind", "/", "/", "--tmpfs", "/proc", "--", executable] + words, environment: environment)
    }

    @Test("a command runs, and its status comes")
    func run() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { home in
            let words =
                ["run", "--batch", "--agent", "none", "-F", "none", "-i", box.clientKeyFile, "--known-hosts"]
                + [try await box.knownHosts(), "-p", "\(box.port)", "alice@127.0.0.1", "--", "echo here; exit 7"]
            let result = try await run(words, home: home)
            #expect(result.exitStatus == 7 && result.output == "here\n", "\(result.errorOutput)")
        }
    }

    @Test("`bridge-ssh ssh` passes ssh's arguments on to ssh") func standIn() async throws {
        try await ScratchDirectory.with { home in
            let result = try await run(["ssh", "-V"], home: home)
            #expect(result.exitStatus == 0 && result.errorOutput.hasPrefix("OpenSSH_"), "\(result.errorOutput)")
        }
    }

    @Test("the fleet program is found and reads its arguments")
    func fleet() async throws {
        try await ScratchDirectory.with { home in
            let result = try await run(["fleet", "hosts", "web[1-3]", "--exclude", "web2"], home: home)
            let usual = try await run(["fleet", "hosts", "web[1-3]", "--exclude", "web2"], home: home, hides: false)
            #expect(result.exitStatus == usual.exitStatus && result.output == usual.output, "\(result.errorOutput)")
            #expect(usual.output.contains("web3"), "\(usual.errorOutput)")
        }
    }

    @Test("a limit of open files that is too low for a run is named", arguments: ["run", "fleet run --journal none"])
    func openFiles(command: String) async throws {
        try await ScratchDirectory.with { home in
            let executable = try BuiltExecutable.path("bridge-ssh")
            let script = "ulimit -n 10; exec \"$0\" \(command) -F none -l u 127.0.0.1 true"
            let result = try await ProcessRun.run(
                "sh", ["-c", script, executable], environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path]))
            #expect(result.exitStatus == 199 && result.errorOutput.contains("ulimit -n 1024"), "\(result.errorOutput)")
        }
    }

    @Test("a memory limit that is too low for a thread is named, and the run does not hang")
    func memory() async throws {
        try await ScratchDirectory.with { home in
            // The program's own size depends on the build.
            let script = """
                for limit in $(seq 20000 8000 300000); do
                    (ulimit -v $limit; exec timeout -s KILL 60 "$0" run -F none -p 1 127.0.0.1 true) 2> "$HOME/said"
                    status=$?; echo "$limit: $status"
                    case $status in 137) exit 1;; 199) cat "$HOME/said"; exit 0;; 193) exit 0;; esac
                done
                """
            let result = try await ProcessRun.run(
                "sh", ["-c", script, try BuiltExecutable.path("bridge-ssh")],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path]))
            #expect(result.exitStatus == 0 && result.output.contains("ulimit -v unlimited"), "\(result)")
        }
    }

    @Test(
        "without any argument, not even a program name, no help is shown",
        arguments: ["bridge-ssh", "bridge-ssh-fleet"])
    func nameless(program: String) async throws {
        // execve(2) with an empty list.
        let script = "import ctypes, sys; ctypes.CDLL(None).execve(sys.argv[1].encode(), (ctypes.c_char_p * 1)(None), None)"
        let result = try await ProcessRun.run("python3", ["-c", script, try BuiltExecutable.path(program)])
        #expect(result.exitStatus == 199 && result.output.isEmpty, "\(result.errorOutput)")
        #expect(result.errorOutput.contains("not even the program's own name"), "\(result.errorOutput)")
    }
}
