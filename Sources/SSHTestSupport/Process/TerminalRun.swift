import Foundation
import NIOCore
import Subprocess
import SystemPackage

/// Runs a program on a pseudo-terminal of its own, as a person would.
public enum TerminalRun {
    /// Runs `executable` as the leader of a new session whose controlling terminal shows what it prints.
    ///
    /// In `body`, `standardOutput` is the screen, echo included, and `write` types: `\r` is the return key, `\u{3}` is ^C.
    ///
    /// - Throws: ``MissingTool``, ``ProcessOverran``, or what `body` throws.
    @discardableResult
    public static func run(
        _ executable: String, _ arguments: [String] = [], environment: ProcessEnvironment = .inherited,
        columns: UInt16 = 80, rows: UInt16 = 24, limit: Duration = .seconds(120),
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        // setsid(1) makes the terminal the controlling one, which posix_spawn cannot, and then becomes the program.
        let configuration = Configuration(
            executable: .path(FilePath(try MissingTool.locate("setsid"))),
            arguments: Arguments(["--ctty", try MissingTool.locate(executable)] + arguments), environment: environment.subprocess)
        let collector = Collector(command: [executable] + arguments, limit: limit)
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        let screen = try await terminal.show(on: collector.output)
        collector.error.finish()
        do {
            let outcome = try await Subprocess.run(
                configuration, input: .fileDescriptor(terminal.inner, closeAfterSpawningProcess: false),
                output: .fileDescriptor(terminal.inner, closeAfterSpawningProcess: false),
                error: .fileDescriptor(terminal.inner, closeAfterSpawningProcess: false)
            ) { execution in
                // The screen ends when the last one who has the inner side open closes it, so we must not be that one.
                terminal.closeInner()
                let process = RunningProcess(
                    pid: execution.processIdentifier.value, standardOutput: collector.output, standardError: collector.error,
                    signalling: { try execution.send(signal: Signal(rawValue: $0)) },
                    writing: { try await screen.writeAndFlush(ByteBuffer(bytes: $0)) },
                    closing: {}, hangingUp: { try await screen.close() })
                let shown: Collector.Source = { _, _ in try await screen.closeFuture.get() }
                try await collector.collect(process, sources: [shown], body: body)
            }
            return collector.result(outcome.terminationStatus)
        } catch {
            try? await screen.close()
            terminal.closeInner()
            throw error
        }
    }
}
