import BridgeSSH
import SSHTestSupport
import Testing

/// Every command that a remedy names is tried.
@Suite("Remedies") struct RemedyTests {
    @Test("the remedy of the banner helps", arguments: RemedyTable.rows)
    func helps(_ remedy: Remedy) async throws {
        try await Gate.shared.pass { try await remedy.follow() }
    }

    @Test("a test follows every remedy that names a command or an option", arguments: SSHError.Code.known)
    func isFollowed(_ code: SSHError.Code) throws {
        let remedies = try #require(CodeExplanation(code)).definition.remedy.commandLineRemedies
        let isTyped = remedies.contains { $0.kind != .setting || $0.file == nil }
        #expect(!isTyped || RemedyTable.isFollowed(code), "\(code): \(remedies)")
    }

    /// A setting's name alone says where to look, which is advice. A text to write into sshd_config is a line, and is
    /// tried.
    @Test("a remedy's text for sshd_config is a complete line", arguments: SSHError.Code.known)
    func writesSettings(_ code: SSHError.Code) throws {
        let remedy = try #require(CodeExplanation(code)).definition.remedy
        let text = remedy.commandLine
        let wantsChange = text.contains("sshd_config") && ["Add ", "add ", "Set ", "set "].contains { text.contains($0) }
        #expect(!wantsChange || remedy.commandLineRemedies.contains { $0.kind == .line }, "\(code): \(text)")
    }

    @Test("every exception is still needed")
    func exceptionsHold() {
        for code in RemedyTable.exceptions.keys {
            #expect(!RemedyTable.rows.contains { $0.code == code }, "\(code) is followed now")
            #expect(SSHError.Code.known.contains(code), "there is no \(code)")
        }
    }

    @Test(
        "a command is extracted whole from a banner",
        arguments: [
            ("  Others can. `chmod` may.\n  → Do it: `chmod 600 'a b'`; or else.", "chmod", "chmod 600 'a b'"),
            ("  → Do it: chmod 600 /a\r\n  more", "chmod", "chmod 600 /a"),
            ("  → A `b c` and `chmod 1` do.", "chmod", "chmod 1"), ("nothing", "chmod", nil),
        ] as [(String, String, String?)])
    func extraction(_ banner: String, _ start: String, _ command: String?) {
        #expect(Remedy.text(beginning: start, in: banner) == command)
    }
}
