import ErrorCore
import ErrorCoreTesting
import Testing

@Suite struct TerminalBannerTests {
    static let refused = AppError.sshConnectionFailed(host: "web1", reason: "every address refused the connection")

    @Test("the banner's text") func isWhatAPersonReads() {
        let presentation = ErrorPresentation(
            Self.refused,
            details: [.init("tried", "192.0.2.1:22"), .init("also tried", "[2001:db8::1]:22 and several more after it")])
        let banner = TerminalBanner(width: 46, showsCode: true).render(presentation)
        #expect(
            banner == """
                ✖ SSH Error (ssh.connection-failed)
                  The SSH connection to web1 failed: every
                  address refused the connection.

                  tried       192.0.2.1:22
                  also tried  [2001:db8::1]:22 and several
                              more after it

                  → Check the host and port in the settings,
                    then try again.

                """)
    }

    @Test("an ASCII banner has only ASCII") func asciiHasNoSigns() {
        let banner = TerminalBanner(glyphs: .ascii).render(ErrorPresentation(AppError.agentBusy))
        #expect(
            banner == """
                info: Agent Busy
                  The agent is still at work on your last request.
                  -> Wait until it has finished, or abort it.

                """)
    }

    @Test("the banner keeps its width", arguments: AppError.samples) func staysInsideItsWidth(_ error: AppError) {
        for width in [20, 33, 80, 200] {
            for color in [false, true] {
                let presentation = ErrorPresentation(
                    error, details: [.init("鍵 (offered)", "日本語の鍵 SHA256:" + String(repeating: "A", count: 43)), .init("bare")])
                let text = TerminalBanner(width: width, color: color).render(presentation)
                let plain = text.replacing("\u{1B}[0m", with: "").replacing(#/\x{1B}\[[0-9;]+m/#, with: "")
                #expect(plain.split(separator: "\n").allSatisfy { TerminalText.columns($0) <= width })
                #expect(text.contains("\u{1B}") == color)
                #expect(text.hasSuffix("\n") && !text.contains(" \n") && !text.contains("\n\n\n"))
            }
        }
    }

    @Test("a server's text cannot drive the terminal") func aServersTextCannotDriveTheTerminal() {
        let error = AppError.sshConnectionFailed(host: "h\u{1B}[2J", reason: "\u{1B}]0;owned\u{07}\r\u{202E}x")
        let text = TerminalBanner(showsCode: true).render(
            ErrorPresentation(error, details: [.init("la\u{1B}bel\nx", "\u{9B}1m")]))
        let unsafe = text.unicodeScalars.filter { $0 != "\n" && ["Cc", "Cf"].contains($0.category) }
        #expect(unsafe.isEmpty)
        #expect(text.contains("\\x1b]0;owned\\x07"))
    }

    @Test("only bound options are shown") func showsOnlyWhatCanBeChosen() {
        var shown = ErrorPresentation(Self.refused, actions: [.retry: {}])
        #expect(shown.options == [.retry] && shown.retryOption == .retry)
        shown.recoveryFailure = "It was refused again."
        let text = TerminalBanner().render(shown)
        #expect(text.contains("[Retry]") && !text.contains("[Settings]") && text.contains("! It was refused again."))
    }

    static let colorRules: [(environment: [String: String], isTerminal: Bool, color: Bool)] = [
        ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
        (["TERM": "dumb"], true, false), (["TERM": "xterm"], true, true),
    ]

    @Test("when colour is used", arguments: colorRules) func color(
        _ environment: [String: String], _ isTerminal: Bool, _ color: Bool
    ) {
        #expect(TerminalBanner.usesColor(environment: environment, isTerminal: isTerminal) == color)
    }
}

extension Unicode.Scalar {
    fileprivate var category: String {
        switch properties.generalCategory {
        case .control: "Cc"
        case .format: "Cf"
        default: ""
        }
    }
}
