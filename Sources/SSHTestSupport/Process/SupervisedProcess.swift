import Foundation
import Subprocess
import SystemPackage

/// A long-running process that cannot outlive this one.
///
/// A small shell reads from a pipe whose writing end belongs to this process. The pipe ends when ``stop()`` closes it or when
/// this process dies. Then the shell kills the process, waits for it, and removes its directory. The shell has its own session,
/// so that a ^C on the tests' terminal reaches only the tests and the shell can still clean up.
final class SupervisedProcess: Sendable {
    /// All that the process wrote on standard output and standard error.
    let transcript: Transcript
    /// The shell's process id.
    let supervisor: Int32

    private let release: AsyncStream<Never>.Continuation
    private let owner: Task<Void, any Error>

    /// The name of the file in which bubblewrap writes the process id of the sandbox's first process.
    ///
    /// Killing that process ends the whole PID namespace. bubblewrap ends only after the namespace is empty.
    static let initFile = "init.json"

    private static let script = """
        directory=$1
        shift
        exec 3<&0 4>"$directory/\(initFile)"
        "$@" </dev/null 3<&- &
        child=$!
        exec >/dev/null 2>&1 4>&-
        read -r _ <&3
        init=$(sed -n 's/.*"child-pid": *\\([0-9]*\\).*/\\1/p' "$directory/\(initFile)")
        grep -qs "^PPid:[[:space:]]*$child$" "/proc/$init/status" || init=$child
        kill -s KILL "$init"
        wait "$child"
        rm -rf -- "$directory"
        """

    /// Starts `command`, whose first word is a path, and returns once it has been started.
    ///
    /// - Parameter directory: An existing directory for the process. It is removed when the process has ended.
    static func start(_ command: [String], in directory: ScratchDirectory) async throws -> SupervisedProcess {
        var options = PlatformOptions()
        options.createSession = true
        let environment: [Environment.Key: String] = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"]
        let configuration = Configuration(
            executable: .path("/bin/sh"),
            arguments: Arguments(["-c", script, "supervisor", directory.url.path] + command),
            environment: .custom(environment), platformOptions: options)
        let (started, starting) = AsyncThrowingStream<Int32, any Error>.makeStream()
        let (held, release) = AsyncStream<Never>.makeStream()
        let transcript = Transcript()
        let owner = Task {
            do {
                _ = try await Subprocess.run(
                    configuration, input: .inputWriter, output: .sequence, error: .combinedWithOutput
                ) { execution in
                    starting.yield(execution.processIdentifier.value)
                    async let filled: Void = transcript.fill(from: execution.standardOutput)
                    for await _ in held {}
                    try await execution.standardInputWriter.finish()
                    try await filled
                }
                starting.finish()
            } catch {
                starting.finish(throwing: error)
                throw error
            }
        }
        for try await pid in started {
            return SupervisedProcess(transcript: transcript, supervisor: pid, release: release, owner: owner)
        }
        throw CancellationError()
    }

    private init(
        transcript: Transcript, supervisor: Int32, release: AsyncStream<Never>.Continuation, owner: Task<Void, any Error>
    ) {
        self.transcript = transcript
        self.supervisor = supervisor
        self.release = release
        self.owner = owner
    }

    deinit { release.finish() }

    /// Ends the process and returns when it, its shell and its directory are gone.
    ///
    /// Calling it again does nothing.
    func stop() async {
        release.finish()
        // The shell's own result is irrelevant.
        _ = await owner.result
    }
}
