import Testing

@testable import SSHTransport

@Suite("The rounds of the pump") struct PumpRoundsTests {
    /// What each round finds: how many bytes libssh2 has taken in all and has left, and whether something asked for another round.
    struct Round {
        let consumed: Int
        let remaining: Int
        var asks = false
    }

    @Test(
        "how many there are",
        arguments: [
            // Nothing to do.
            ([Round(consumed: 0, remaining: 0)], 1),
            // All taken in one round: another shows that there is nothing more.
            ([Round(consumed: 9, remaining: 0)], 2),
            // Bytes that nothing takes: the second round proves it.
            ([Round(consumed: 0, remaining: 5)], 2),
            // EAGAIN with bytes still to be had, and then they are taken.
            ([Round(consumed: 0, remaining: 5), Round(consumed: 5, remaining: 0)], 3),
            // A call has ended, and others may get on.
            ([Round(consumed: 0, remaining: 0, asks: true), Round(consumed: 0, remaining: 0)], 2),
            // Progress makes the proof begin anew.
            ([Round(consumed: 0, remaining: 5), Round(consumed: 1, remaining: 4), Round(consumed: 1, remaining: 4)], 4),
        ])
    func count(found: [Round], expected: Int) {
        var rounds = PumpRounds()
        _ = rounds.begin()
        var (count, consumed) = (0, 0)
        repeat {
            rounds.beginRound(consumed: consumed, held: 0)
            // Later rounds find what the last has left.
            let round = found[min(count, found.count - 1)]
            if count < found.count, round.asks { rounds.askAgain() }
            consumed = round.consumed
            count += 1
        } while rounds.endRound(consumed: consumed, held: 0, remaining: found[min(count, found.count) - 1].remaining)
            && count < 10
        rounds.end()
        #expect(count == expected)
    }

    @Test("a packet that libssh2 had taken before, and holds now, is progress while there are bytes") func held() {
        for (remaining, goesOn) in [(5, true), (0, false)] {
            var rounds = PumpRounds()
            _ = rounds.begin()
            for packets in 0..<10 {
                rounds.beginRound(consumed: 0, held: packets * 523)
                #expect(rounds.endRound(consumed: 0, held: (packets + 1) * 523, remaining: remaining) == goesOn)
            }
        }
    }

    @Test("a pump within the pump is another round of it") func nested() {
        var rounds = PumpRounds()
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
