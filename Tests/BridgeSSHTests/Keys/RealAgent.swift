import Foundation
import Testing

/// A real ssh-agent for one test, in the foreground. It ends with its owner.
final class RealAgent: Sendable {
    let socket: String
    // Only `signal` and `deinit` use it, and they only read its process id.
    private let processIdentifier: pid_t
    private let ended: Task<Void, Never>

    init(in directory: KeyDirectory, name: String = "agent") async throws {
        socket = directory.path(name)
        let process = Process()
        process.executableURL = try Program.locate("ssh-agent")
        process.arguments = ["-D", "-a", socket]
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        processIdentifier = process.processIdentifier
        ended = Task { for await _ in stream {} }
        // ssh-agent prints its socket once it listens.
        let greeting = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try output.fileHandleForReading.close()
        try #require(greeting.contains(socket), "ssh-agent did not start: \(greeting)")
    }

    deinit { signal(SIGKILL) }

    /// Adds a private key file, or runs ssh-add with other arguments.
    func add(_ arguments: String..., askpass: String? = nil) async throws {
        var environment = ["SSH_AUTH_SOCK": socket]
        if let askpass { environment.merge(["SSH_ASKPASS": askpass, "SSH_ASKPASS_REQUIRE": "force"]) { $1 } }
        try await Program.run("ssh-add", arguments, environment: environment)
    }

    func signal(_ number: Int32) {
        // 0 and negative numbers would signal process groups.
        if processIdentifier > 1 { kill(processIdentifier, number) }
    }

    func end() async {
        signal(SIGKILL)
        await ended.value
    }
}
