internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A child with pipes at its standard streams, which is signalled only while it exists and reaped exactly once.
package final class ChildProcess: Sendable {
    /// Why a child could not be started.
    struct StartFailure: Error {
        let errno: Int32
        var text: String { String(cString: strerror(errno)) }
    }

    /// Our end of its standard input, output and error.
    let input: Int32
    let output: Int32
    let errors: Int32
    private let id: pid_t
    private let state = Mutex<State>(.running)

    private enum State {
        case running
        case reaped(status: Int32?)
    }

    /// The signals that ask a child to end, in this order: ssh(1) sends a proxy command SIGHUP.
    static let endingSignals = [SIGHUP, SIGTERM]
    /// The running children, for a process that exits at once.
    private static let running = Mutex<[pid_t: ChildProcess]>([:])
    /// Between its creation and being marked close-on-exec, a descriptor could be inherited by a child started at the same time.
    private static let starting = Mutex(())

    private init(id: pid_t, input: Int32, output: Int32, errors: Int32) {
        self.id = id
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Runs `shell -c script`.
    static func start(shell: String, script: String, environment: [String]) throws(StartFailure) -> ChildProcess {
        try start(shell, ["-c", script], environment: environment)
    }

    /// Runs the program at a path.
    static func start(
        _ path: String, _ arguments: [String], environment: [String]
    ) throws(StartFailure) -> ChildProcess {
        let result = starting.withLock { _ in
            Result { () throws(StartFailure) in try spawn(path, arguments, environment: environment) }
        }
        let child = try result.get()
        running.withLock { $0[child.id] = child }
        return child
    }

    private static func spawn(
        _ path: String, _ arguments: [String], environment: [String]
    ) throws(StartFailure) -> ChildProcess {
        var pipes: [(read: Int32, write: Int32)] = []
        func closeAll() { for pipe in pipes { close(pipe.read); close(pipe.write) } }
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                let number = errno
                closeAll()
                throw StartFailure(errno: number)
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes.append((ends[0], ends[1]))
        }
        var process: pid_t = 0
        let number = spawn(
            &process, path, arguments, environment, streams: [pipes[0].read, pipes[1].write, pipes[2].write])
        guard number == 0 else {
            closeAll()
            throw StartFailure(errno: number)
        }
        close(pipes[0].read)
        close(pipes[1].write)
        close(pipes[2].write)
        return ChildProcess(id: process, input: pipes[0].write, output: pipes[1].read, errors: pipes[2].read)
    }

    /// - Returns: an errno, or 0.
    private static func spawn(
        _ process: inout pid_t, _ path: String, _ arguments: [String], _ environment: [String], streams: [Int32]
    ) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else { return ENOMEM }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (target, descriptor) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        // ^C is for us, who end the remote command in order and then the child; and what we ignore it need not.
        var blocked = sigset_t()
        var restored = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGINT)
        sigemptyset(&restored)
        sigaddset(&restored, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for text in words + variables { free(text) } }
        return posix_spawn(&process, path, &actions, &attributes, words + [nil], variables + [nil])
    }

    // MARK: Its end

    /// Waits for the end and takes the status. Blocks the thread, once in the life of a child.
    func reap() {
        var information = siginfo_t()
        // It stays a zombie, so that its number is not reused, until the lock is held.
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            let isOurs = waitpid(id, &status, WNOHANG) == id
            state = .reaped(status: isOurs ? status : nil)
        }
        Self.running.withLock { $0[id] = nil }
    }

    var hasEnded: Bool { state.withLock { if case .reaped = $0 { true } else { false } } }

    /// The next bytes of its standard error, without waiting; empty at the end, nil where there is nothing now.
    func readErrors() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(errors, $0) }
            if count >= 0 { return Array(buffer[..<count]) }
            guard errno == EINTR else { return nil }
        }
    }

    /// The status, 128 + n where signal n ended it; nil while it runs.
    var exitStatus: Int? {
        state.withLock { state in
            guard case .reaped(let status?) = state else { return nil }
            return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
        }
    }

    func send(_ number: Int32) {
        state.withLock { state in
            if case .running = state { Self.signal(id, number) }
        }
    }

    func kill() { send(SIGKILL) }

    /// Ends every child, for a process that waits for nothing any more: by request, and a moment later by force.
    package static func hangUpAll() {
        let children = running.withLock { Array($0.values) }
        guard !children.isEmpty else { return }
        for child in children { child.send(SIGHUP) }
        for _ in 0..<10 where !children.allSatisfy(\.hasEnded) { usleep(5000) }
        for child in children { child.kill() }
    }

    private static func signal(_ id: pid_t, _ number: Int32) { systemKill(id, number) }
}

private func systemKill(_ id: pid_t, _ number: Int32) { _ = kill(id, number) }

private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, memory.baseAddress, memory.count)
}
