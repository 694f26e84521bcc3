import Testing

@testable import BridgeSSH

@Suite struct BoundedNoticesTests {
    @Test("notices beyond the limit are counted") func whatIsBeyondTheLimitIsCounted() {
        var notices = BoundedNotices()
        for number in 1...64 { notices.append("\(number)") }
        #expect(notices.texts.count == 64)
        for number in 65...10_000 { notices.append("\(number)") }
        #expect(notices.texts.count == 65 && notices.texts[63] == "64")
        #expect(notices.texts.last == "There were 9936 more notices.")
    }
}
