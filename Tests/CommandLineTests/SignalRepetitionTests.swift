import Glibc
import Testing

@testable import SSHCommandLine

@Suite struct SignalRepetitionTests {
    @Test("timeout(1) sends SIGTERM twice, which is one event; a third one counts again") func termination() {
        var repetitions = SignalRepetitions()
        let found = [SIGTERM, SIGTERM, SIGTERM, SIGTERM].map { repetitions.isRepetition($0) }
        #expect(found == [false, true, false, false])
    }

    @Test("the names of signals are those of SSH") func names() {
        #expect([SIGINT, SIGTERM, SIGHUP, SIGQUIT].map(SignalWatch.name) == ["INT", "TERM", "HUP", "QUIT"])
    }

    @Test("every SIGINT counts, and a SIGTERM after it too") func interrupts() {
        var repetitions = SignalRepetitions()
        let found = [SIGINT, SIGINT, SIGTERM].map { repetitions.isRepetition($0) }
        #expect(found == [false, false, false])
    }

    @Test("a terminal that hangs up sends SIGHUP any number of times, which is one event") func hangups() {
        var repetitions = SignalRepetitions()
        let found = [SIGHUP, SIGHUP, SIGHUP].map { repetitions.isRepetition($0) }
        let isFirst = repetitions.isFirstHangup()
        #expect(found == [false, true, true] && !isFirst)
    }

    @Test("the terminal's end that the program sees first makes SIGHUP a repetition") func seenHangup() {
        var repetitions = SignalRepetitions()
        let found = [repetitions.isFirstHangup(), repetitions.isFirstHangup()]
        let isRepetition = repetitions.isRepetition(SIGHUP)
        #expect(found == [true, false] && isRepetition)
    }
}
