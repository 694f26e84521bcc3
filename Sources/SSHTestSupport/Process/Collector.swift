import Foundation
import Subprocess

/// The part that a process on pipes and a process on a terminal have in common: read everything, run the body, keep the limit.
struct Collector: Sendable {
    /// Fills the first transcript, standard output, or the second, standard error.
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

    /// Runs the sources and the body side by side, and returns when the sources have ended.
    func collect(
        _ process: RunningProcess, sources: [Source],
        body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws {
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await Task.sleep(for: limit)
                    process.send(signal: SIGKILL)
                    throw ProcessOverran(command: command, limit: limit, text: output.text + error.text)
                }
                group.addTask { try await attend(process, sources: sources, body: body) }
                // The first to finish decides; leaving by a throw cancels the other.
                try await group.next()
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
