import BridgeSSH
import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program that prompts on our behalf: it gets the prompt as its argument and prints the answer (SSH_ASKPASS of ssh(1)).
struct AskpassProgram: Questioner {
    /// A path, or a name in PATH.
    let program: String

    private static let longestAnswer = 4096
    private static let step: Int32 = 20  // milliseconds

    var isTerminal: Bool { false }
    var patience: Int { 3 }

    /// - Returns: nil also if the program cannot be started or fails, which is how it reports that the person declined to answer.
    func ask(_ prompt: String, after text: String, echo: Bool) async throws -> SSHSecret? {
        try Task.checkCancellation()
        let wake = WakePipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A thread of its own: how long a person takes is unknown.
                DispatchQueue(label: "askpass").async {
                    continuation.resume(with: Result { try run(text + prompt, unless: wake) })
                }
            }
        } onCancel: {
            wake.ring()
        }
    }

    private func run(_ prompt: String, unless wake: WakePipe) throws -> SSHSecret? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var child = LocalProcess(program, [prompt])
        child.searchesPath = true
        child.output = ends[1]
        // What we were asked with says nothing of our own question.
        child.drop(variable: "SSH_ASKPASS_PROMPT")
        let process = child.start()
        close(ends[1])
        guard let process else {
            Console.note("the askpass program \(program) cannot be started: \(String(cString: strerror(errno)))")
            return nil
        }
        return try withUnsafeTemporaryAllocation(byteCount: Self.longestAnswer, alignment: 1) { buffer in
            defer { Secrecy.wipe(buffer) }
            guard let count = read(ends[0], of: process, into: buffer, unless: wake) else {
                Self.end(process)
                throw CancellationError()
            }
            guard count < buffer.count else {
                // It would wait for ever until somebody reads the rest.
                Self.end(process)
                Console.note(
                    "the askpass program \(program) printed more than \(Self.longestAnswer - 1) bytes, which is no answer")
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

    /// - Returns: how much it printed, as far as there is room; nil if the prompt was cancelled.
    private func read(
        _ descriptor: Int32, of process: pid_t, into buffer: UnsafeMutableRawBufferPointer, unless wake: WakePipe
    ) -> Int? {
        var (count, hadEnded) = (0, false)
        while count < buffer.count {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&watched, nfds_t(watched.count), 10 * Self.step)
            if watched[1].revents != 0 { return nil }
            guard ready > 0 else {
                // What it has started may keep the pipe open when it has ended.
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
            if poll(&watched, 1, step) > 0 { return nil }
        }
    }

    private static func end(_ process: pid_t) {
        // It may have an echo to turn on again.
        LocalProcess.end(process, steps: 100)
        LocalProcess.wait(for: process)
        _ = LocalProcess.reap(process)
    }
}
