import BridgeSSH
import ErrorCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The helpers that there are.
enum HelperCensus {
    /// Looks into the directory, and clears away what dead helpers have left there.
    ///
    /// - Throws: `UsageProblem` for a directory that is not ours alone.
    static func take() async throws -> [KnownHelper] {
        guard let directory = try HelperDirectory.existing() else { return [] }
        var helpers: [KnownHelper] = []
        for name in names(in: directory) {
            let files = HelperFiles(directory: directory, name: name)
            switch files.connect(within: 1) {
            case .nobody:
                _ = files.removeIfAbandoned()
            case .unusable: break
            case .socket(let socket):
                let process = Int(socket.peer?.process ?? 0)
                switch await HelperSearch.greet(socket, Hello(purpose: .look)) {
                case .answered(let status): helpers.append(KnownHelper(files: files, process: process, status: status))
                case .silent: helpers.append(KnownHelper(files: files, process: process, status: nil))
                case .gone: break
                }
            }
        }
        return helpers.sorted { ($0.status?.named ?? "", $0.process) < ($1.status?.named ?? "", $1.process) }
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

/// A helper that listens.
struct KnownHelper {
    let files: HelperFiles
    let process: Int
    /// Nil for one that does not answer.
    let status: HelperStatus?
    private static let looks = 500

    init(files: HelperFiles, process: Int, status: HelperStatus?) {
        self.files = files
        self.process = process
        self.status = status
    }

    /// Whether a person who names a host may mean this one.
    func isMeant(by name: String) -> Bool { status?.isMeant(by: name) ?? false }

    /// Ends it: in order if it answers, else by force. Returns once nobody is sent to it any more.
    func stop() async {
        if status != nil, case .socket(let socket) = files.connect(within: 1) {
            if case .answered = await HelperSearch.greet(socket, Hello(purpose: .stop)) {
                // It hangs up when it has given up its place.
                while (try? await socket.receive(within: 5)) != nil {}
                return
            }
        }
        // Whoever listens at a socket in our directory is a helper of ours; the system says which process it is.
        if process > 1 { kill(pid_t(process), SIGKILL) }
        // Its lock ends with it, a moment later.
        for _ in 0..<Self.looks {
            if files.removeIfAbandoned() { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// How helpers are shown.
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
        guard let status = helper.status, status.version == HelperProtocol.version else {
            return [helper.status == nil ? "(does not answer)" : "(another version)", "\(helper.process)", "", "", "", "", ""]
        }
        return [
            TerminalText.escape(status.endpoint.description), "\(status.process)", time(status.age), time(status.idle),
            time(status.keepFor), "\(status.runs)", "\(status.running)",
        ]
    }

    /// In the largest unit that leaves a whole number of at least 1: `45s`, `12m`, `3h`, `2d`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        for (length, unit) in [(86_400, "d"), (3600, "h"), (60, "m")] where whole >= length { return "\(whole / length)\(unit)" }
        return "\(whole)s"
    }

    static func json(_ helpers: [KnownHelper]) -> String {
        let list = helpers.map { helper -> JSONValue in
            let status = helper.status
            return .members([
                "destination": status.map { .string($0.endpoint.description) }, "named": status.map { .string($0.named) },
                "host": status.map { .string($0.endpoint.host) }, "port": status.map { .integer($0.endpoint.port) },
                "user": status.map { .string($0.endpoint.user) }, "pid": .integer(helper.process),
                "answers": .bool(status != nil), "ageSeconds": status.map { .number($0.age) },
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
