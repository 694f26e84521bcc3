import Foundation

/// The result of a process, and the resources that it used.
public struct MeasuredRun: Sendable {
    /// How it ended.
    public let termination: ProcessTermination
    /// Whether the process was killed because it exceeded a limit.
    public let wasKilled: Bool
    /// Its standard output.
    public let standardOutput: [UInt8]
    /// Its standard error.
    public let standardError: [UInt8]
    /// The elapsed time, in seconds.
    public let seconds: Double
    /// The processor time, in seconds of one processor.
    public let processorSeconds: Double
    /// The peak memory, in bytes.
    public let peakMemory: Int

    /// Runs a program without input until it ends.
    ///
    /// - Parameters:
    ///   - executable: its path.
    ///   - environment: its whole environment.
    ///   - limit: the time limit in seconds. The process is killed when it passes.
    ///   - memoryLimit: the memory limit in bytes. The process is killed when it uses more.
    ///   - scratch: the directory for the files of its output.
    /// - Throws: `POSIXError` if it cannot be started.
    public static func run(
        _ executable: String, _ arguments: [String], environment: [String: String], limit: Double, memoryLimit: Int,
        scratch: ScratchDirectory
    ) async throws -> MeasuredRun {
        let files = (output: try scratch.write("", to: "stdout"), error: try scratch.write("", to: "stderr"))
        return try await withCheckedThrowingContinuation { continuation in
            // wait4 blocks, and only the caller that reaps a process gets its resource usage.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let begun = ContinuousClock.now
                        let pid = try spawn([executable] + arguments, environment, files)
                        return watch(pid, begun, limit, memoryLimit, files)
                    })
            }
        }
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String], _ files: (output: String, error: String)
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else {
            throw POSIXError(.ENOMEM)
        }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files.output, O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, files.error, O_WRONLY, 0)
        // The tests ignore SIGPIPE, and a child would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid = pid_t()
        let problem = posix_spawn(&pid, words[0], &actions, &attributes, arguments, variables)
        guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EINVAL) }
        return pid
    }

    private static func watch(
        _ pid: pid_t, _ begun: ContinuousClock.Instant, _ limit: Double, _ memoryLimit: Int,
        _ files: (output: String, error: String)
    ) -> MeasuredRun {
        var status: Int32 = 0
        var usage = rusage()
        var peak = 0
        var wasKilled = false
        var isItself = false
        while wait4(pid, &status, WNOHANG, &usage) == 0 {
            // posix_spawn(3) may return before the child has its own memory. Until then, it shows the memory of this process.
            isItself = isItself || program(pid) != program(getpid())
            if isItself { peak = max(peak, highWaterMark(pid)) }
            if !wasKilled, begun.duration(to: .now) > .seconds(limit) || peak > memoryLimit {
                kill(pid, SIGKILL)
                wasKilled = true
            }
            usleep(2000)
        }
        let elapsed = begun.duration(to: .now)
        #if os(macOS)
            peak = usage.ru_maxrss
        #endif
        return MeasuredRun(
            termination: status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f), wasKilled: wasKilled,
            standardOutput: contents(files.output), standardError: contents(files.error), seconds: elapsed / .seconds(1),
            processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakMemory: peak)
    }

    /// The executable of a process.
    private static func program(_ pid: pid_t) -> [CChar] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(pid)/exe", &path, path.count)
        return Array(path.prefix(max(0, count)))
    }

    /// The peak memory of a process so far, in bytes.
    ///
    /// `ru_maxrss` is not used, because Linux includes in it the memory of the parent at the fork.
    private static func highWaterMark(_ pid: pid_t) -> Int {
        guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            guard strncmp(line, "VmHWM:", 6) == 0 else { continue }
            return strtol(Array(line.dropFirst(6)), nil, 10) * 1024
        }
        return 0
    }

    private static func contents(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }
    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
