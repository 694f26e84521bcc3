import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// A helper that ends, or hangs, at exactly one point. It takes the place of the real helper for all runs with the same
/// options.
struct FakeHelper: Sendable {
    enum Manner: Sendable {
        /// Accepts callers and never answers.
        case deaf
        /// Hangs up on the command before it is taken.
        case leaves
        /// Says nothing about the command for as long as the run waits.
        case hangs
        /// Takes the command and hangs up.
        case takesAndLeaves
        /// Accepts the command, reports its start if `runs`, and then stays silent.
        case takesAndHangs(runs: Bool)
    }

    private let listener: OwnedDescriptor
    private let manner: Manner
    /// The server's key, which the runs know.
    private let trust: KeptTrust
    /// Receives a value for each command that was requested.
    private let asked: AsyncStream<Void>.Continuation

    /// - Parameter body: receives a function that returns when a command has been requested.
    static func run(
        _ manner: Manner, in fixture: PersistFixture, _ body: @escaping @Sendable (AsyncStream<Void>) async throws -> Void
    ) async throws {
        // Only the executable knows the name that a helper has for its options.
        #expect(try await fixture.run("true").exitStatus == 0)
        let socket = try #require(fixture.files.first { $0.hasSuffix(HelperFiles.socketEnding) })
        try await fixture.stopAll()
        let files = HelperFiles(
            directory: fixture.directory.path, name: String(socket.dropLast(HelperFiles.socketEnding.count)))
        let lock = try #require(try files.lock())
        let listener = try #require(files.listen())
        let (stream, asked) = AsyncStream.makeStream(of: Void.self)
        let key = try #require(fixture.box.hostKeys.first)
        let words = key.publicKey.split(separator: " ").map(String.init)
        let blob = try #require(Data(base64Encoded: words[1]))
        let trust = KeptTrust(hostKeys: [KeptHostKey(SSHHostKey(algorithm: words[0], blob: Array(blob)), .known)])
        let helper = FakeHelper(listener: listener, manner: manner, trust: trust, asked: asked)
        // A run waits for its helper for five seconds, which other tests must not use up.
        let serving = Task { await withDedicatedThread { await helper.serve() } }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(stream))
        } catch {
            result = .failure(error)
        }
        files.remove()
        shutdown(listener.number, Int32(SHUT_RDWR))
        await serving.value
        withExtendedLifetime(lock) {}
        try result.get()
    }

    private func serve() async {
        await withDiscardingTaskGroup { group in
            while let socket = await next() { group.addTask { await converse(socket) } }
        }
    }

    private func next() async -> FrameSocket? {
        await withCheckedContinuation { continuation in
            // On a separate thread, because Dispatch has few, which other tests need.
            Thread.detachNewThread { [listener] in
                let descriptor = accept(listener.number, nil, nil)
                continuation.resume(returning: descriptor >= 0 ? FrameSocket(descriptor: descriptor) : nil)
            }
        }
    }

    private func converse(_ socket: FrameSocket) async {
        guard let hello = try? await socket.receive()?.value(Hello.self) else { return }
        var status = HelperStatus(process: Int(getpid()), isReady: true)
        // The helper pretends to be of the same build as the run.
        status.build = hello.build
        if case .deaf = manner {
            while (try? await socket.receive()) != nil {}
            return
        }
        await socket.send(.welcome, status)
        await socket.send(.ready, trust)
        guard let request = try? await socket.receive(), request.kind == .run else { return }
        defer { asked.yield() }
        switch manner {
        case .leaves, .deaf: return
        case .hangs: while (try? await socket.receive()) != nil {}
        case .takesAndLeaves: await socket.send(.taken, TextList())
        case .takesAndHangs(let runs):
            await socket.send(.taken, TextList())
            if runs { await socket.send(.running, TextList()) }
            asked.yield()
            while (try? await socket.receive()) != nil {}
        }
    }
}
