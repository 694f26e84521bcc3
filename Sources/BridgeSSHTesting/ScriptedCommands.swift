public import BridgeSSH
internal import Synchronization

/// A simulated server: it answers commands as a test says, and records them.
///
/// ```swift
/// let server = ScriptedCommands()
/// server.on("uptime", answer: "up 3 days\n")
/// server.on("systemctl restart web", exits: 1, standardError: "Unit web not found.\n")
/// try await deploy(on: server)
/// #expect(server.commands == ["uptime", "systemctl restart web"])
/// ```
/// For code that reads output as it arrives, or holds a dialogue, use a script:
/// ```swift
/// server.on("journalctl -f") { command in
///     try await command.write("started\n")
///     return .exited(0)
/// }
/// ```
/// A command without an answer throws ``UnexpectedCommand``. `check`, `outputLimit` and a timeout of zero or less act as they do
/// on a connection; a longer timeout never expires.
public final class ScriptedCommands: SSHCommandRunning {
    /// A command that the test has no answer for.
    public struct UnexpectedCommand: Error, Sendable, Hashable, CustomStringConvertible {
        /// The command.
        public let command: String
        /// A sentence with the command.
        public var description: String { "The test has no answer for the command “\(command)”." }
    }

    /// Makes the result of a command, or throws: an `SSHError` as a connection would, for instance one made with
    /// `SSHFailureClassifier.classify`.
    public typealias Answer = @Sendable (SSHCommand) async throws -> SSHCommandResult
    /// Plays a command or the target of a stream, and returns how it ends; or throws like an ``Answer``.
    public typealias Script = @Sendable (ScriptedConversation) async throws -> SSHTermination

    private enum Reply {
        case result(Answer)
        case script(Script)
    }

    private struct State {
        /// The last one that matches counts.
        var replies: [(matches: @Sendable (String) -> Bool, reply: Reply)] = []
        var requests: [SSHCommand] = []
    }
    private let state = Mutex(State())

    /// A server without answers.
    public init() {}

    /// Every command that was asked for, in order, those without an answer included.
    public var requests: [SSHCommand] { state.withLock { $0.requests } }
    /// Their command lines.
    public var commands: [String] { requests.map(\.command) }

    /// Answers a command with its output and its end.
    ///
    /// - Parameters:
    ///   - command: the whole command line. A later answer for the same command replaces it.
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

    /// Answers the commands that `matches` accepts. If several answers match, the one added last counts.
    public func on(where matches: @escaping @Sendable (String) -> Bool, _ answer: @escaping Answer) {
        state.withLock { $0.replies.append((matches, .result(answer))) }
    }

    /// Has a script play a command.
    public func on(_ command: String, script: @escaping Script) {
        state.withLock { $0.replies.append(({ $0 == command }, .script(script))) }
    }

    /// Lets a script play the host that the server connects to.
    public func on(host: String, port: Int, script: @escaping Script) {
        on(Self.place(host, port), script: script)
    }

    private static func place(_ host: String, _ port: Int) -> String { "connect to \(host) port \(port)" }

    /// Takes a request down.
    ///
    /// - Throws: `SSHError` for what no connection would send; ``UnexpectedCommand``.
    private func reply(to request: SSHCommand) throws -> Reply {
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.last { $0.matches(request.command) }?.reply
        }
        if let refusal = request.refusal { throw refusal }
        guard let reply else { throw UnexpectedCommand(command: request.command) }
        return reply
    }

    /// Answers a command.
    ///
    /// - Throws: ``UnexpectedCommand``; `SSHError`, as a connection would; what an answer throws.
    public func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        let result: SSHCommandResult
        switch try reply(to: request) {
        case .result(let answer): result = try await answer(request)
        case .script(let script): result = try await collected(request, script)
        }
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

extension ScriptedCommands: SSHCommandStreaming {
    /// Answers a command piece by piece.
    ///
    /// - Throws: as ``run(_:)``; what `body` throws.
    public func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        let script = Self.script(try reply(to: request))
        return try await play(
            script, request, standardError, whenBodyReturns, input: request.standardInput, isolation: isolation
        ) { conversation in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await body(conversation)
        }
    }

    /// Answers a command that `body` writes to.
    ///
    /// - Throws: as ``run(_:)``; what `body` throws.
    public func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        let script = Self.script(try reply(to: request))
        return try await play(script, request, standardError, whenBodyReturns, input: nil, isolation: isolation) { conversation in
            _ = isolation  // Capturing the isolation makes the closure run there.
            let input = SSHInput(conversation)
            let value = try await body(conversation, input)
            try? await input.finish()
            return value
        }
    }

    private static func script(_ reply: Reply) -> Script {
        switch reply {
        case .script(let script): return script
        case .result(let answer):
            return { conversation in
                let result = try await answer(conversation.request)
                try await conversation.writeError(result.standardErrorText)
                try await conversation.write(result.standardOutput)
                return result.termination
            }
        }
    }

    private func collected(_ request: SSHCommand, _ script: @escaping Script) async throws -> SSHCommandResult {
        let outcome = try await play(
            script, request, .stream, .wait, input: request.standardInput, isolation: #isolation
        ) { conversation in
            async let errors = Self.bytes(of: conversation.standardError)
            let output = try await Self.bytes(of: conversation.standardOutput)
            return (output, try await errors)
        }
        return SSHCommandResult(
            command: request.command, termination: outcome.termination, standardOutput: outcome.value.0,
            standardError: outcome.value.1, duration: outcome.duration)
    }

    private static func bytes(of output: SSHOutput) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in output { bytes += chunk.bytes }
        return bytes
    }

    /// - Parameter input: the command's input; nil if `body` writes it.
    private func play<Value>(
        _ script: @escaping Script, _ request: SSHCommand, _ standardError: SSHStandardErrorHandling,
        _ whenBodyReturns: SSHExecution.WhenBodyReturns, input: SSHStandardInput?, isolation: isolated (any Actor)?,
        _ body: (ScriptedConversation) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        let conversation = ScriptedConversation(request, collectsErrors: standardError == .stream)
        defer { conversation.close() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await conversation.run(script) }
            if let input { group.addTask { await conversation.feed(input) } }
            defer {
                conversation.stop()
                group.cancelAll()
            }
            _ = isolation  // Capturing the isolation makes the closure run there.
            do {
                let value = try await body(conversation)
                let (result, wasTerminated) = try await conversation.finish(whenBodyReturns)
                return SSHCommandOutcome(value: value, of: result, wasTerminated: wasTerminated)
            } catch is CancellationError {
                throw await conversation.failure(Fault(.cancelled(signal: nil), stage: .local))
            }
        }
    }
}

extension ScriptedCommands: SSHStreamOpening {
    /// Has the script of a host and port play it.
    ///
    /// - Throws: ``UnexpectedCommand``; `SSHError` if the task is cancelled; the errors of `body`.
    public func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)?, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        let request = SSHCommand(Self.place(host, port))
        let script = Self.script(try reply(to: request))
        return try await play(script, request, .tailOnly, .terminate, input: nil, isolation: isolation) { conversation in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await body(SSHStream(inbound: conversation.standardOutput, outbound: SSHInput(conversation)))
        }.value
    }
}
