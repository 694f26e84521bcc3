public import Foundation

/// A real sshd on a free loopback port, in a bubblewrap sandbox with users, keys and files of its own.
///
/// Nothing is installed and no account is added to the machine. When the sandbox is stopped, or this process dies in whatever
/// way, every process in it ends and its directory is removed.
public final class SSHDSandbox: Sendable {
    /// What it was started with.
    public let options: Options
    /// The port that it listens on.
    public let port: Int
    /// The key that lets every user in who has no `authorizedKeys` of its own: Ed25519, without passphrase.
    public let clientKey: TestKey
    /// The server's host keys, in the order of the options.
    public let hostKeys: [TestKey]
    /// A directory of the test's own beside the sandbox's root.
    ///
    /// It goes when the sandbox goes.
    public let directory: ScratchDirectory
    /// The file of ``clientKey``.
    public let clientKeyFile: String

    let root: SandboxRoot
    let process: SupervisedProcess

    /// The address that it listens on.
    public var host: String { options.listenAddress }
    /// sshd's log.
    ///
    /// The default level is DEBUG1; a level below INFO keeps the sandbox from seeing that sshd is ready.
    public var log: Transcript { process.transcript }
    /// What the sandbox sees as `/tmp`: here a test finds the marks that a command left.
    public var temporaryDirectory: URL { url(of: "/tmp") }

    /// Where the host has what the sandbox has at `path`, except in `/usr`, `/proc`, `/dev` and `/small`.
    public func url(of path: String) -> URL { URL(fileURLWithPath: root.host(path)) }

    /// Starts a sandbox, gives it to `body`, and stops it whatever `body` does.
    ///
    /// - Throws: ``MissingTool`` if sshd or bwrap is not installed, ``StartFailed``, or what `body` throws.
    @discardableResult
    public static func run<R>(_ options: Options = Options(), _ body: (SSHDSandbox) async throws -> R) async throws -> R {
        let sandbox = try await start(options)
        do {
            let result = try await body(sandbox)
            await sandbox.stop()
            return result
        } catch {
            await sandbox.stop()
            throw error
        }
    }

    /// Starts a sandbox and returns once sshd listens.
    ///
    /// Prefer ``run(_:_:)``, which cannot forget to stop it.
    public static func start(_ options: Options = Options()) async throws -> SSHDSandbox {
        try await SandboxStart(options: options).run()
    }

    /// Ends every process of the sandbox and removes its directory.
    ///
    /// Calling it again does nothing.
    public func stop() async { await process.stop() }

    init(
        options: Options, port: Int, clientKey: TestKey, hostKeys: [TestKey], directory: ScratchDirectory, clientKeyFile: String,
        root: SandboxRoot, process: SupervisedProcess
    ) {
        self.options = options
        self.port = port
        self.clientKey = clientKey
        self.hostKeys = hostKeys
        self.directory = directory
        self.clientKeyFile = clientKeyFile
        self.root = root
        self.process = process
    }
}
