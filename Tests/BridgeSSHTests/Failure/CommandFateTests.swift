import BridgeSSH
import Testing

/// What is said of a command that did not end by itself.
@Suite("The fate of a command that was given up")
struct CommandFateTests {
    static let cases: [(CommandEvidence.Teardown?, exitStatus: Int?, exitSignal: String?, words: String, hint: String)] = [
        (.signalled, nil, "TERM", "It was sent a signal and was killed by SIGTERM.", "what it had done by then"),
        (.signalled, 3, nil, "It was sent a signal and ended with status 3.", "what it had done by then"),
        (.interrupted, 130, nil, "It was interrupted with ^C and ended with status 130.", "what it had done by then"),
        (.channelClosed, 0, nil, "The command had already ended.", "only if that does no harm"),
        (nil, 0, nil, "The command had already ended.", "only if that does no harm"),
        (.signalled, nil, nil, "It was sent a signal; whether it ended is not known.", "whether it still runs"),
        (.channelClosed, nil, nil, "Its channel was closed, but it may still run.", "whether it still runs"),
    ]

    @Test("is told as far as it is known", arguments: cases)
    func fate(
        teardown: CommandEvidence.Teardown?, exitStatus: Int?, exitSignal: String?, words: String, hint: String
    ) {
        let error = FailureClassifier.classify(
            Seen.that(.cancelled(signal: "INT"), at: .local) {
                var command = CommandEvidence(command: "make")
                command.progress = .accepted
                command.teardown = teardown
                command.exitStatus = exitStatus
                command.exitSignal = exitSignal.map { ExitSignal(name: $0) }
                $0.command = command
            })
        #expect(error.code == .localCancelled)
        #expect(error.message.contains("was cancelled by SIGINT. \(words)"), "\(error.message)")
        #expect(error.hint.contains(hint), "\(error.hint)")
    }
}
