import BridgeSSH
import Testing

/// The reported fate of a command that did not end on its own.
@Suite("The fate of an abandoned command")
struct CommandFateTests {
    static let cases: [(SSHCommandEvidence.Teardown?, exitStatus: Int?, exitSignal: String?, words: String, hint: String)] = [
        (.signalled, nil, "TERM", "The command was sent a signal and was killed by SIGTERM.", "how far it got"),
        (.signalled, 3, nil, "The command was sent a signal and ended with status 3.", "how far it got"),
        (.interrupted, 130, nil, "The command was sent ^C and ended with status 130.", "how far it got"),
        (.channelClosed, 0, nil, "The command had already ended.", "only if that does no harm"),
        (nil, 0, nil, "The command had already ended.", "only if that does no harm"),
        (.signalled, nil, nil, "The command was sent a signal; whether it ended is not known.", "whether it still runs"),
        (.channelClosed, nil, nil, "The command's channel was closed, but it may still run.", "whether it still runs"),
    ]

    @Test("the known part of its end is reported", arguments: cases)
    func fate(
        teardown: SSHCommandEvidence.Teardown?, exitStatus: Int?, exitSignal: String?, words: String, hint: String
    ) {
        let error = SSHFailureClassifier.classify(
            Seen.that(.cancelled(signal: "INT"), at: .local) {
                var command = SSHCommandEvidence(command: "make")
                command.progress = .accepted
                command.teardown = teardown
                command.exitStatus = exitStatus
                command.exitSignal = exitSignal.map { SSHExitSignal(name: $0) }
                $0.command = command
            })
        #expect(error.code == .localCancelled)
        #expect(error.message.contains("was cancelled by SIGINT. \(words)"), "\(error.message)")
        #expect(error.hint.contains(hint), "\(error.hint)")
    }
}
