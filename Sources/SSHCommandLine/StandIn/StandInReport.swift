import BridgeSSH
import CProcessGuard
import ErrorCore
import SSHRun

/// The outcome of one call of ssh.
struct StandInReport {
    /// The source of the exit status.
    enum Ending: String {
        /// The remote command.
        case remote
        /// ssh: the connection, the login or the session failed.
        case ssh
        /// A signal to the local ssh.
        case signal
    }

    var destination: String
    var command: String
    /// The exit status of this process; nil if a signal ends it.
    var exitStatus: Int?
    /// That signal, without SIG.
    var exitSignal: String?
    var ending: Ending
    var durationSeconds: Double = 0
    var attempts = 1
    var error: SSHError?
    /// Whether the trace proves that no session was requested: the command has not run, and the input is unread.
    var hasNotRun = false
    /// Whether the command ended because its output has no reader any more. ssh is silent about this, as in `… | head`.
    var isOutputClosed = false

    /// The object of docs/json-schema-ssh.json.
    var json: JSONValue {
        .members([
            "schema": .string("bridge-ssh/1"),
            "client": .string("ssh"),
            "destination": .string(TerminalText.inert(destination, limit: 512)),
            // The report may go to another program's log.
            "command": .string(Redactor.standard.command(command)),
            "outcome": .string(error == nil ? "succeeded" : "failed"),
            "exitStatus": exitStatus.map { .integer($0) } ?? .null,
            "exitSignal": exitSignal.map { .string($0) } ?? .null,
            "endedBy": .string(ending.rawValue),
            "durationSeconds": .seconds(durationSeconds),
            "attempts": .integer(attempts),
            "error": error?.json ?? .null,
        ])
    }

    /// Appends the object to a file, or to an open descriptor (`fd:3`), in one write, so that objects of several processes do
    /// not mix.
    ///
    /// - Returns: why it could not be written; nil if it was.
    func append(to place: String) -> String? {
        let line = json.bytes + [UInt8(ascii: "\n")]
        if place.hasPrefix("fd:") {
            guard let number = Int32(place.dropFirst(3)), number >= 0 else { return "\(place) is not a descriptor" }
            return Self.write(line, to: number)
        }
        // Without O_NONBLOCK, a named pipe without a reader would block forever.
        let descriptor = open(place, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        return Self.write(line, to: descriptor)
    }

    private static func write(_ line: [UInt8], to descriptor: Int32) -> String? {
        var rest = line[...]
        while true {
            let written = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
            if written == rest.count { return nil }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR, errno != EAGAIN {
                return String(cString: strerror(errno))
            }
            if UnreadPipe.isFull(descriptor, milliseconds: 1000) { return "its reader reads nothing" }
        }
    }

    /// One line, for programs that pass ssh's standard error on.
    static func line(_ error: SSHError) -> String {
        let remedy = error.remedy.isEmpty ? "" : " Remedy: " + error.remedy.oneLine(600)
        let doubt = error.confidence == .guess ? " (a guess)" : ""
        return TerminalText.inert(
            "bridge-ssh: \(error.code.rawValue): \(error.message.oneLine(600))\(doubt)\(remedy)", limit: 1400) + "\n"
    }

    /// Shows the failure to the person.
    func say(_ settings: StandInSettings, level: SSHLogLevel) {
        guard let error, ending == .ssh, error.code != .localCancelled, !isOutputClosed else { return }
        if bridge_has_passed_end() != 0, UnreadPipe.isFull(2, milliseconds: 0) { return }
        let isTerminal = isatty(2) == 1
        switch settings.failureForm ?? (level == .quiet ? .off : isTerminal ? .banner : .line) {
        case .off: return
        case .banner: FailureBanner.show(error, showsEvidence: false)
        case .line: Console.standardError(Self.line(error))
        }
        for problem in settings.problems { Console.note(problem) }
        // borg and restic end with ssh's output, and lose the part of its standard error that they have not read.
        UnreadPipe.wait(2, milliseconds: 50)
    }
}

/// A pipe whose reader may be slow.
enum UnreadPipe {
    /// Whether the pipe accepts no bytes.
    ///
    /// - Parameter milliseconds: how long to wait, even if signals arrive.
    static func isFull(_ descriptor: Int32, milliseconds: Int) -> Bool {
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let start = ContinuousClock.now
        var left = milliseconds
        while true {
            let count = poll(&place, 1, Int32(left))
            if count >= 0 || errno != EINTR { return count == 0 }
            left = max(0, milliseconds - Int(start.duration(to: .now) / .milliseconds(1)))
        }
    }

    /// Waits until the reader has read everything.
    ///
    /// - Parameter milliseconds: how long at most.
    static func wait(_ descriptor: Int32, milliseconds: Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        for _ in 0..<milliseconds {
            var count: Int32 = 0
            guard ioctl(descriptor, UInt(FIONREAD), &count) == 0, count > 0 else { return }
            usleep(1000)
        }
    }
}

/// The verdict on ssh's end, from its trace.
struct StandInVerdict {
    let ending: StandInReport.Ending
    let error: SSHError?
    /// Whether the trace proves that no session was requested: the command has not run, and the input is unread.
    let hasNotRun: Bool
    /// Whether the reader of the output has gone, and the command has ended.
    let isOutputClosed: Bool

    /// - Parameters:
    ///   - status: ssh's exit status; nil if a signal ended ssh.
    ///   - signal: that signal.
    ///   - ssh: shows ssh's settings for these arguments (`ssh -G`) after a failure.
    ///   - trace: ssh's log.
    ///   - isLog: whether the trace is ssh's log, and not what ssh says of its arguments.
    ///   - logsClose: whether the log reports when the server closes a channel.
    ///   - parent: the name of the program that started this one.
    init(
        status: Int?, signal: Int?, ssh: RealSSH, words: [String], trace text: String, isLog: Bool, logsClose: Bool,
        parent: String = ""
    ) {
        // timeout(1) ends ssh by SIGTERM, and exits with 124 itself.
        let isTimeout = parent == "timeout" && (signal == 15 || status == 255 && text.mentions("Killed by signal 15."))
        // sshpass(1) closes ssh's terminal at a question that it cannot answer, and exits with 5 or 6 itself.
        let isPass = parent == "sshpass" && signal == 1
        let runner = isTimeout ? ["timeout", "1"] : isPass ? ["sshpass"] : []
        let line = runner + ["ssh", "-oLogLevel=DEBUG1"] + words
        let shown = signal.map { 128 + $0 } ?? status ?? 255
        let trace = SSHTrace(
            SSHTranscript(
                standardError: text, exitStatus: isTimeout ? 124 : shown,
                command: line.map(\.shellWord).joined(separator: " ")), logsClose: logsClose,
            isSSHAlone: isLog)
        hasNotRun = !trace.mayHaveSession
        isOutputClosed = trace.isOutputClosed && trace.error?.code == .commandKilledBySignal
        guard status != 0 else {
            ending = trace.remoteStatus == nil ? .ssh : .remote
            error = nil
            return
        }
        error = ChangedHostKeyCheck.refined(trace, text, ssh, words)
        if signal != nil, !isPass || error?.isCancellation != false {
            ending = .signal
        } else if let status, status != 255 || trace.remoteStatus == 255 {
            ending = .remote
        } else {
            ending = .ssh
        }
    }
}
