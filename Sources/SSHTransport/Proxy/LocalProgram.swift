internal import CProcessGuard
internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// A local program to be started, with its streams and signals. The caller waits for its end.
///
/// Starting never keeps a ^Z from stopping this process: see `bridge_start_program`.
package struct LocalProgram: Sendable {
    /// Why a program could not be started.
    package struct StartFailure: Error {
        package let errno: Int32
        package var text: String { String(cString: strerror(errno)) }
    }

    /// Its environment variables.
    package enum Environment: Sendable {
        /// This process's, without one of that name.
        case inherited(without: String?)
        /// These, as `NAME=value`.
        case variables([String])
    }

    private let path: String
    private let arguments: [String]
    /// Whether to search PATH for a name without a slash.
    package var searchesPath = false
    /// Its argument 0; nil for its path.
    package var name: String?
    package var environment = Environment.inherited(without: nil)
    /// Its standard input and output; nil for /dev/null.
    package var input: Int32?
    package var output: Int32?
    /// Its standard error; nil for this process's own.
    package var errors: Int32?
    /// The signals of a write that fails. Our programs ignore them, and those that they start do not.
    package static let writeSignals = [SIGPIPE, SIGXFSZ]
    /// Signals that it does not ignore even if this process does.
    package var defaultSignals: [Int32] = []
    /// Signals that are blocked in it; no others are.
    package var blockedSignals: [Int32] = []
    /// Whether it leads its own process group. Then it cannot read from the terminal.
    package var hasOwnGroup = false
    /// Whether the process that is started is its supervisor, which ends the program and all its descendants at SIGTERM.
    package var isSupervised = false

    package init(_ path: String, _ arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// Starts it. The caller must signal it only while it exists, and reap it once.
    ///
    /// - Returns: its process ID.
    package func start() throws(StartFailure) -> pid_t {
        var process: pid_t = 0
        let number = Self.withWords([name ?? path] + arguments) { words in
            withEnvironment { environment in
                path.withCString { path in
                    var description = bridge_program(
                        path: path, searches_path: searchesPath ? 1 : 0, arguments: words, environment: environment,
                        input: input ?? -1, output: output ?? -1, errors: errors ?? -1,
                        default_signals: Self.set(defaultSignals), blocked_signals: Self.set(blockedSignals),
                        own_group: hasOwnGroup ? 1 : 0, supervised: isSupervised ? 1 : 0)
                    return bridge_start_program(&description, &process)
                }
            }
        }
        guard number == 0 else { throw StartFailure(errno: number) }
        return process
    }

    private typealias Words = UnsafePointer<UnsafeMutablePointer<CChar>?>

    private static func set(_ signals: [Int32]) -> UInt64 { signals.reduce(0) { $0 | 1 << UInt64($1) } }

    private static func withWords<Result>(_ words: [String], _ body: (Words?) -> Result) -> Result {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }

    private func withEnvironment<Result>(_ body: (Words?) -> Result) -> Result {
        switch environment {
        case .variables(let variables): return Self.withWords(variables, body)
        case .inherited(without: nil): return body(bridge_environment())
        case .inherited(without: let name?):
            guard var next = bridge_environment() else { return body(nil) }
            var kept: [UnsafeMutablePointer<CChar>?] = []
            while let entry = next.pointee {
                if strncmp(entry, name + "=", name.utf8.count + 1) != 0 { kept.append(entry) }
                next += 1
            }
            return (kept + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

/// One call of a ``SSHKnownHostsCommand``.
package struct KnownHostsProgram: Sendable {
    package let words: [String]
    package let environment: [String]
    /// Seconds that it may take.
    package let limit: Double

    package init(words: [String], environment: [String], limit: Double) {
        self.words = words
        self.environment = environment
        self.limit = limit
    }

    /// The most bytes of output that are read.
    private static let maximumOutputLength = 16 << 20
    private static let keptErrors = 4096
    /// The interval at which a reader checks whether to stop, in milliseconds: a grandchild may hold the pipes open.
    private static let pollInterval: Int32 = 50

    /// Runs it to its end.
    ///
    /// - Returns: its standard output.
    /// - Throws: `Fault` if it cannot be started, fails, takes too long or writes too much; `CancellationError`.
    package func output() async throws -> [UInt8] {
        let child: ChildProcess
        do {
            child = try ChildProcess.start(words[0], Array(words.dropFirst()), environment: environment)
        } catch {
            throw fault("cannot be started: \(error.text)")
        }
        close(child.input)
        let isOver = Mutex(false)
        let stop: @Sendable () -> Void = {
            isOver.withLock { $0 = true }
            child.kill()
        }
        // Ended with this call, by the line below it.
        let timer = Task {
            try await Task.sleep(for: .seconds(limit))
            stop()
        }
        defer { timer.cancel() }
        let (output, errors) = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<([UInt8], [UInt8]), Never>) in
                // On a separate thread, which may block.
                DispatchQueue(label: "known hosts command").async {
                    let result = Self.read(child) { isOver.withLock { $0 } }
                    child.reap()
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            stop()
        }
        try Task.checkCancellation()
        if isOver.withLock({ $0 }) { throw fault("did not end within \(limit.inSeconds)") }
        guard output.count <= Self.maximumOutputLength else { throw fault("wrote more than 16 MiB") }
        guard child.exitStatus == 0 else {
            let words = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
            throw fault("exited with status \(child.exitStatus ?? -1)\(words)")
        }
        return output
    }

    private func fault(_ what: String) -> Fault {
        Fault(
            .configurationInvalid(file: "KnownHostsCommand", line: nil, problem: "\(words[0].oneLine()) \(what.oneLine(300))"),
            stage: .local)
    }

    /// Reads both pipes until the output ends or the call is over. A process that the program leaves behind may hold standard
    /// error forever.
    private static func read(_ child: ChildProcess, isOver: () -> Bool) -> ([UInt8], [UInt8]) {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var watched = [child.output, child.errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !isOver(), output.count <= maximumOutputLength {
            // After the end of the output, read only the bytes that are already there.
            let hasEnded = watched[0].fd < 0
            if hasEnded, watched[1].fd < 0 { break }
            guard poll(&watched, nfds_t(watched.count), hasEnded ? 0 : pollInterval) > 0 else {
                if hasEnded { break }
                continue
            }
            for index in watched.indices where watched[index].fd >= 0 && watched[index].revents != 0 {
                let count = buffer.withUnsafeMutableBytes { readBytes(watched[index].fd, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    watched[index].fd = -1
                    continue
                }
                if index == 0 {
                    output += buffer[..<count]
                } else {
                    errors = Array((errors + buffer[..<count]).suffix(keptErrors))
                }
            }
        }
        close(child.output)
        close(child.errors)
        if output.count > maximumOutputLength { child.kill() }
        return (output, errors)
    }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
