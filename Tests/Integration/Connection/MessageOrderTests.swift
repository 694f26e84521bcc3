import BridgeSSH
import SSHTestSupport
import Testing

/// A server's messages about a command, in every possible order.
@Suite("The order of a server's messages") struct MessageOrderTests {
    enum Message: Hashable {
        case output, errorOutput, exit, endOfOutput, close
        /// The server's answer to the request that started the command, which may come before, between or after the others.
        case answer

        func action(status: UInt32) -> ServerAction {
            switch self {
            case .output: .output("out\n")
            case .errorOutput: .errorOutput("err\n")
            case .exit: .exitStatus(status)
            case .endOfOutput: .endOfOutput
            case .close: .closeChannel
            case .answer: .accept
            }
        }
    }

    /// RFC 4254 section 5.3: no data after the end of the data, and nothing after the end of the channel, except the answer,
    /// whose position is not specified.
    static let orders: [[Message]] = {
        var orders: [[Message]] = []
        for outputs in [[Message.output, .errorOutput], [.errorOutput, .output]] {
            for exit in 0...3 {
                var messages = outputs + [.endOfOutput]
                messages.insert(.exit, at: exit)
                messages.append(.close)
                orders.append(messages)
                for place in 0...messages.count {
                    var answered = messages
                    answered.insert(.answer, at: place)
                    orders.append(answered)
                }
            }
        }
        return orders
    }()

    /// - Parameter separated: the message before which the keys are renewed. That takes a round trip, in which the client
    ///   reads the earlier messages.
    private static func script(_ order: [Message], status: UInt32, separated: Message? = nil) -> ServerScript {
        let actions = order.flatMap { message -> [ServerAction] in
            (message == separated ? [.renewKeys()] : []) + [message.action(status: status)]
        }
        return ServerScript().on(.request("exec"), actions)
    }

    private func check(_ script: ServerScript, status: Int, _ comment: String) async throws {
        try await ScriptedServer.run(script) { server in
            let testRun = server.testRun()
            let result = try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"), configuration: testRun.configuration
            ) { try await $0.run("true") }
            #expect(result.termination == .exited(status), "\(comment)")
            #expect(result.standardOutputText == "out\n", "\(comment)")
            #expect(result.standardErrorText == "err\n", "\(comment)")
            #expect(server.unexpectedMessages == [])
        }
    }

    @Test("all messages together", arguments: [0, 3] as [UInt32]) func together(status: UInt32) async throws {
        try await Gate.shared.pass {
            for order in Self.orders { try await check(Self.script(order, status: status), status: Int(status), "\(order)") }
        }
    }

    @Test("with a round trip before one of them", arguments: [Message.answer, .exit, .endOfOutput, .close, .output])
    func separated(message: Message) async throws {
        try await Gate.shared.pass {
            let orders = Self.orders.filter { $0.contains(message) }
            for order in TestExtent.cases(of: orders, oneOf: 3) {
                try await check(Self.script(order, status: 3, separated: message), status: 3, "\(order)")
            }
        }
    }

    @Test("a signal before the answer, which comes last or never", arguments: [true, false]) func signal(isAnswered: Bool)
        async throws
    {
        let actions: [ServerAction] = [.output("out"), .exitSignal("KILL", message: ""), .endOfOutput, .closeChannel]
        let script = ServerScript().on(.request("exec"), actions + (isAnswered ? [.renewKeys(), .accept] : []))
        try await ScriptedCase("", .signal(9), script).check()
    }

    /// A server that cannot answer before its command's output has been read.
    @Test("the answer after more output than is read ahead") func much() async throws {
        let script = ServerScript().on(
            .request("exec"), .flood(.output(String(repeating: "x", count: 30_000)), bytes: 2_000_000), .exitStatus(0),
            .endOfOutput,
            .renewKeys(), .accept, .closeChannel)
        try await ScriptedServer.run(script) { server in
            let result = try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"),
                configuration: server.testRun().configuration
            ) { try await $0.run("true") }
            #expect(result.termination == .exited(0))
            #expect(result.standardOutput.count > 1_900_000)
        }
    }

    /// A late answer belongs neither to this command nor to another.
    @Test("two commands at once, the first answered late") func two() async throws {
        let late: [ServerAction] = [
            .output("out\n"), .errorOutput("err\n"), .exitStatus(3), .endOfOutput, .closeChannel, .renewKeys(), .accept,
        ]
        let script = ServerScript().on(.request("exec"), late).on(.request("exec"), late).on(.request("exec"), late)
        try await ScriptedServer.run(script) { server in
            try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"),
                configuration: server.testRun().configuration
            ) { connection in
                try await withThrowingTaskGroup(of: SSHCommandResult.self) { group in
                    for _ in 0..<6 { group.addTask { try await connection.run("true") } }
                    for try await result in group {
                        #expect(result.termination == .exited(3))
                        #expect(result.standardOutputText == "out\n")
                    }
                }
            }
        }
    }

    @Test("a refusal is recognised after any output", arguments: [false, true]) func refused(isSeparated: Bool)
        async throws
    {
        let actions: [ServerAction] = [.errorOutput("not here\n")] + (isSeparated ? [.renewKeys()] : []) + [.refuse]
        try await ScriptedCase("", .failure(.channelExecDenied), ServerScript().on(.request("exec"), actions)).check()
    }
}
