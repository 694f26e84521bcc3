import BridgeSSH
import ErrorCore
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What one call of ssh's came to.
struct StandInReport {
    /// Whose the status is.
    enum Ending: String {
        /// The remote command's own.
        case remote
        /// ssh's: the connection, the login or the session failed.
        case ssh
        /// A signal ended ssh here.
        case signal
    }

    var destination: String
    var command: String
    /// What this process exits with; nil where a signal ends it.
    var exitStatus: Int?
    /// That signal, without SIG.
    var exitSignal: String?
    var ending: Ending
    var durationSeconds: Double = 0
    var attempts = 1
    var error: SSHError?
    /// Whether it is proved that no session was asked for: neither the command nor the input is touched.
    var isUntouched = false

    /// The object of docs/json-schema-ssh.json.
    var json: JSONValue {
        .members([
            "schema": .string("bridge-ssh/1"),
            "client": .string("ssh"),
            "destination": .string(TerminalText.inert(destination, limit: 512)),
            // A report is kept in logs of others.
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

    /// Appends the object to a file, or to an open descriptor (`fd:3`): in one write, so that those of several processes do not
    /// mix.
    ///
    /// - Returns: why it could not be written.
    func append(to place: String) -> String? {
        let line = json.bytes + [UInt8(ascii: "\n")]
        if place.hasPrefix("fd:") {
            guard let number = Int32(place.dropFirst(3)), number >= 0 else { return "\(place) is no descriptor" }
            return Self.write(line, to: number)
        }
        // Without O_NONBLOCK, opening a pipe that has no reader would block for ever.
        let descriptor = open(place, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return Self.write(line, to: descriptor)
    }

    private static func write(_ line: [UInt8], to descriptor: Int32) -> String? {
        let written = line.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
        return written == line.count ? nil : String(cString: strerror(written < 0 ? errno : ENOSPC))
    }

    /// One line, for programs that pass ssh's standard error on.
    static func line(_ error: SSHError) -> String {
        let remedy = error.remedy.isEmpty ? "" : " Remedy: " + error.remedy.oneLine(600)
        let doubt = error.confidence == .guess ? " (a guess)" : ""
        return TerminalText.inert(
            "bridge-ssh: \(error.code.rawValue): \(error.message.oneLine(600))\(doubt)\(remedy)", limit: 1400) + "\n"
    }

    /// Tells a person of the failure.
    func say(_ settings: StandInSettings, level: SSHLogLevel) {
        guard let error, ending == .ssh, error.code != .localCancelled else { return }
        let isTerminal = isatty(2) == 1
        switch settings.voice ?? (level == .quiet ? .off : isTerminal ? .banner : .line) {
        case .off: return
        case .banner: FailureBanner.show(error, showsEvidence: false)
        case .line: Console.standardError(Self.line(error))
        }
        for problem in settings.problems { Console.note(problem) }
    }
}
