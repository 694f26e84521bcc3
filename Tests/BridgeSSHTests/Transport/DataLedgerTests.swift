import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

/// The data of a channel that libssh2 received, judged by the blocks that it frees.
@Suite struct DataLedgerTests {
    private func message(_ channel: UInt32, _ stream: UInt32, _ content: [UInt8], padding: Int = 7) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.byte(stream == 0 ? 94 : 95)
        writer.uint32(channel)
        if stream != 0 { writer.uint32(stream) }
        writer.string(content)
        writer.raw([UInt8](repeating: 0xa5, count: padding))
        return writer.bytes
    }

    private func payload(_ bytes: [UInt8]) -> DataPayload? { bytes.withUnsafeBytes { DataPayload($0) } }

    private func release(_ bytes: [UInt8], to ledger: inout DataLedger) {
        bytes.withUnsafeBytes { payload in
            if let data = DataPayload(payload) { ledger.released(data, of: payload) }
        }
    }

    @Test("both kinds of data are read with any padding") func readsBothKindsWithAnyPadding() throws {
        for padding in [0, 4, 255, 319] {
            let plain = try #require(payload(message(3, 0, [1, 2], padding: padding)))
            #expect(plain.channel == 3 && plain.stream == 0 && plain.content == 9..<11)
            let extended = try #require(payload(message(4, 1, [], padding: padding)))
            #expect(extended.channel == 4 && extended.stream == 1 && extended.content == 13..<13)
        }
        #expect(payload(message(3, 0, [1, 2], padding: 320)) == nil)
        #expect(payload([93, 0, 0, 0, 1, 0, 0, 0, 0]) == nil)
    }

    @Test("refuses every truncation") func refusesEveryTruncation() {
        for stream in [UInt32(0), 1] {
            let whole = message(1, stream, [1, 2, 3], padding: 0)
            for count in 0..<whole.count { #expect(payload(Array(whole.prefix(count))) == nil) }
        }
    }

    /// However the reads split the messages, exactly the unread bytes are left.
    @Test("the remaining data is the unread data") func whatIsLeftIsWhatWasNotRead() {
        var generator = SeededGenerator(seed: 94)
        for _ in 0..<500 {
            let messages = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<Int.random(in: 0...9, using: &generator)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }
            let all = messages.flatMap { $0 }
            let read = Int.random(in: 0...all.count, using: &generator)
            var ledger = DataLedger()
            ledger.open(0)
            var position = 0
            var isOver = false
            for content in messages {
                position += content.count
                // A message is freed in time once all of it has been read.
                if position > read, !isOver {
                    isOver = true
                    ledger.keepFreedData()
                }
                release(message(0, 1, content), to: &ledger)
                release(message(9, 1, [1]), to: &ledger)
            }
            if !isOver { ledger.keepFreedData() }
            #expect(ledger.rest(of: 0, 1, read: read)?.bytes == Array(all.dropFirst(read)))
        }
    }

    @Test("inconsistent counts give no data") func booksThatDoNotBalanceGiveNothing() {
        var ledger = DataLedger()
        ledger.open(0)
        release(message(0, 0, [1, 2, 3]), to: &ledger)
        ledger.keepFreedData()
        #expect(ledger.rest(of: 0, 0, read: 2) == nil)
        #expect(ledger.rest(of: 0, 0, read: 4) == nil)
        #expect(ledger.rest(of: 0, 0, read: 3)?.count == 0)
    }

    /// A server may name any number of them.
    @Test("channels that are not open are not noted") func channelsThatAreNotOpenAreNotNoted() {
        var ledger = DataLedger()
        for number in UInt32(0)..<1000 { release(message(number, 0, [1]), to: &ledger) }
        ledger.open(7)
        for type in UInt32(2)..<1000 { release(message(7, type, [1]), to: &ledger) }
        #expect(ledger.count == 1)
        #expect(ledger.rest(of: 7, read: 0)?.count == 0)
        ledger.close(7)
        #expect(ledger.count == 0)
    }

    @Test("a number may be used again") func aNumberMayBeUsedAgain() {
        var ledger = DataLedger()
        release(message(0, 0, [1, 2, 3]), to: &ledger)
        ledger.open(0)
        ledger.keepFreedData()
        release(message(0, 0, [4]), to: &ledger)
        #expect(ledger.rest(of: 0, 0, read: 0)?.bytes == [4])
    }
}
