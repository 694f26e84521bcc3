import BridgeSSH
import Testing

@testable import SSHTransport

/// The part of the table that needs no libssh2. Opening needs it and is tested with sessions in simulated time.
@Suite("The table of channels") struct ChannelTableTests {
    @Test("an ID is given once") func identifiers() {
        let table = ChannelTable()
        #expect(Set((0..<100).map { _ in table.reserve() }).count == 100)
        #expect(table.isEmpty)
    }

    @Test("a refusal belongs to the channel being opened and is taken once") func refusal() {
        let table = ChannelTable()
        let (one, other) = (table.reserve(), table.reserve())
        let answer = ChannelAnswer.failure(number: 0, reason: 1, description: "no")
        table.beginOpening()
        table.note(answer)
        #expect(table.endOpening(one, nil, roundTrip: .zero))
        #expect(table.takeRefusal(of: other) == nil)
        #expect(table.takeRefusal(of: one) == answer)
        #expect(table.takeRefusal(of: one) == nil)
    }

    @Test("an answer that came before an attempt does not belong to it") func earlierAnswer() {
        let table = ChannelTable()
        let id = table.reserve()
        table.note(.failure(number: 0, reason: 1, description: "no"))
        table.beginOpening()
        #expect(table.endOpening(id, nil, roundTrip: .zero))
        #expect(table.takeRefusal(of: id) == nil)
    }

    @Test("messages for an unknown channel are dropped") func strangers() {
        let table = ChannelTable()
        #expect(table.numbered(7) == nil)
        #expect(table[table.reserve()] == nil)
        #expect(table.usable(ChannelID(rawValue: 1)) == nil)
        #expect(table.remove(ChannelID(rawValue: 1)) == nil)
    }
}
