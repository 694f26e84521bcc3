import BridgeSSH
import Testing

@testable import SSHKeys

@Suite struct AgentMessageTests {
    static let messages: [AgentMessage] = [
        .failure, .requestIdentities, .extensionFailure, .identitiesAnswer([]),
        .identitiesAnswer([.init(key: [1, 2], comment: "é"), .init(key: [], comment: "")]),
        .signRequest(key: [1], data: [2, 3], flags: 4), .signResponse(signature: [9]),
    ]

    @Test("messages are decoded unchanged", arguments: messages)
    func comeBackAsTheyWere(message: AgentMessage) throws {
        let frame = try message.encoded()
        var reader = SSHWireReader(frame)
        let body = Array(try reader.string())
        try reader.expectEnd()
        #expect(try AgentMessage(body: body) == message)
        for count in 0..<body.count {
            #expect(throws: AgentCodecError.self, "cut at \(count)") { try AgentMessage(body: Array(body.prefix(count))) }
        }
        #expect(throws: AgentCodecError.malformed(.trailingBytes(1))) { try AgentMessage(body: body + [0]) }
    }

    @Test("as OpenSSH sends them") func asOpenSSHSendsThem() throws {
        #expect(try AgentMessage.requestIdentities.encoded() == [0, 0, 0, 1, 11])
        #expect(
            try AgentMessage.signRequest(key: [7], data: [8], flags: 2).encoded()
                == [0, 0, 0, 15, 13, 0, 0, 0, 1, 7, 0, 0, 0, 1, 8, 0, 0, 0, 2])
        #expect(AgentMessage.flags(for: "rsa-sha2-256") == 2)
        #expect(AgentMessage.flags(for: "rsa-sha2-512") == 4)
        #expect(AgentMessage.flags(for: "ssh-rsa") == 0)
    }

    @Test("limits") func limits() {
        let most = AgentMessage.maximumLength
        #expect(throws: AgentCodecError.tooLong(most + 1)) { try AgentMessage(body: [UInt8](repeating: 5, count: most + 1)) }
        #expect(throws: AgentCodecError.self) {
            try AgentMessage.signRequest(key: [], data: [UInt8](repeating: 0, count: most), flags: 0).encoded()
        }
        #expect(throws: AgentCodecError.unknownType(99)) { try AgentMessage(body: [99]) }
        #expect(throws: AgentCodecError.malformed(.truncated(needed: 0xFFFF_FFFF * 8, available: 0))) {
            try AgentMessage(body: [12, 255, 255, 255, 255])
        }
    }

    @Test("invalid bytes never trap") func rubbishNeverTraps() {
        for _ in 0..<5000 {
            var bytes = (0..<Int.random(in: 0...40)).map { _ in Bool.random() ? 0 : UInt8.random(in: 0...255) }
            if !bytes.isEmpty, Bool.random() { bytes[0] = [5, 11, 12, 13, 14, 28].randomElement() ?? 12 }
            if let message = try? AgentMessage(body: bytes) {
                #expect((try? message.encoded())?.isEmpty == false)
            }
        }
    }
}
