import ErrorCore
import ErrorCoreTesting
import InMemoryLogging
import Logging
import Testing

@Suite struct ErrorResponderTests {
    @Test("the nearest responder answers") func theNearestAnswers() async {
        let window = RecordingResponder(answering: [.abort])
        let view = RecordingResponder(answering: [nil, .retry], parent: window)
        #expect(await view.respond(to: AppError.agentBusy) == .abort)
        #expect(await view.respond(to: AppError.agentBusy) == .retry)
        #expect(view.errors.count == 2 && window.errors.count == 1)
    }

    @Test("an error without responder is logged and cancelled") func anErrorWithoutResponderIsLoggedAndCancelled() async throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        let responder = RecordingResponder(parent: ErrorResponderChain())
        #expect(await responder.respond(to: AppError.sshHostKeyMismatch(host: "h"), logger: logger) == .cancel)
        let entry = try #require(log.entries.first)
        #expect(log.entries.count == 1 && entry.level == .critical)
        #expect(entry.metadata["error_code"] == "ssh.host-key-mismatch")
    }

    @Test("the last connected responder is asked first") func theLastConnectedIsAskedFirst() async {
        let chain = ErrorResponderChain()
        let first = RecordingResponder(answering: [.proceed, .proceed])
        let second = RecordingResponder(answering: [.abort])
        let one = chain.connect(first)
        let two = chain.connect(second)
        #expect(await chain.respond(to: AppError.agentBusy) == .abort)
        #expect(await chain.respond(to: AppError.agentBusy) == .proceed)
        two.disconnect()
        two.disconnect()
        #expect(chain.connectionCount == 1)
        #expect(await chain.respond(to: AppError.agentBusy) == .proceed)
        #expect(second.errors.count == 2)
        withExtendedLifetime((one, two)) {}
    }

    @Test("a connection ends with its scope") func aConnectionEndsWithItsScope() async {
        let chain = ErrorResponderChain()
        do {
            let connection = chain.connect { _, _ in .retry }
            #expect(await chain.respond(to: AppError.agentBusy) == .retry)
            withExtendedLifetime(connection) {}
        }
        #expect(chain.connectionCount == 0)
        #expect(await chain.respond(to: AppError.agentBusy) == .cancel)
    }

    @Test("chains pass up") func chainsPassUp() async {
        let app = ErrorResponderChain()
        let window = ErrorResponderChain(parent: app)
        let connection = app.connect { error, context in
            context.action == "save" && error is AppError ? .proceed : nil
        }
        #expect(await window.respond(to: AppError.agentBusy, context: ErrorContext(action: "save")) == .proceed)
        #expect(await RespondToError(window)(AppError.agentBusy, action: "save") == .proceed)
        #expect(await RespondToError()(AppError.agentBusy) == .cancel)
        withExtendedLifetime((app, connection)) {}
    }

    @Test("nothing is retained") func nothingIsRetained() {
        weak var weakChain: ErrorResponderChain?
        weak var weakChild: ErrorResponderChain?
        weak var weakResponder: RecordingResponder?
        weak var weakConnection: ErrorResponderChain.Connection?
        do {
            let chain = ErrorResponderChain()
            let child = ErrorResponderChain(parent: chain)
            let responder = RecordingResponder(parent: chain)
            let connection = chain.connect(responder)
            let closure = chain.connect { [child] _, _ in child.connectionCount == 0 ? nil : .retry }
            (weakChain, weakChild, weakResponder, weakConnection) = (chain, child, responder, connection)
            withExtendedLifetime((child, closure)) {}
        }
        #expect(weakChain == nil && weakChild == nil && weakResponder == nil && weakConnection == nil)
    }

    @Test("a circle of parents ends") func aCircleOfParentsEnds() async {
        let one = ErrorResponderChain()
        let two = ErrorResponderChain(parent: one)
        one.parentResponder = two
        #expect(await one.respond(to: AppError.agentBusy) == .cancel)
    }

    @Test("operations follow the answer") func operationsFollowTheAnswer() async throws {
        var runs = 0
        let retrying = RecordingResponder(answering: [.retry, .retry, .proceed])
        let nothing: Int? = try await retrying.responding {
            runs += 1
            throw AppError.agentBusy
        }
        #expect(runs == 3 && nothing == nil)
        #expect(try await retrying.responding { 5 } == 5)
        await #expect(throws: AppError.agentBusy) {
            try await RecordingResponder(answering: [.abort]).responding { throw AppError.agentBusy }
        }
    }
}
