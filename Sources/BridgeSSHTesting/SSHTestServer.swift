#if os(Linux)
    public import BridgeSSH
    internal import SSHTestSupport

    /// A real sshd on a free loopback port, in a sandbox with users, keys and files of its own. Linux only.
    ///
    /// Nothing is installed and no account is added to the machine; when the closure returns, every process of it has ended and
    /// its files are gone. It needs root, `openssh-server` and `bubblewrap`.
    /// ```swift
    /// try await SSHTestServer.run { server in
    ///     try await SSHClient.withConnection(to: server.endpoint, configuration: server.configuration) { … }
    /// }
    /// ```
    public struct SSHTestServer: Sendable {
        /// Its address, and its user `alice`, who has a shell.
        public let endpoint: SSHEndpoint
        /// The configuration of a login as `alice`: her key, and the server's host keys.
        public let configuration: SSHConnectionConfiguration
        private let sandbox: SSHDSandbox

        /// sshd's log so far.
        public var log: String { sandbox.log.text }

        /// Starts a server, lends it to `body`, and ends it, even after an error.
        ///
        /// - Parameters:
        ///   - settings: lines of sshd_config(5) that come first, and so win: `MaxSessions 2`.
        ///   - isolation: the actor on which `body` runs; the caller's.
        ///   - body: what to do while the server runs.
        /// - Throws: an error that names the missing program where sshd or bubblewrap is not installed; what `body` throws.
        public static func run<Result>(
            settings: String = "", isolation: isolated (any Actor)? = #isolation, _ body: (SSHTestServer) async throws -> Result
        ) async throws -> Result {
            let sandbox = try await SSHDSandbox.start(SSHDSandbox.Options(settings))
            do {
                let result = try await body(try await SSHTestServer(sandbox))
                await sandbox.stop()
                return result
            } catch {
                await sandbox.stop()
                throw error
            }
        }

        private init(_ sandbox: SSHDSandbox) async throws {
            self.sandbox = sandbox
            endpoint = try SSHEndpoint(host: sandbox.host, port: sandbox.port, user: SandboxUser.alice.name)
            var configuration = SSHConnectionConfiguration()
            configuration.credentials.identities = [SSHIdentity(path: sandbox.clientKeyFile)]
            configuration.knownHosts = SSHKnownHostsFiles(user: [try await sandbox.knownHosts()])
            self.configuration = configuration
        }
    }

    /// ``SSHTestServer``.
    @available(*, deprecated, renamed: "SSHTestServer")
    public typealias TestServer = SSHTestServer
#endif
