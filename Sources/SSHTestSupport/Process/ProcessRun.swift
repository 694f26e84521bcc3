import Foundation
import Subprocess
import SystemPackage

/// Runs a program and collects what it does.
///
/// The closure form gives the running process to `body`, which may wait for output, write, and send signals.
/// When `body` ends, standard input is closed and the end of both outputs and of the process is awaited;
/// when it throws, or the task is cancelled, the process is killed. So neither processes nor descriptors outlive the call.
public enum ProcessRun {
    /// What the process reads.
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

    /// Runs `executable`, a path or a name to be found on PATH.
    ///
    /// - Parameters:
    ///   - limit: After this long the process is killed; a guard against a hanging test, not a way to measure time.
    ///   - keeping: How many bytes of each output are kept.
    /// - Throws: ``MissingTool``, ``ProcessOverran``, or what `body` throws.
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
        let collector = Collector(command: [executable] + arguments, limit: limit, keeping: keeping)
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

    /// A process that ends without reading its input would otherwise kill the tests with SIGPIPE.
    ///
    /// swift-subprocess gives its children default dispositions, so that none inherits this.
    private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    /// A process need not read all that it is given, so that a failed write is no failure of the run.
    private static func feed(_ bytes: [UInt8], to process: RunningProcess) async {
        try? await process.write(bytes)
        try? await process.closeInput()
    }

    private static func run<I: InputProtocol>(
        _ configuration: Configuration, input: I, _ collector: Collector,
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
            let sources: [Collector.Source] = [
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
