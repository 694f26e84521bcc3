import NIOCore
import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHTransport

/// Sessions with a server that sends unrequested data, in simulated time.
@Suite("Uninvited packets, in simulated time") struct UninvitedPacketTests {
    /// A server's messages by number: 5 confirms the channel, 6 accepts the command.
    @Test("the session is lost while a channel is open", arguments: [6, 7])
    func channelIsOpen(place: Int) throws {
        let chain = SimulatedChain(hops: 1, seed: 1)
        // Without a payload: the allocator refuses its block, and a dead session with channels is freed at once.
        chain.servers[0].extraPackets[place] = [WirePacket([])]
        try chain.addSession(nil)
        if place == 6 {
            #expect(throws: Fault.self) { try chain.startCommand() }
        } else {
            let command = try chain.startCommand()
            let session = chain.sessions[0]
            let reader = chain.wait("the reader", on: 0) { while try await session.read(command, stream: 0) != nil {} }
            try chain.servers[0].write("output")
            #expect(try chain.run(atMost: .milliseconds(10_000)) { reader.isDone })
        }
        #expect(chain.fault(0)?.event == .protocolViolated(.malformedPacket))
    }

    /// libssh2 reports that it has no memory, although it has not asked for any.
    @Test("a signal name with an endless stated length") func endlessName() throws {
        let chain = SimulatedChain(hops: 1, seed: 1)
        var request = SSHWireWriter()
        request.byte(98)
        request.uint32(0)
        request.string("exit-signal")
        request.byte(0)
        request.uint32(.max)
        request.raw(Array("KILL".utf8))
        chain.servers[0].extraPackets[6] = [WirePacket(request.bytes)]
        try chain.addSession(nil)
        #expect(throws: Fault.self) { try chain.startCommand() }
        #expect(chain.fault(0)?.event == .protocolViolated(.malformedPacket))
    }

    @Test("memory that libssh2 leaks after a failed key exchange is freed") func failedKeyExchange() throws {
        let chain = SimulatedChain(hops: 1, seed: 1)
        // NEWKEYS before the reply.
        chain.servers[0].extraPackets[1] = [WirePacket([21])]
        #expect(throws: Fault.self) { try chain.addSession(nil) }
        #expect(chain.fault(0)?.event == .protocolViolated(.unexpectedMessage(21)))
        chain.sessions[0].assumeIsolated { session in
            #expect(session.library.held > 0)
            session.library.free()
            #expect(session.library.held == 0)
        }
    }
}
