import BridgeSSH
import Dispatch
import SSHRun

/// Shows a prompt to a person and returns the answer: the terminal, or an askpass program.
protocol Questioner: Sendable {
    /// Whether the person still sees earlier texts, so that a question need not repeat them.
    var isTerminal: Bool { get }
    /// How many times to repeat a prompt after an invalid answer. Limited for a program, which may never give a valid one.
    var maximumTries: Int { get }

    /// Shows a text and a prompt, and takes one line.
    ///
    /// - Parameters:
    ///   - text: lines to show before the prompt, each with its line end; may be empty.
    ///   - echo: whether the terminal shows the answer while it is typed.
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
        for _ in 0..<maximumTries {
            guard let answer = try await ask(prompt, after: text, echo: true) else { return nil }
            if let meaning = meaning(answer.withBytes { String(decoding: $0, as: UTF8.self) }) { return meaning }
            (prompt, text) = (again, isTerminal ? "" : text)
        }
        return nil
    }
}

extension ControllingTerminal: Questioner {
    var isTerminal: Bool { true }
    var maximumTries: Int { .max }

    func ask(_ prompt: String, after text: String, echo: Bool) async throws -> SSHSecret? {
        if !text.isEmpty { show(text) }
        return try await ask(prompt, echo: echo)
    }
}

/// The source of answers, chosen as ssh(1) does (ENVIRONMENT: DISPLAY, SSH_ASKPASS, SSH_ASKPASS_REQUIRE).
enum QuestionerChoice: Equatable {
    /// No person can be asked.
    case unavailable
    case terminal
    /// The program at this path, or by this name in PATH.
    case program(String)

    /// The program that ssh runs if SSH_ASKPASS is not set, if it exists.
    static let standardProgram = "/usr/bin/ssh-askpass"

    /// - Parameters:
    ///   - hasTerminal: whether /dev/tty can be opened.
    ///   - variable: returns an environment variable's value; an empty value counts as unset.
    ///   - isExecutable: returns whether there is a program at a path.
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

    /// The choice for this process's terminal and environment.
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

/// A program that prompts for this process: it gets the prompt as its argument and prints the answer (SSH_ASKPASS of ssh(1)).
struct AskpassProgram: Questioner {
    /// A path, or a name in PATH.
    let program: String

    private static let maximumAnswerLength = 4096
    private static let pollMilliseconds: Int32 = 20

    var isTerminal: Bool { false }
    var maximumTries: Int { 3 }

    /// - Returns: nil also if the program cannot be started or fails: it fails if the person declined to answer.
    func ask(_ prompt: String, after text: String, echo: Bool) async throws -> SSHSecret? {
        try Task.checkCancellation()
        let wake = WakePipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // On a separate thread, because a person may take any length of time.
                DispatchQueue(label: "askpass").async {
                    continuation.resume(with: Result { try run(text + prompt, unless: wake) })
                }
            }
        } onCancel: {
            wake.ring()
        }
    }

    private func run(_ prompt: String, unless wake: WakePipe) throws -> SSHSecret? {
        guard let (readEnd, writeEnd) = openPipe() else { return nil }
        defer { close(readEnd) }
        var child = LocalProcess(program, [prompt])
        child.searchesPath = true
        child.output = writeEnd
        // SSH_ASKPASS_PROMPT describes the question to this process, not its own question.
        child.drop(variable: "SSH_ASKPASS_PROMPT")
        let process = child.start()
        close(writeEnd)
        guard let process else {
            Console.note("the askpass program \(program) cannot be started: \(String(cString: strerror(errno)))")
            return nil
        }
        return try withUnsafeTemporaryAllocation(byteCount: Self.maximumAnswerLength, alignment: 1) { buffer in
            defer { SecretMemory.wipe(buffer) }
            guard let count = read(readEnd, of: process, into: buffer, unless: wake) else {
                Self.end(process)
                throw CancellationError()
            }
            guard count < buffer.count else {
                // Otherwise the program would wait forever for a reader of the rest.
                Self.end(process)
                Console.note(
                    "the askpass program \(program) printed more than \(Self.maximumAnswerLength - 1) bytes; its answer is ignored"
                )
                return nil
            }
            guard let status = Self.wait(for: process, unless: wake) else {
                Self.end(process)
                throw CancellationError()
            }
            guard status == 0 else { return nil }
            let line = buffer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            return SSHSecret(bytes: line)
        }
    }

    /// - Returns: how many bytes the program printed, at most the size of the buffer; nil if the prompt was cancelled.
    private func read(
        _ descriptor: Int32, of process: pid_t, into buffer: UnsafeMutableRawBufferPointer, unless wake: WakePipe
    ) -> Int? {
        var (count, hadEnded) = (0, false)
        while count < buffer.count {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&watched, nfds_t(watched.count), 10 * Self.pollMilliseconds)
            if watched[1].revents != 0 { return nil }
            guard ready > 0 else {
                // A child of the program may keep the pipe open after the program has ended.
                if hadEnded { break }
                hadEnded = LocalProcess.hasEnded(process)
                continue
            }
            let got = readBytes(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            if got <= 0 { break }
            count += got
        }
        return count
    }

    /// - Returns: the exit status, -1 if it was killed; nil if the prompt was cancelled.
    private static func wait(for process: pid_t, unless wake: WakePipe) -> Int32? {
        while true {
            if let status = LocalProcess.reap(process) { return status & 0x7F == 0 ? status >> 8 & 0xFF : -1 }
            var watched = pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, pollMilliseconds) > 0 { return nil }
        }
    }

    private static func end(_ process: pid_t) {
        // Give the program time to turn the terminal's echo on again.
        LocalProcess.end(process, steps: 100)
        LocalProcess.wait(for: process)
        _ = LocalProcess.reap(process)
    }
}
