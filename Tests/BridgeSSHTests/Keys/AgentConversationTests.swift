import BridgeSSH
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import SSHTransport

@Suite("The conversation with an agent, in simulated time") struct AgentConversationTests {
    /// The answer to a request, or the detail of the problem; nil while it waits.
    private final class Answer: Sendable {
        private let found = Mutex<String?>(nil)
        var text: String? { found.withLock { $0 } }

        func set(_ result: Result<[UInt8], any Error>) {
            found.withLock { found in
                switch result {
                case .success(let bytes): found = "\(bytes)"
                case .failure(let error): found = (error as? SSHAgentProblem)?.detail
                }
            }
        }
    }

    private let conversation = AgentConversation(timeout: .milliseconds(5000))
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: conversation)
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/agent"), promise: nil)
    }

    private func ask() -> Answer {
        let promise = channel.eventLoop.makePromise(of: [UInt8].self)
        let answer = Answer()
        promise.futureResult.whenComplete { answer.set($0) }
        conversation.submit(AgentConversation.Request(token: AgentConversation.Token(), frame: [1], answer: promise))
        return answer
    }

    private func pass(_ milliseconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds)) }

    @Test("the time limit of a request ends with its answer, however long no other comes") func idle() throws {
        let first = ask()
        pass(4000)
        try channel.writeInbound([12] as [UInt8])
        #expect(first.text == "[12]")
        pass(60_000)
        let (second, third) = (ask(), ask())
        pass(4000)
        try channel.writeInbound([13] as [UInt8])
        pass(4000)
        #expect(second.text == "[13]" && third.text == nil)
        pass(2000)
        #expect(third.text == "The agent did not answer within 5.0 s.")
    }
}
