import BridgeSSH
import Testing

@testable import SSHFileTransfer
@testable import SSHTransport

@Suite("Parts of a copy, without any I/O")
struct CopyPartsTests {
    @Test(
        "names match as in a shell",
        arguments: [
            ("*", "a", true), ("*", ".a", false), (".*", ".a", true), ("f?", "fä", true), ("f?", "f", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[]x]", "]", true), ("[a", "[a", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false), ("\\*", "*", true), ("\\*", "a", false), ("**", "a", true), ("", "", true),
            ("", "a", false),
            ("[z-a]", "b", false), ("[a-]", "-", true), ("?a", ".a", false), ("[.]a", ".a", false), ("*\n*", "a\nb", true),
        ])
    func patterns(pattern: String, name: String, matches: Bool) {
        #expect(NamePattern(pattern).matches(name) == matches)
    }

    @Test("a pattern with many stars does not take exponential time")
    func stars() {
        let pattern = NamePattern(String(repeating: "a*", count: 500) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 1024)))
    }

    @Test("the rate limit holds however bytes arrive, and unused time is not saved up")
    func rate() {
        var schedule = RateSchedule(bytesPerSecond: 1000)
        let start = ContinuousClock.now
        #expect(schedule.reserve(500, now: start) == start)
        #expect(schedule.reserve(2000, now: start) == start + .milliseconds(500))
        #expect(schedule.reserve(1, now: start) == start + .milliseconds(2500))
        #expect(schedule.reserve(1, now: start + .seconds(9)) == start + .seconds(9))
        var least = RateSchedule(bytesPerSecond: -5)
        #expect(least.reserve(-1, now: start) == start)
        #expect(least.reserve(0, now: start) == start)
        #expect(RateLimit(bytesPerSecond: 2000).part(1 << 18) == 1024)
        #expect(RateLimit(bytesPerSecond: nil).part(1 << 18) == 1 << 18)
    }

    @Test("a new copy has its old file's mode; its owner can write it if a later copy may resume it")
    func newMode() {
        var source = SFTPAttributes()
        source.mode = 0o104755
        var options = SFTPCopyOptions()
        #expect(source.newMode(replacing: 0o440, options) == 0o440)
        #expect(source.newMode(replacing: nil, options) == 0o755)
        #expect(SFTPAttributes().newMode(replacing: nil, options) == 0o666)
        options.resumes = true
        #expect(source.newMode(replacing: 0o440, options) == 0o640)
        options.preservesAttributes = true
        #expect(source.newMode(replacing: 0o440, options) == 0o755)
    }

    @Test("the total is known once all listings are complete, and not before all sources were examined")
    func total() {
        let tally = CopyTally(SFTPCopyOptions())
        let known = { tally.progress.isTotalKnown }
        tally.totalIsUnknown()
        #expect(!known())
        tally.totalIsKnown()
        #expect(!known())
        tally.totalIsKnown()
        #expect(known())
    }
}
