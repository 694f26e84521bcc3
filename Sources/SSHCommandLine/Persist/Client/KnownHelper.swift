import BridgeSSH
import ErrorCore

/// A running helper, as another process sees it.
struct KnownHelper {
    let files: HelperFiles
    /// The content of its lock file; nil if that is empty.
    let record: HelperRecord?
    /// The process at the other end of its socket, 0 if the system does not say; nil if it accepts no connection.
    var peer: Int?
    /// The helper's answer; nil if it does not answer.
    var status: HelperStatus?
    /// Seconds for which ``stop()`` waits.
    private static let timeLimit = 5
    private static let maximumPolls = 100 * timeLimit

    /// The helper's process; 0 if unknown.
    var process: Int { record?.process ?? peer ?? 0 }

    /// Its own status, if that is in this version of the protocol.
    var currentStatus: HelperStatus? { status.flatMap { $0.version == HelperProtocol.version ? $0 : nil } }

    /// The host it is connected to, from its own status or else from its lock file.
    var identity: HelperRecord? { currentStatus.map { HelperRecord(named: $0.named, endpoint: $0.endpoint) } ?? record }

    /// Whether a host's name from a person matches this helper.
    func isMeant(by name: String) -> Bool { identity?.isMeant(by: name) ?? false }

    /// The message for a ``stop()`` that failed.
    var remains: String {
        let place = TerminalText.escape(identity?.endpoint.description ?? files.socket)
        let remedy =
            process > 1
            ? "end it with `kill -KILL \(process)`" : "find it with `fuser \(files.socket)` and end it with `kill -KILL`"
        return "the process that keeps the connection to \(place) has not ended within \(Self.timeLimit) seconds: \(remedy)"
    }

    /// Ends it: in order if it answers, else by force. Returns once new runs no longer find it.
    ///
    /// - Returns: false if new runs still find it after five seconds.
    func stop() async -> Bool {
        if status != nil, case .socket(let socket) = files.connect(within: 1) {
            if case .answered = await HelperSearch.greet(socket, Hello(purpose: .stop)) {
                // It hangs up when it has released its lock.
                do {
                    while try await socket.receive(within: Double(Self.timeLimit)) != nil {}
                    return true
                } catch FrameSocket.Failure.late {
                    return false
                } catch {
                    // It ended, or sent an invalid frame. The code below checks whether it is gone.
                }
            }
        }
        // It may have ended by now, and another process may have its number.
        if files.removeIfAbandoned() { return true }
        // Until the helper listens, the peer is the run that starts it: only a process that is also in the lock file is a
        // helper.
        if let process = files.record()?.process, process > 1, peer == nil || peer == process {
            kill(pid_t(process), SIGKILL)
        }
        // The system releases its lock a moment later.
        for _ in 0..<Self.maximumPolls {
            if files.removeIfAbandoned() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

/// Lists the running helpers.
enum HelperList {
    /// Reads the directory, and removes the files of dead helpers.
    static func running() async -> [KnownHelper] {
        guard let directory = HelperDirectory.existing() else { return [] }
        var helpers: [KnownHelper] = []
        for name in names(in: directory) {
            let files = HelperFiles(directory: directory, name: name)
            switch files.connect(within: 1) {
            case .absent:
                _ = files.removeIfAbandoned()
            case .unusable:
                // A helper that hangs does not accept connections, so its queue may be full.
                if let record = files.record() { helpers.append(KnownHelper(files: files, record: record)) }
            case .socket(let socket):
                var helper = KnownHelper(files: files, record: files.record(), peer: Int(socket.peer?.process ?? 0))
                switch await HelperSearch.greet(socket, Hello(purpose: .look)) {
                case .answered(let status): helper.status = status
                case .silent: break
                case .gone: continue
                }
                helpers.append(helper)
            }
        }
        return helpers.sorted { ($0.identity?.named ?? "", $0.process) < ($1.identity?.named ?? "", $1.process) }
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasSuffix(HelperFiles.socketEnding) { names.append(String(name.dropLast(HelperFiles.socketEnding.count))) }
        }
        return names
    }
}

/// The output of `persist list`.
enum HelperTable {
    static func text(_ helpers: [KnownHelper]) -> String {
        guard !helpers.isEmpty else { return "" }
        let rows = [["DESTINATION", "PID", "AGE", "IDLE", "KEEP", "RUNS", "RUNNING"]] + helpers.map(row)
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").trimmingEnd() + "\n"
        }.joined()
    }

    private static func row(_ helper: KnownHelper) -> [String] {
        guard let status = helper.currentStatus else {
            let why = helper.status == nil ? "(does not answer)" : "(another version)"
            let place = helper.identity.map { TerminalText.escape($0.endpoint.description) + " " } ?? ""
            return [place + why, "\(helper.process)", "", "", "", "", ""]
        }
        return [
            TerminalText.escape(status.endpoint.description), "\(status.process)", time(status.age), time(status.idle),
            time(status.keepFor), "\(status.runs)", "\(status.running)",
        ]
    }

    /// In the form of `--persist`, with only the two largest units: `45s`, `12m5s`, `1h30m`, `2d`.
    static func time(_ seconds: Double) -> String {
        var rest = Int(max(0, seconds))
        var parts: [String] = []
        for (length, unit) in [(86_400, "d"), (3600, "h"), (60, "m"), (1, "s")] where rest >= length && parts.count < 2 {
            parts.append("\(rest / length)\(unit)")
            rest %= length
        }
        return parts.isEmpty ? "0s" : parts.joined()
    }

    /// The object of docs/json-schema-persist.json, `bridge-ssh-persist/1`.
    static func json(_ helpers: [KnownHelper]) -> String {
        let list = helpers.map { helper -> JSONValue in
            let (identity, status) = (helper.identity, helper.currentStatus)
            return .members([
                "destination": identity.map { .string($0.endpoint.description) }, "named": identity.map { .string($0.named) },
                "host": identity.map { .string($0.endpoint.host) }, "port": identity.map { .integer($0.endpoint.port) },
                "user": identity.map { .string($0.endpoint.user) }, "pid": .integer(helper.process),
                "answers": .bool(helper.status != nil), "ageSeconds": status.map { .number($0.age) },
                "idleSeconds": status.map { .number($0.idle) }, "keepSeconds": status.map { .number($0.keepFor) },
                "runs": status.map { .integer($0.runs) }, "running": status.map { .integer($0.running) },
            ])
        }
        let object = JSONValue.members(["schema": .string("bridge-ssh-persist/1"), "helpers": .array(list)])
        return String(decoding: object.bytes, as: UTF8.self) + "\n"
    }
}

extension String {
    fileprivate func trimmingEnd() -> String { String(reversed().drop { $0 == " " }.reversed()) }
}
