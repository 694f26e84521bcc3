import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A real ssh-agent of this test's own, in the foreground, ended with its holder.
final class RealAgent: Sendable {
    let socket: String
    // Used by `signal` and `deinit` only, which touch nothing but its process id.
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
        // It says where it listens once it does.
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
        // 0 and negative numbers would mean groups of processes.
        if processIdentifier > 1 { kill(processIdentifier, number) }
    }

    func end() async {
        signal(SIGKILL)
        await ended.value
    }
}
