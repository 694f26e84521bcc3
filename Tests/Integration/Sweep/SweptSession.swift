import BridgeSSH
import Foundation
import SSHTestSupport

/// The session that the sweeps break, and the sandbox that serves it.
struct SweptSession: Sendable {
    let box: SSHDSandbox
    let configuration: Configuration
    /// Behind it the marks of the commands, one file a run.
    private let marks: String

    static let output = "done\n"
    static let errorOutput = "also this\n"

    /// What became of one run.
    struct Outcome: Sendable {
        /// The fault's place, or how many bytes passed where there was none.
        let offset: Int
        let error: SSHError?
        let output: String
        let errorOutput: String
        /// How many of our bytes had come to the proxy when the connection was closed, where that can be seen.
        let clientBytes: Int
        /// The file that exists if the command has run.
        let mark: String

        /// The same run, as if the fault had been there.
        func at(_ offset: Int) -> Outcome {
            Outcome(
                offset: offset, error: error, output: output, errorOutput: errorOutput, clientBytes: clientBytes, mark: mark)
        }

        var commandHasRun: Bool { FileManager.default.fileExists(atPath: mark) }
    }

    init(_ box: SSHDSandbox) throws {
        self.box = box
        marks = box.temporaryDirectory.path + "/"
        var configuration = Configuration()
        configuration.credentials.identities = [Identity(path: box.clientKeyFile)]
        // Every run goes through a proxy, and so a port, of its own.
        configuration.hostKeyAlias = "swept"
        let known = box.hostKeys.map { "swept \($0.publicKey)\n" }.joined()
        configuration.knownHosts = KnownHostsFiles(user: [try box.directory.write(known, to: "known_hosts.swept")])
        self.configuration = configuration
    }

    /// A server whose stream is the same to the byte in every run: one host key, of a kind whose signatures are all of one
    /// length, and little to log.
    static var options: SSHDSandbox.Options {
        var options = SSHDSandbox.Options("LogLevel INFO\nMaxStartups 1000")
        options.hostKeys = [.ed25519]
        return options
    }

    /// How many runs there may be at once.
    var width: Int { min(64, box.options.server.unauthenticatedLimit - 4) }

    /// Runs the command behind a proxy with this fault.
    ///
    /// - Parameter patience: the deadline of the connection, and of the command, in seconds.
    func run(_ fault: FaultProxy.Fault?, patience: Double, record: WireRecord? = nil) async throws -> Outcome {
        let name = "mark." + String(UInt64.random(in: 0 ... .max), radix: 36)
        // Each from an address of its own: Dropbear counts them.
        let source = "127.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250))"
        let command = ": >/tmp/\(name); echo also this >&2; echo done"
        return try await FaultProxy.run(to: box.port, fault: fault, from: source, record: record) { proxy in
            var configuration = configuration
            configuration.timeouts.connect = patience
            var options = CommandOptions()
            options.timeout = patience
            var error: SSHError?
            var result: CommandResult?
            do {
                result = try await SSHClient.withConnection(
                    to: Endpoint(host: "127.0.0.1", port: proxy.port, user: SandboxUser.bob.name), configuration: configuration
                ) { connection in
                    let result = try await connection.run(command, options: options, check: true)
                    // The server's last packet may still be on its way.
                    if record != nil { while await connection.openChannels() > 0 { try await Task.sleep(for: .milliseconds(1)) } }
                    return result
                }
            } catch let failure as SSHError {
                error = failure
            }
            if case .finish? = fault?.action { await proxy.connectionsClosed() }
            return Outcome(
                offset: fault?.offset ?? proxy.statistics.bytesFromServer, error: error,
                output: result?.standardOutputText ?? "", errorOutput: result?.standardErrorText ?? "",
                clientBytes: proxy.statistics.bytesFromClient, mark: marks + name)
        }
    }
}
