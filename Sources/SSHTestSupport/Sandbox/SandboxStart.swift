import Foundation
import NIOCore
import NIOPosix

extension SSHDSandbox {
    /// sshd did not start.
    public struct StartFailed: Error, CustomStringConvertible {
        /// Its log.
        public let log: String
        /// The log, for a test's failure message.
        public var description: String { "sshd did not start:\n\(log)" }
    }
}

/// The steps from options to a listening sshd.
struct SandboxStart {
    let options: SSHDSandbox.Options

    /// Starts sshd. Another program may take the free port before sshd binds it; then another port is tried.
    func run() async throws -> SSHDSandbox {
        for _ in 1..<5 where options.port == 0 {
            do {
                return try await start()
            } catch let failure as SSHDSandbox.StartFailed where failure.log.contains("Address already in use") {
                continue
            }
        }
        return try await start()
    }

    private func start() async throws -> SSHDSandbox {
        let bwrap = try MissingTool.locate("bwrap")
        let usr = options.usr
        if options.server == .openSSH, options.sshd.hasPrefix("/usr/") {
            _ = try MissingTool.locate(usr + options.sshd.dropFirst("/usr".count))
        }
        let clientKey = try await TestKey.make()
        var hostKeys: [(TestKeyKind, TestKey)] = []
        for kind in options.hostKeys { hostKeys.append((kind, try await TestKey.make(kind, name: options.hostKeyName))) }
        let port = options.port == 0 ? try await Self.freePort(on: options.listenAddress) : options.port

        let directory = try ScratchDirectory.make(prefix: "sshd-")
        let root = SandboxRoot(url: directory.url.appendingPathComponent("root", isDirectory: true))
        let process: SupervisedProcess
        let keyFile: String
        do {
            try root.populate(options, hostKeys: hostKeys, clientKey: clientKey)
            try root.write(SandboxFile(ServerConfiguration(options: options, port: port).text), to: "/etc/ssh/sshd_config")
            keyFile = try clientKey.write(to: directory, as: "id_client")
            let bubblewrap = Bubblewrap(
                bwrap: bwrap, root: root.url.path, usr: usr, hostName: options.hostName,
                sharesAlternatives: options.rootfs == nil)
            process = try await SupervisedProcess.start(
                bubblewrap.command(options.server.command(options, port: port)), in: directory)
        } catch {
            try? FileManager.default.removeItem(at: directory.url)
            throw error
        }
        try await waitUntilListening(process)
        return SSHDSandbox(
            options: options, port: port, clientKey: clientKey, hostKeys: hostKeys.map(\.1), directory: directory,
            clientKeyFile: keyFile, root: root, process: process)
    }

    private func waitUntilListening(_ process: SupervisedProcess) async throws {
        do {
            try await Self.within(.seconds(30)) { try await process.transcript.wait(for: options.server.readySign) }
        } catch {
            let log = process.transcript.text
            await process.stop()
            throw error is CancellationError ? error : SSHDSandbox.StartFailed(log: log)
        }
    }

    private static func freePort(on address: String) async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: address, port: 0).get()
        let port = channel.localAddress?.port
        try await channel.close().get()
        guard let port else { throw SSHDSandbox.StartFailed(log: "no free port on \(address)") }
        return port
    }

    /// Limits the time, in case sshd neither listens nor ends.
    private static func within(_ limit: Duration, _ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw SSHDSandbox.StartFailed(log: "nothing after \(limit)")
            }
            try await group.next()
            group.cancelAll()
        }
    }
}

/// The command line that starts a program in the sandbox.
struct Bubblewrap {
    let bwrap: String
    let root: String
    let usr: String
    let hostName: String
    /// Whether the machine's own `/usr` is used. Then its `/etc/alternatives` is needed too.
    let sharesAlternatives: Bool

    func command(_ program: [String]) -> [String] {
        var command = [bwrap, "--bind", root, "/", "--ro-bind", usr, "/usr"]
        if sharesAlternatives { command += ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"] }
        command += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", "\(1 << 20)", "--tmpfs", "/small"]
        command += ["--unshare-pid", "--unshare-uts", "--unshare-ipc", "--hostname", hostName]
        // The parent is the single-threaded supervisor. If the supervisor is killed, the sandbox ends too.
        command += ["--die-with-parent", "--new-session", "--info-fd", "4", "--chdir", "/", "--"]
        return command + program
    }
}

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
