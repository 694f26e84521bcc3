import BridgeSSH
import Testing

@testable import SSHTransport

@Suite struct IdentificationFilterTests {
    private func outcome(_ text: String) -> (IdentificationFilter.Outcome, IdentificationFilter) {
        var filter = IdentificationFilter()
        return (filter.take(Array(text.utf8)), filter)
    }

    @Test(
        "finds the line",
        arguments: [
            ("SSH-2.0-OpenSSH_9.2\r\n", "SSH-2.0-OpenSSH_9.2", [String]()),
            ("SSH-2.0-x\n", "SSH-2.0-x", []),
            ("SSH-1.99-Cisco-1.25\r\n", "SSH-1.99-Cisco-1.25", []),
            ("Welcome\r\n\r\nBe nice.\nSSH-2.0-x\r\n", "SSH-2.0-x", ["Welcome", "", "Be nice."]),
        ])
    func findsTheLine(_ text: String, _ line: String, _ before: [String]) {
        let (outcome, filter) = outcome(text + "rest")
        #expect(outcome == .found(rest: text.utf8.count))
        #expect(filter.identification == line)
        #expect(filter.linesBefore == before)
        #expect(filter.identificationForLibrary == Array((line + "\r\n").utf8))
    }

    @Test(
        "other protocols are recognised",
        arguments: [
            "SSH-1.5-old\r\n", "HTTP/1.1 400 Bad Request\r\n", "220 mail ready\r\n", "+OK POP3\r\n", "* OK IMAP\r\n",
            "RFB 003.008\n",
            "\u{15}\u{3}\u{1}\u{0}\u{2}", "SSH-2.0-" + String(repeating: "x", count: 300) + "\r\n", "SSH-2.0-nul\u{0}byte\r\n",
            String(repeating: "x", count: IdentificationFilter.maximumLineLength + 1),
        ])
    func knowsWhatIsNotForUs(_ text: String) {
        #expect(outcome(text).0 == .notSSH)
    }

    @Test(
        "waits for more",
        arguments: [
            "", "SSH-2.0-unfinished", "Exceeded MaxStartups\r\n", "22", "a\nb\nc\n",
            String(repeating: "x", count: IdentificationFilter.maximumLineLength),
            "SSH-2.0-" + String(repeating: "x", count: IdentificationFilter.maximumLineLength),
        ])
    func waitsForMore(_ text: String) {
        #expect(outcome(text).0 == .more)
    }

    /// The bytes may be split anywhere.
    @Test("the result is the same for any pieces") func isTheSameInAnyPieces() {
        let text = Array("greeting\r\n\r\nSSH-2.0-OpenSSH_9.2p1 Debian\r\nKEX".utf8)
        for cut in 0...text.count {
            var filter = IdentificationFilter()
            var outcome = filter.take(text[..<cut])
            if outcome == .more { outcome = filter.take(text[cut...]) }
            #expect(filter.identification == "SSH-2.0-OpenSSH_9.2p1 Debian")
            guard case .found = outcome else {
                Issue.record("cut at \(cut): \(outcome)")
                continue
            }
        }
    }

    @Test("a flood is bounded") func aFloodIsBounded() {
        var filter = IdentificationFilter()
        let line = Array((String(repeating: "x", count: 99) + "\n").utf8)
        var outcome = IdentificationFilter.Outcome.more
        var count = 0
        while outcome == .more, count < 1 << 20 {
            outcome = filter.take(line)
            count += 1
        }
        #expect(outcome == .notSSH)
        #expect(filter.linesBefore.count <= 16)
        #expect(filter.firstBytes.count <= IdentificationFilter.maximumFirstBytes)
    }

    @Test("at the end the rest is a line") func theEndMakesALineOfWhatIsLeft() {
        var filter = IdentificationFilter()
        _ = filter.take(Array("Not allowed at this time".utf8))
        filter.finish()
        #expect(filter.linesBefore == ["Not allowed at this time"])
    }
}
