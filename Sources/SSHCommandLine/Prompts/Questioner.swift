import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Shows a prompt to a person and returns a line: the terminal, or an askpass program.
protocol Questioner: Sendable {
    /// Whether texts are seen at once and stay, so that a question need not repeat what was said before.
    var isTerminal: Bool { get }
    /// How often to repeat a prompt after an invalid answer: a person learns, a program may not.
    var patience: Int { get }

    /// Shows a text and a prompt, and takes one line.
    ///
    /// - Parameters:
    ///   - text: lines to be shown before the prompt, each with its end; may be empty.
    ///   - echo: whether the answer may be seen while it is typed.
    /// - Returns: the line without its end; nil if there is no answer.
    /// - Throws: `CancellationError`.
    func ask(_ prompt: String, after text: String, echo: Bool) async throws -> SSHSecret?
}

extension Questioner {
    /// Prompts until an answer is valid.
    ///
    /// - Returns: nil if there is no answer, or no valid one within the allowed number of prompts.
    func ask<Answer>(
        _ prompt: String, again: String, after text: String, meaning: (String) -> Answer?
    ) async throws -> Answer? {
        var (prompt, text) = (prompt, text)
        for _ in 0..<patience {
            guard let answer = try await ask(prompt, after: text, echo: true) else { return nil }
            if let meaning = meaning(answer.withBytes { String(decoding: $0, as: UTF8.self) }) { return meaning }
            (prompt, text) = (again, isTerminal ? "" : text)
        }
        return nil
    }
}

extension ControllingTerminal: Questioner {
    var isTerminal: Bool { true }
    var patience: Int { .max }

    func ask(_ prompt: String, after text: String, echo: Bool) async throws -> SSHSecret? {
        if !text.isEmpty { show(text) }
        return try await ask(prompt, echo: echo)
    }
}

/// The source of answers, chosen as in ssh(1) (ENVIRONMENT: DISPLAY, SSH_ASKPASS, SSH_ASKPASS_REQUIRE).
enum QuestionerChoice: Equatable {
    /// Questions cannot be asked.
    case unavailable
    case terminal
    /// The program at this path, or by this name in PATH.
    case program(String)

    /// The program that ssh runs if SSH_ASKPASS is not set, if it exists.
    static let standardProgram = "/usr/bin/ssh-askpass"

    /// - Parameters:
    ///   - hasTerminal: whether /dev/tty can be opened.
    ///   - variable: an environment variable's value; an empty one counts as none.
    ///   - isExecutable: whether there is a program at a path.
    init(hasTerminal: Bool, variable: (String) -> String?, isExecutable: (String) -> Bool) {
        var mayUseProgram = variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil
        var wantsProgram = !hasTerminal
        switch variable("SSH_ASKPASS_REQUIRE")?.lowercased() {
        case "force": (wantsProgram, mayUseProgram) = (true, true)
        case "prefer": wantsProgram = wantsProgram || mayUseProgram
        case "never": mayUseProgram = false
        default: break
        }
        let standard = isExecutable(Self.standardProgram) ? Self.standardProgram : nil
        if wantsProgram, mayUseProgram, let program = variable("SSH_ASKPASS") ?? standard {
            self = .program(program)
        } else {
            self = hasTerminal ? .terminal : .unavailable
        }
    }

    /// As this process's terminal and environment have it.
    static let ofThisProcess = QuestionerChoice(
        hasTerminal: ControllingTerminal.isAvailable, variable: LaunchEnvironment.variable,
        isExecutable: { access($0, X_OK) == 0 })

    /// Nil if no person can be asked.
    var questioner: (any Questioner)? {
        switch self {
        case .unavailable: nil
        case .terminal: ControllingTerminal()
        case .program(let program): AskpassProgram(program: program)
        }
    }
}
