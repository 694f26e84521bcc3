import Foundation

/// A process of a sandbox, seen from the host.
public struct SandboxProcess: Sendable, Hashable {
    /// The process id on the host, for signals.
    public let pid: Int32
    /// The parent's process id on the host.
    public let parent: Int32
    /// The process id inside the sandbox, the value of `$$`.
    public let innerPid: Int32
    /// The real user id.
    public let user: UInt32
    /// The command's name, 15 bytes at most.
    public let name: String

    /// Reads `/proc/PID/status` (proc(5)); nil if the process is gone.
    init?(pid: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
        var fields: [Substring: [Substring]] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon]] = line[line.index(after: colon)...].split { $0 == "\t" || $0 == " " }
        }
        // A zombie has ended; only its status is left.
        guard fields["State"]?.first != "Z", let parent = fields["PPid"]?.first.flatMap({ Int32($0) }),
            let user = fields["Uid"]?.first.flatMap({ UInt32($0) }), let name = fields["Name"]?.joined(separator: " ")
        else { return nil }
        self.pid = pid
        self.parent = parent
        self.user = user
        self.name = name
        innerPid = fields["NSpid"]?.last.flatMap { Int32($0) } ?? pid
    }

    /// Sends it a signal; nothing happens if it has ended.
    public func send(signal: Int32) { kill(pid, signal) }

    /// The running descendants of `root`, parents first, without `root`.
    static func descendants(of root: Int32) -> [SandboxProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let children = Dictionary(grouping: names.compactMap { Int32($0) }.compactMap(SandboxProcess.init(pid:)), by: \.parent)
        var found: [SandboxProcess] = []
        var parents = [root]
        while let parent = parents.popLast() {
            let next = (children[parent] ?? []).sorted { $0.pid < $1.pid }
            found += next
            parents += next.map(\.pid)
        }
        return found
    }
}

extension SSHDSandbox {
    /// The sandbox's processes: bubblewrap's two, then the listening sshd, then what connections started.
    public func processes() -> [SandboxProcess] { SandboxProcess.descendants(of: process.supervisor) }

    /// The listening server; nil if it has ended.
    public var listener: SandboxProcess? {
        let name = options.server.processName
        let all = processes()
        let names = Dictionary(uniqueKeysWithValues: all.map { ($0.pid, $0.name) })
        return all.first { $0.name == name && names[$0.parent] != name }
    }

    /// The server's processes for connections.
    public var connectionServers: [SandboxProcess] {
        let listener = listener?.pid
        return processes().filter { $0.name.hasPrefix(options.server.processName) && $0.pid != listener }
    }

    /// Waits until all processes of connections have ended: the server's and those of commands.
    ///
    /// Do not start another connection meanwhile.
    public func connectionsEnded() async throws {
        // Two processes of bubblewrap and the listener remain. There is no event for the end of processes that are not
        // children.
        while processes().count > 3 { try await Task.sleep(for: .milliseconds(50)) }
    }
}
