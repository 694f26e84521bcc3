import Testing

@testable import SSHTransport

@Suite("Rounds of the pump") struct PumpStateTests {
    /// What each round finds: how many bytes libssh2 has taken in all and has left, and whether something asked for another
    /// round.
    struct Round {
        let consumed: Int
        let remaining: Int
        var asks = false
    }

    @Test(
        "the number of rounds",
        arguments: [
            // Nothing to do.
            ([Round(consumed: 0, remaining: 0)], 1),
            // All bytes are taken in one round; another shows that none are left.
            ([Round(consumed: 9, remaining: 0)], 2),
            // Nothing takes the bytes, as the second round proves.
            ([Round(consumed: 0, remaining: 5)], 2),
            // EAGAIN although bytes are left, which are taken afterwards.
            ([Round(consumed: 0, remaining: 5), Round(consumed: 5, remaining: 0)], 3),
            // A call has ended, so others may make progress.
            ([Round(consumed: 0, remaining: 0, asks: true), Round(consumed: 0, remaining: 0)], 2),
            // Progress restarts the count.
            ([Round(consumed: 0, remaining: 5), Round(consumed: 1, remaining: 4), Round(consumed: 1, remaining: 4)], 4),
        ])
    func count(found: [Round], expected: Int) {
        var rounds = PumpState()
        _ = rounds.begin()
        var (count, consumed) = (0, 0)
        repeat {
            rounds.beginRound(consumed: consumed, held: 0)
            // Later rounds find the rest of the last round.
            let round = found[min(count, found.count - 1)]
            if count < found.count, round.asks { rounds.askAgain() }
            consumed = round.consumed
            count += 1
        } while rounds.endRound(consumed: consumed, held: 0, remaining: found[min(count, found.count) - 1].remaining)
            && count < 10
        rounds.end()
        #expect(count == expected)
    }

    @Test("a packet that libssh2 took earlier and still holds is progress while there are bytes") func held() {
        for (remaining, goesOn) in [(5, true), (0, false)] {
            var rounds = PumpState()
            _ = rounds.begin()
            for packets in 0..<10 {
                rounds.beginRound(consumed: 0, held: packets * 523)
                #expect(rounds.endRound(consumed: 0, held: (packets + 1) * 523, remaining: remaining) == goesOn)
            }
        }
    }

    @Test("a nested pump is another round") func nested() {
        var rounds = PumpState()
        var answers = [rounds.begin()]
        rounds.beginRound(consumed: 0, held: 0)
        answers.append(rounds.begin())
        answers.append(rounds.endRound(consumed: 0, held: 0, remaining: 0))
        rounds.beginRound(consumed: 0, held: 0)
        answers.append(rounds.endRound(consumed: 0, held: 0, remaining: 0))
        #expect(rounds.isRunning)
        rounds.end()
        answers.append(rounds.begin())
        #expect(answers == [true, false, true, false, true])
    }
}
