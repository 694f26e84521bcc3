import Foundation
import Subprocess
import SystemPackage

/// Runs a program and collects its output.
///
/// `body` gets the running process, and may wait for output, write, and send signals. When `body` ends, standard input is
/// closed, and the call waits for the end of both outputs and of the process. If `body` throws, or the task is cancelled, the
/// process is killed. So neither processes nor descriptors outlive the call.
public enum ProcessRun {
    /// The standard input of a process.
    public enum Input: Sendable {
        /// Nothing: `/dev/null`.
        case none
        /// These bytes through a pipe, then its end.
        case bytes([UInt8])
        /// A file.
        case file(String)
        /// A pipe that stays open until `body` closes it or ends.
        case pipe
    }

    /// Runs `executable`: a path, or a name to look up on PATH.
    ///
    /// - Parameters:
    ///   - limit: The time limit, after which the process is killed. It guards against a hanging test and does not measure
    ///     time.
    ///   - keeping: The number of bytes of each output to keep.
    /// - Throws: ``MissingTool``, ``ProcessTimeout``, or what `body` throws.
    @discardableResult
    public static func run(
        _ executable: String, _ arguments: [String] = [], environment: ProcessEnvironment = .inherited,
        directory: String? = nil, input: Input = .none, limit: Duration = .seconds(600), keeping: Int = .max,
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        ignoresBrokenPipes
        let configuration = Configuration(
            executable: .path(FilePath(try MissingTool.locate(executable))), arguments: Arguments(arguments),
            environment: environment.subprocess, workingDirectory: directory.map { FilePath($0) })
        let collector = ProcessOutputCollector(command: [executable] + arguments, limit: limit, keeping: keeping)
        switch input {
        case .none:
            return try await run(configuration, input: .none, collector, body: body) { _ in nil }
        case .file(let path):
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            let whole = FileDescriptorInput.fileDescriptor(file, closeAfterSpawningProcess: true)
            return try await run(configuration, input: whole, collector, body: body) { _ in nil }
        case .bytes(let bytes):
            let feedingBody: @Sendable (RunningProcess) async throws -> Void = { process in
                async let written: Void = feed(bytes, to: process)
                try await body(process)
                await written
            }
            return try await run(configuration, input: .inputWriter, collector, body: feedingBody) { $0.standardInputWriter }
        case .pipe:
            return try await run(configuration, input: .inputWriter, collector, body: body) { $0.standardInputWriter }
        }
    }

    /// Like ``run(_:_:environment:directory:input:limit:keeping:body:)``, but throws ``ProcessFailed`` unless the status is 0.
    @discardableResult
    public static func check(
        _ executable: String, _ arguments: [String] = [], environment: ProcessEnvironment = .inherited,
        directory: String? = nil, input: Input = .none
    ) async throws -> ProcessResult {
        let result = try await run(executable, arguments, environment: environment, directory: directory, input: input)
        guard result.termination == .exited(0) else { throw ProcessFailed(command: [executable] + arguments, result: result) }
        return result
    }

    /// Ignores SIGPIPE. Otherwise a process that ends without reading its input would kill the tests.
    ///
    /// swift-subprocess resets the signals of its children, so they do not inherit this.
    private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    /// Writes the input. A failed write is ignored, because a process need not read all its input.
    private static func feed(_ bytes: [UInt8], to process: RunningProcess) async {
        try? await process.write(bytes)
        try? await process.closeInput()
    }

    private static func run<I: InputProtocol>(
        _ configuration: Configuration, input: I, _ collector: ProcessOutputCollector,
        body: @escaping @Sendable (RunningProcess) async throws -> Void,
        writer: @Sendable (Execution<I, SequenceOutput, SequenceOutput>) -> StandardInputWriter?
    ) async throws -> ProcessResult {
        let outcome = try await Subprocess.run(configuration, input: input, output: .sequence, error: .sequence) { execution in
            let writer = writer(execution)
            let process = RunningProcess(
                pid: execution.processIdentifier.value,
                standardOutput: collector.output, standardError: collector.error,
                signalling: { try execution.send(signal: Signal(rawValue: $0)) },
                writing: { bytes in
                    guard let writer else { throw POSIXError(.EPIPE) }
                    _ = try await writer.write(bytes)
                },
                closing: { try await writer?.finish() }, hangingUp: {})
            let sources: [ProcessOutputCollector.Source] = [
                { output, _ in try await output.fill(from: execution.standardOutput) },
                { _, error in try await error.fill(from: execution.standardError) },
            ]
            try await collector.collect(process, sources: sources, body: body)
        }
        return collector.result(outcome.terminationStatus)
    }
}

extension Transcript {
    func fill(from sequence: SubprocessOutputSequence) async throws {
        defer { finish() }
        for try await buffer in sequence { append(buffer.withUnsafeBytes { Array($0) }) }
    }
}

/// The environment of a process.
public enum ProcessEnvironment: Sendable {
    /// The environment of this process, with these changes. A nil value removes a variable.
    case inherited([String: String?])
    /// Exactly these variables, and LD_LIBRARY_PATH if it is set.
    case exactly([String: String])

    /// The unchanged environment of this process.
    public static let inherited = ProcessEnvironment.inherited([:])

