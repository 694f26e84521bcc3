import SSHRun
import Testing

@testable import SSHCommandLine

/// Who is asked, by ssh(1), ENVIRONMENT.
@Suite struct QuestionerChoiceTests {
    private func choice(
        _ environment: [String: String], hasTerminal: Bool, standard: Bool = false
    ) -> QuestionerChoice {
        QuestionerChoice(
            hasTerminal: hasTerminal, variable: { environment[$0] },
            isExecutable: { standard && $0 == QuestionerChoice.standardProgram })
    }

    @Test(
        "choosing a questioner",
        arguments: [
            ([:], QuestionerChoice.terminal, QuestionerChoice.unavailable),
            (["SSH_ASKPASS": "/ask"], .terminal, .unavailable),
            (["DISPLAY": ":0"], .terminal, .unavailable),
            (["DISPLAY": ":0", "SSH_ASKPASS": "/ask"], .terminal, .program("/ask")),
            (["WAYLAND_DISPLAY": "w", "SSH_ASKPASS": "/ask"], .terminal, .program("/ask")),
            (["DISPLAY": ":0", "SSH_ASKPASS": "/ask", "SSH_ASKPASS_REQUIRE": "never"], .terminal, .unavailable),
            (["DISPLAY": ":0", "SSH_ASKPASS": "/ask", "SSH_ASKPASS_REQUIRE": "prefer"], .program("/ask"), .program("/ask")),
            (["SSH_ASKPASS": "/ask", "SSH_ASKPASS_REQUIRE": "prefer"], .terminal, .unavailable),
            (["SSH_ASKPASS": "/ask", "SSH_ASKPASS_REQUIRE": "FORCE"], .program("/ask"), .program("/ask")),
            (["SSH_ASKPASS": "ask", "SSH_ASKPASS_REQUIRE": "force"], .program("ask"), .program("ask")),
            (["SSH_ASKPASS": "/ask", "SSH_ASKPASS_REQUIRE": "whatever"], .terminal, .unavailable),
            (["SSH_ASKPASS_REQUIRE": "force"], .terminal, .unavailable),
        ])
    func rules(_ environment: [String: String], _ atTerminal: QuestionerChoice, _ without: QuestionerChoice) {
        #expect(choice(environment, hasTerminal: true) == atTerminal)
        #expect(choice(environment, hasTerminal: false) == without)
    }

    @Test("the default askpass program is used if none is named") func theUsualProgramServesWhereNoneIsNamed() {
        let usual = QuestionerChoice.program(QuestionerChoice.standardProgram)
        #expect(choice(["DISPLAY": ":0"], hasTerminal: false, standard: true) == usual)
        #expect(choice(["SSH_ASKPASS_REQUIRE": "force"], hasTerminal: true, standard: true) == usual)
        #expect(choice([:], hasTerminal: false, standard: true) == .unavailable)
    }
}
