import BridgeSSH
import CProcessGuard
import ErrorCore
import SSHRun

/// One watched call of ssh: its attempts, its log and its verdict.
final class StandInSession {
    private let ssh: RealSSH
    private let arguments: SSHArguments
    private let words: [String]
    /// This process's own arguments for ssh, byte for byte.
    private let vector: [UnsafeMutablePointer<CChar>]
    private let name: String
    private let request: LogRequest
    private let showsHostKeyNews: Bool
    /// The descriptor to which ssh would have written its log.
    private let destination: Int32
    /// The log of the ssh whose connection this one carries. That ssh reports failures.
    private let carriedLog: Int32?

    /// - Returns: nil if bridge-ssh should not watch this call.
    init?(
        _ ssh: RealSSH, _ arguments: SSHArguments, _ words: [String], _ vector: [UnsafeMutablePointer<CChar>], _ name: String
    ) {
        let configured = ConfiguredLog(arguments.configurationFile)
        guard !configured.mentionsLogVerbose else { return nil }
        let level = arguments.level ?? (configured.mentionsLevel ? ssh.configuredLevel(words) : nil) ?? .info
        // In the background such an ssh continues to write to standard error, for its command too, unless its log goes to a
        // file (ssh.c: fork_postauth).
        if arguments.goesToBackground, level >= .debug1, arguments.logFile == nil { return nil }
        if let path = arguments.logFile?.path {
            destination = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            // ssh itself reports why.
            guard destination >= 0 else { return nil }
        } else {
            destination = 2
        }
        request = LogRequest(level: level, knowsLogVerbose: ssh.knowsLogVerbose())
        showsHostKeyNews = arguments.asksAboutHostKeys || configured.asksAboutHostKeys
        carriedLog = LogPipe.ofCarriedSSH()
        self.ssh = ssh
        self.arguments = arguments
        self.words = words
        self.vector = vector
        self.name = name
    }

    // MARK: Attempts

    private struct AttemptResult {
        var status: Int?
        var signal: Int?
        var log: StandInLog
    }

    func perform(_ settings: StandInSettings) -> Never {
        let start = ContinuousClock.now
        var attempts = 1
        while true {
            let end = carry()
            var report = report(on: end, settings)
            report.attempts = attempts
            report.durationSeconds = start.duration(to: .now).inSeconds
            if attempts <= settings.retries, carriedLog == nil, let delay = delay(report, end, attempts) {
                wait(delay, report, attempts, of: settings)
                attempts += 1
                continue
            }
            finish(&report, end, settings)
        }
    }

