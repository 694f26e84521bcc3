public import BridgeSSH
internal import Synchronization

/// A server that is not there: it answers commands as a test says, and records them.
///
/// ```swift
/// let server = ScriptedCommands()
/// server.on("uptime", answer: "up 3 days\n")
/// server.on("systemctl restart web", exits: 1, standardError: "Unit web not found.\n")
/// try await deploy(on: server)
/// #expect(server.commands == ["uptime", "systemctl restart web"])
/// ```
/// A command without an answer throws ``UnexpectedCommand``. `check`, `outputLimit` and a timeout of zero or less act as they
/// do on a connection.
public final class ScriptedCommands: SSHCommandRunning {
    /// A command that the test has no answer for.
    public struct UnexpectedCommand: Error, Sendable, Hashable, CustomStringConvertible {
        /// The command.
        public let command: String
        /// What it is, in a sentence.
        public var description: String { "The test has no answer for the command “\(command)”." }
    }

    /// Makes the result of a command, or throws: an ``SSHError`` as a connection would, for instance one made with
    /// `SSHFailureClassifier.classify`.
    public typealias Answer = @Sendable (SSHCommand) async throws -> SSHCommandResult

    private struct State {
        /// The last one that matches counts.
        var answers: [(matches: @Sendable (String) -> Bool, answer: Answer)] = []
        var requests: [SSHCommand] = []
    }
    private let state = Mutex(State())

    /// A server that has no answers yet.
    public init() {}

    /// Every command that was asked for, in order, those without an answer included.
    public var requests: [SSHCommand] { state.withLock { $0.requests } }
    /// Their command lines.
    public var commands: [String] { requests.map(\.command) }

    /// Answers a command with what it writes and how it ends.
    ///
    /// - Parameters:
    ///   - command: the whole command line. An answer given later for the same one takes its place.
    ///   - output: its standard output.
    ///   - status: its exit status.
    ///   - standardError: its standard error.
    public func on(_ command: String, answer output: String = "", exits status: Int = 0, standardError: String = "") {
        on(where: { $0 == command }) { request in
            SSHCommandResult(
                command: request.command, termination: .exited(status), standardOutput: Array(output.utf8),
                standardError: Array(standardError.utf8))
        }
    }

    /// Makes a command fail before it has ended.
    public func on(_ command: String, throws error: any Error & Sendable) {
        on(where: { $0 == command }) { _ in throw error }
    }

    /// Answers the commands that `matches` accepts. Of several answers that match, the one given last counts.
    public func on(where matches: @escaping @Sendable (String) -> Bool, _ answer: @escaping Answer) {
        state.withLock { $0.answers.append((matches, answer)) }
    }

    /// Answers a command.
    ///
    /// - Throws: ``UnexpectedCommand``; ``SSHError``, as a connection would; what an answer throws.
    public func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.last { $0.matches(request.command) }?.answer
        }
        if let refusal = request.refusal { throw refusal }
        guard let answer else { throw UnexpectedCommand(command: request.command) }
        let result = try await answer(request)
        let limit = request.options.outputLimit
        for (stream, bytes) in [
            (SSHEvidence.OutputStream.standardOutput, result.standardOutput), (.standardError, result.standardError),
        ]
        where bytes.count > limit {
            var error = SSHFailureClassifier.classify(
                SSHEvidence(event: .outputLimitExceeded(stream: stream, limit: limit), stage: .command))
            error.result = result
            throw error
        }
        return request.check ? try result.checked() : result
    }
}
