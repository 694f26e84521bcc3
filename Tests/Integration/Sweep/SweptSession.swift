import BridgeSSH
import Foundation
import SSHTestSupport

/// The session that the sweeps break, and the sandbox that serves it.
struct SweptSession: Sendable {
    let box: SSHDSandbox
    let configuration: SSHConnectionConfiguration
    /// The prefix of the paths of the commands' mark files, one for each run.
    private let marks: String

    static let output = "done\n"
    static let errorOutput = "also this\n"

    /// The outcome of one run.
    struct Outcome: Sendable {
        /// The fault's place, or without a fault the number of bytes.
        let offset: Int
        let error: SSHError?
        let output: String
        let errorOutput: String
        /// The number of the client's bytes that had reached the proxy when the connection was closed; nil if unknown.
        let clientBytes: Int
        /// The file that exists if the command has run.
        let mark: String

        /// The same run, with another place of the fault.
        func at(_ offset: Int) -> Outcome {
            Outcome(
                offset: offset, error: error, output: output, errorOutput: errorOutput, clientBytes: clientBytes, mark: mark)
        }

        var commandHasRun: Bool { FileManager.default.fileExists(atPath: mark) }
    }

    init(_ box: SSHDSandbox) throws {
        self.box = box
        marks = box.temporaryDirectory.path + "/"
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = [SSHIdentity(path: box.clientKeyFile)]
        // Every run goes through its own proxy, and so its own port.
        configuration.hostKeyAlias = "swept"
        let known = box.hostKeys.map { "swept \($0.publicKey)\n" }.joined()
        configuration.knownHosts = SSHKnownHostsFiles(user: [try box.directory.write(known, to: "known_hosts.swept")])
        self.configuration = configuration
    }

    /// A server with the same number of bytes in every run: one host key with signatures of constant length, and few log
    /// messages.
    static var options: SSHDSandbox.Options {
        var options = SSHDSandbox.Options("LogLevel INFO\nMaxStartups 1000")
        options.hostKeys = [.ed25519]
        return options
    }

    /// The maximum number of concurrent runs.
    var width: Int { min(64, box.options.server.unauthenticatedLimit - 4) }

    let user = SandboxUser.bob.name

    /// A name for the file that a command leaves. All names have the same length, so the commands do too.
    func newMark() -> String {
        let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return "mark." + String((0..<13).map { _ in digits[Int.random(in: digits.indices)] })
    }

    func command(marking name: String) -> String { ": >/tmp/\(name); echo also this >&2; echo done" }

    /// Each run comes from its own address: Dropbear counts them.
    private static var source: String {
        "127.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250))"
    }

    /// Runs the command behind a proxy with this fault.
    ///
    /// - Parameter timeLimit: the deadline of the connection, and of the command, in seconds.
    func run(_ fault: FaultProxy.Fault?, timeLimit: Double, record: WireRecord? = nil) async throws -> Outcome {
        let name = newMark()
        return try await FaultProxy.run(to: box.port, fault: fault, from: Self.source, record: record) { proxy in
            var error: SSHError?
            var result: SSHCommandResult?
            do {
                result = try await perform(command(marking: name), through: proxy, timeLimit, untilClosed: record != nil)
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

    /// - Parameter untilClosed: waits for the server's last packet, which may still be on its way when the command has ended.
    private func perform(
        _ command: String, through proxy: FaultProxy, _ timeLimit: Double, untilClosed: Bool = false,
        _ change: (inout SSHConnectionConfiguration) -> Void = { _ in }
    ) async throws -> SSHCommandResult {
        var configuration = configuration
        configuration.timeouts.connect = .seconds(timeLimit)
        change(&configuration)
        var options = SSHCommandOptions()
        options.timeout = .seconds(timeLimit)
        return try await SSHClient.withConnection(
            to: SSHEndpoint(unchecked: "127.0.0.1", port: proxy.port, user: user), configuration: configuration
        ) { connection in
            let result = try await connection.run(command, options: options, check: true)
            if untilClosed { while await connection.openChannels() > 0 { try await Task.sleep(for: .milliseconds(1)) } }
            return result
        }
    }

    /// The facts from a session without credentials: the methods in the server's refusal of `none`, and how many bytes it had
    /// sent until then.
    func refused() async throws -> (methods: [String], received: Int) {
        try await FaultProxy.run(to: box.port, from: Self.source) { proxy in
            do {
                _ = try await perform("true", through: proxy, 60) { $0.credentials = SSHCredentials() }
            } catch let error as SSHError {
                guard let methods = error.evidence.authentication?.methodsOffered else { throw error }
                return (methods, error.evidence.bytesReceived)
            }
            throw DidNotFail()
        }
    }

    /// Whether the client sends more than this many bytes if the server falls silent after a given number of bytes.
    func sends(moreThan count: Int, afterServerBytes offset: Int) async throws -> Bool {
        try await FaultProxy.run(to: box.port, fault: .init(.mute, afterServerBytes: offset), from: Self.source) { proxy in
            let running = Task { try await perform(command(marking: newMark()), through: proxy, 60) }
            defer { running.cancel() }
            let begun = ContinuousClock.now
            while proxy.statistics.bytesFromClient <= count {
                if ContinuousClock.now - begun > .seconds(60) { return false }
                try await Task.sleep(for: .milliseconds(1))
            }
            return true
        }
    }
}