    /// Runs ssh in the caller's place, with bridge-ssh's options before its arguments. The log goes to the pipe.
    private func carry() -> AttemptResult {
        let log = StandInLog(
            request, showsHostKeyNews: showsHostKeyNews, destination: destination, carriedLog: carriedLog)
        guard let pipe = LogPipe.open() else { StandIn.become(ssh, name, vector) }
        if let carriedLog { StandInLog.greet(carriedLog) }
        let own = [name] + (arguments.logFile == nil ? ["-E", pipe.path] : []) + request.options
        var copies = own.map { strdup($0) }
        var rest: [UnsafeMutablePointer<CChar>?] = vector
        if let place = arguments.logFile?.place {
            let lead = String(decoding: String(cString: vector[place.argument]).utf8.prefix(place.offset), as: UTF8.self)
            let replaced = strdup(lead + pipe.path)
            copies.append(replaced)
            rest[place.argument] = replaced
        }
        defer { for copy in copies { free(copy) } }
        let line = copies.prefix(own.count) + rest + [nil]
        return Array(line).withUnsafeBufferPointer { line in
            ssh.path.withCString { path in
                var program = bridge_carried(
                    path: path, arguments: line.baseAddress, environment: bridge_environment(), log: pipe.reader,
                    log_writer: pipe.writer,
                    take: { context, bytes, count in
                        guard let context, let bytes else { return }
                        let log = Unmanaged<StandInLog>.fromOpaque(context).takeUnretainedValue()
                        bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
                            log.take(UnsafeBufferPointer(start: $0, count: count))
                        }
                    }, context: Unmanaged.passUnretained(log).toOpaque())
                var status: Int32 = 0
                var isOpen: Int32 = 0
                let problem = bridge_carry(&program, &status, &isOpen)
                pipe.remove()
                // No process or descriptor is left for two: then ssh alone.
                guard problem == 0 else { StandIn.become(ssh, name, vector) }
                if isOpen != 0, log.outlivesForeground { bridge_relay(&program, destination) }
                log.finish()
                close(pipe.reader)
                let signal = Int(status & 0x7f)
                return AttemptResult(
                    status: signal == 0 ? Int(status >> 8 & 0xff) : nil, signal: signal == 0 ? nil : signal, log: log)
            }
        }
    }

    // MARK: The verdict

    private func report(on end: AttemptResult, _ settings: StandInSettings) -> StandInReport {
        var report = StandInReport(
            destination: arguments.destination ?? "", command: arguments.command.joined(separator: " "), exitStatus: end.status,
            exitSignal: end.signal.flatMap { SSHExitSignal.name(ofNumber: $0) }, ending: .remote)
        // A success needs no verdict, and a command's own status needs one only for a file: building the reader of the log takes
        // several times as long as ssh's own work, and rsync looks only once whether ssh has ended with 255.
        if let status = end.status, status == 0 || settings.file == nil && (status < 255 || end.log.remoteStatus == 255) {
            return report
        }
        let verdict = StandInVerdict(
            status: end.status, signal: end.signal, ssh: ssh, words: words, trace: trace(end), isLog: !end.log.isEmpty,
            logsClose: request.usesLogVerbose, parent: ParentProcess.name)
        report.ending = verdict.ending
        report.error = verdict.error
        report.hasNotRun = verdict.hasNotRun
        report.isOutputClosed = verdict.isOutputClosed
        return report
    }

    /// The log, with ssh's warnings about its arguments, which it writes before it opens the log (ssh.c: main).
    private func trace(_ end: AttemptResult) -> String {
        let text = end.log.text
        guard end.status == 255 else { return text }
        if text.isEmpty { return ssh.ask(["-G"] + words) ?? "" }
        let missing = arguments.identities.filter {
            access($0, F_OK) != 0 && errno == ENOENT && !$0.contains("%") && !$0.hasPrefix("~")
        }
        return missing.map { "Warning: Identity file \($0) not accessible: No such file or directory.\r\n" }.joined() + text
    }

    private func delay(_ report: StandInReport, _ end: AttemptResult, _ attempt: Int) -> Duration? {
        guard report.ending == .ssh, report.hasNotRun, let error = report.error, !error.isCancellation else { return nil }
        let policy = RetryPlan(retries: Int.max - 1).policy { true }
        guard policy.allowsRetry(after: error) else { return nil }
        var generator = SystemRandomNumberGenerator()
        return policy.delay(afterAttempt: attempt, advice: error.retry, using: &generator)
    }

    private func wait(_ delay: Duration, _ report: StandInReport, _ attempt: Int, of settings: StandInSettings) {
        if settings.failureForm != .off, request.level > .quiet {
            let tenths = Int((delay.inSeconds * 10).rounded(.up))
            Console.note(
                "attempt \(attempt) of \(settings.retries + 1): \(report.error?.code.rawValue ?? ""); trying again in "
                    + "\(tenths / 10).\(tenths % 10) s")
        }
        let parts = delay.components
        var rest = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
    }

    private func finish(_ report: inout StandInReport, _ end: AttemptResult, _ settings: StandInSettings) -> Never {
        signal(SIGPIPE, SIG_IGN)
        if settings.ownStatuses, report.ending == .ssh, let error = report.error {
            report.exitStatus = Int(error.exitStatus(.bridge).rawValue)
        }
        // If this ssh carries the connection of another, that one reports the failure.
        if carriedLog == nil {
            report.say(settings, level: request.level)
            if let file = settings.file, let problem = report.append(to: file) {
                Console.note("BRIDGE_SSH_VERDICT_FILE=\(file.oneLine(200)): \(problem)")
            }
        }
        if let number = end.signal { bridge_die_of(Int32(number)) }
        _exit(Int32(report.exitStatus ?? 255))
    }
}

/// The process that started this one.
enum ParentProcess {
    /// The parent's name; empty if the system does not provide it.
    static var name: String {
        let descriptor = open("/proc/\(getppid())/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self).trimmingEnd
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
