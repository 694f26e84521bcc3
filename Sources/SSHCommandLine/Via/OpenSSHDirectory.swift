import BridgeSSH
import CProcessGuard
import SSHRun

/// The private directory of one call of ssh: the pipe of its log, the configuration that its jump hosts share with it, a link to the
/// caller's configuration, this program under the names by which ssh calls it, and the socket for ssh's questions.
final class OpenSSHDirectory: Sendable {
    let path: String
    let log: LogPipe
    /// The socket for ssh's questions; nil if they are not answered.
    let questions: OwnedDescriptor?

    /// The path under which ssh starts another ssh for a jump host.
    var ssh: String { path + "/ssh" }
    var configuration: String { path + "/config" }
    var askpass: String { path + "/" + OpenSSHQuestion.program }

    /// - Throws: `UsageProblem` if no directory can be made.
    init(configuration: OpenSSHRoute.Configuration, asks: Bool) throws {
        guard let path = LogPipe.directory() else { throw Self.problem("no directory can be made for ssh's log") }
        self.path = path
        let link = path + "/caller"
        guard let log = LogPipe.make(in: path), Self.write(configuration.text(including: link), to: path + "/config"),
            configuration.file.map({ symlink($0, link) == 0 }) ?? true, Self.link(to: path + "/ssh")
        else {
            let reason = String(cString: strerror(errno))
            Self.remove(path)
            throw Self.problem("\(path) cannot be used for ssh's log: \(reason)")
        }
        self.log = log
        ExitCleanup.add(path) { Self.remove(path) }
        questions = asks ? Self.listen(at: path + "/ask") : nil
        if asks, questions == nil || !Self.link(to: path + "/" + OpenSSHQuestion.program) {
            throw Self.problem("\(path) cannot be used to answer ssh: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        Self.end(log)
        remove()
    }

    /// Removes the directory; ssh has ended.
    func remove() {
        ExitCleanup.remove(path)
    }

    private static func problem(_ text: String) -> UsageProblem { UsageProblem(field: "--via ssh", problem: text) }

    private static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let owner = OwnedDescriptor(file)
        return Array(text.utf8).withUnsafeBytes { OutputWriter.writeAll($0, to: owner.number) } == nil
    }

    /// Links to this program under another name.
    private static func link(to path: String) -> Bool {
        guard let own = RealSSH.own, let resolved = realpath(own, nil) else { return false }
        defer { free(resolved) }
        return symlink(resolved, path) == 0
    }

    private static func listen(at path: String) -> OwnedDescriptor? {
        let socket = LocalSocket.newSocket()
        guard socket >= 0 else { return nil }
        let listener = OwnedDescriptor(socket)
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        return LocalSocket.bindSocket(socket, to: path) && LocalSocket.listenSocket(socket) ? listener : nil
    }

    private static func end(_ log: LogPipe) {
        close(log.reader)
        close(log.writer)
    }

    private static func remove(_ path: String) {
        for name in [LogPipe.name, "config", "caller", "ssh", "ask", OpenSSHQuestion.program] { unlink(path + "/" + name) }
        rmdir(path)
    }
}