    var subprocess: Environment {
        switch self {
        case .inherited(let changes):
            var keyed: [Environment.Key: String?] = [:]
            for (name, value) in changes { keyed[Environment.Key(stringLiteral: name)] = .some(value) }
            return .inherit.updating(keyed)
        case .exactly(let values):
            var keyed: [Environment.Key: String] = [:]
            // LD_LIBRARY_PATH selects the libraries for the whole test run.
            if let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] { keyed["LD_LIBRARY_PATH"] = path }
            for (name, value) in values { keyed[Environment.Key(stringLiteral: name)] = value }
            return .custom(keyed)
        }
    }
}

/// A process while it runs, as the closure of ``ProcessRun`` sees it.
public struct RunningProcess: Sendable {
    /// Its process id.
    public let pid: Int32
    /// Its standard output so far. On a terminal, everything that the terminal has shown.
    public let standardOutput: Transcript
    /// Its standard error so far; empty on a terminal.
    public let standardError: Transcript

    let signalling: @Sendable (Int32) throws -> Void
    let writing: @Sendable ([UInt8]) async throws -> Void
    let closing: @Sendable () async throws -> Void
    let hangingUp: @Sendable () async throws -> Void

    /// Sends a signal to the process, or does nothing if it has ended.
    public func send(signal: Int32) {
        // Sending a signal fails only if the process has ended.
        try? signalling(signal)
    }

    /// Writes to its standard input, or types on its terminal.
    public func write(_ bytes: [UInt8]) async throws { try await writing(bytes) }

    /// Writes UTF-8 text to its standard input, or types it on its terminal.
    public func write(_ text: String) async throws { try await writing(Array(text.utf8)) }

    /// Closes its standard input.
    ///
    /// On a terminal this does nothing; type `\u{4}` instead.
    public func closeInput() async throws { try await closing() }

    /// Hangs up the process's terminal, as when its window is closed. Does nothing without a terminal.
    public func hangUp() async throws { try await hangingUp() }
}

/// Runs the body together with a process, on pipes or on a terminal: reads all output, and enforces the time limit.
struct ProcessOutputCollector: Sendable {
    /// Fills the first transcript with standard output, or the second with standard error.
    typealias Source = @Sendable (Transcript, Transcript) async throws -> Void

    let command: [String]
    let limit: Duration
    let output: Transcript
    let error: Transcript

    init(command: [String], limit: Duration, keeping: Int = .max) {
        self.command = command
        self.limit = limit
        output = Transcript(keeping: keeping)
        error = Transcript(keeping: keeping)
    }

    /// Runs the sources and the body concurrently, and returns when the sources have ended.
    func collect(
        _ process: RunningProcess, sources: [Source],
        body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws {
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw ProcessTimeout(command: command, limit: limit, text: output.text + error.text)
                }
                group.addTask { try await attend(process, sources: sources, body: body) }
                // The first task to finish decides. A thrown error cancels the other.
                do {
                    try await group.next()
                } catch let timeout as ProcessTimeout {
                    // Not before: the process would end, and the other task could finish first.
                    process.send(signal: SIGKILL)
                    throw timeout
                }
                group.cancelAll()
            }
        } onCancel: {
            process.send(signal: SIGKILL)
        }
    }

    private func attend(
        _ process: RunningProcess, sources: [Source],
        body: @Sendable (RunningProcess) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { readers in
            for source in sources { readers.addTask { try await source(output, error) } }
            do {
                try await body(process)
                try await process.closeInput()
            } catch {
                process.send(signal: SIGKILL)
                throw error
            }
            try await readers.waitForAll()
        }
    }

    func result(_ status: TerminationStatus) -> ProcessResult {
        let termination: ProcessTermination =
            switch status {
            case .exited(let code): .exited(code)
            case .signaled(let code): .signalled(code)
            }
        return ProcessResult(termination: termination, standardOutput: output.bytes, standardError: error.bytes)
    }
}

/// How a process ended.
public enum ProcessTermination: Sendable, Hashable {
    /// It called `exit` with this status, 0–255.
    case exited(Int32)
    /// This signal killed it.
    case signalled(Int32)
}

/// What a process printed and how it ended.
public struct ProcessResult: Sendable {
    /// How it ended.
    public let termination: ProcessTermination
    /// Its standard output. On a terminal, everything that the terminal showed.
    public let standardOutput: [UInt8]
    /// Its standard error. Empty on a terminal, which shows both together.
    public let standardError: [UInt8]

    /// Standard output as text, with replacement characters for invalid UTF-8.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text, with replacement characters for invalid UTF-8.
    public var errorOutput: String { String(decoding: standardError, as: UTF8.self) }
    /// The exit status, or nil if a signal killed it.
    public var exitStatus: Int32? { if case .exited(let status) = termination { status } else { nil } }
}

/// A process that should have succeeded did not.
public struct ProcessFailed: Error, CustomStringConvertible {
    /// The program and its arguments.
    public let command: [String]
    /// The result of the process.
    public let result: ProcessResult
    /// The command, its end and both outputs.
    public var description: String {
        "\(command.joined(separator: " ")): \(result.termination)\n\(result.output)\(result.errorOutput)"
    }
}

/// A process ran for longer than its limit and was killed.
public struct ProcessTimeout: Error, CustomStringConvertible {
    /// The program and its arguments.
    public let command: [String]
    /// The limit.
    public let limit: Duration
    /// The output so far, of both streams.
    public let text: String
    /// The command, the limit and the output.
    public var description: String { "\(command.joined(separator: " ")): still running after \(limit)\n\(text)" }
}
