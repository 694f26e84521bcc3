import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite struct WordsTests {
    @Test(
        "valid answers to the host key question",
        arguments: [
            ("yes", HostKeyAnswer.yes), (" YES \n", .yes), ("no", .no), ("SHA256:abc", .fingerprint("SHA256:abc")),
            ("SHA256:xyz", .fingerprint("SHA256:xyz")),
        ])
    func decisions(_ text: String, _ answer: HostKeyAnswer) {
        #expect(HostKeyAnswer(text, to: ["SHA256:xyz", "SHA256:abc"]) == answer)
    }

    @Test("invalid answers to the host key question", arguments: ["", "y", "ye", "yess", "SHA256:ab", "sha256:ABC", "maybe"])
    func noDecision(_ answer: String) {
        #expect(HostKeyAnswer(answer, to: ["SHA256:abc"]) == nil)
    }

    @Test("the question escapes the server's texts") func theQuestionHidesNothingAndSmugglesNothing() {
        let text = HostKeyPrompt.text(
            for: SSHHostKeyQuestion(
                host: "web1\u{1B}[2J", port: 2222, keyType: "ssh-ed25519", fingerprint: "SHA256:abc", otherNames: ["old\r"]))
        #expect(text.contains("port 2222") && text.contains("SHA256:abc") && text.contains("ssh-ed25519"))
        #expect(!text.contains("\u{1B}") && !text.contains("\r"))
    }

    @Test("the banner contains the event, the cause and the remedy") func theBannerSaysWhatWhyAndWhatToDo() {
        let verdict = UsageProblem(field: "--port", problem: "it is \u{7}wrong").verdict
        let text = FailureBanner.text(for: verdict, width: 40, color: false, glyphs: .ascii, showsEvidence: false)
        #expect(text.contains("--port") && text.contains("ssh.local.usage") && text.contains("run --help"))
        #expect(!text.contains("\u{7}") && !text.contains("\u{1B}"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 })
        let full = FailureBanner.text(for: verdict, width: 40, color: true, glyphs: .unicode, showsEvidence: true)
        #expect(full.contains("\u{1B}[") && full.contains("\"libraryVersion\""))
    }

    /// The texts of the help of connecting commands.
    private static let helpWords: Set<Substring> = {
        let helps: [any ParsableCommand.Type] = [RunCommand.self, CopyCommand.self, TrustCommand.self]
        return Set(
            helps.map { $0.helpMessage(includeHidden: true, columns: 200) }.joined().split { " ,\n<[/".contains($0) })
    }()

    @Test("options in remedies exist", arguments: RemedyOption.allCases) func anOptionThatARemedyNamesIsThere(
        option: RemedyOption
    ) {
        #expect(Self.helpWords.contains(Substring(option.rawValue)), "\(option)")
    }

    @Test("every exit status of bridge-ssh is explained") func everyStatusOfOursIsExplained() throws {
        for number in [0, 1, 129, 130, 131, 141, 143, 192, 255] + Array(193...199) {
            let explanation = StatusExplanation(status: .init(rawValue: Int32(number)))
            let meaning = try #require(explanation.status.meaning, "\(number)")
            #expect(explanation.text.contains(meaning), "\(number)")
        }
        #expect(try Explanation.of("192").text.contains("stopped early"))
        #expect(try Explanation.of("128").text.contains("killed by a signal"))
    }

    @Test("a line names the host it is about") func aLineNamesTheHostItIsAbout() {
        #expect(StageLog(style: OutputStyle()).named("connect") == "connect")
        #expect(StageLog(style: OutputStyle(), host: "web\u{1B}1").named("con\u{1B}nect") == "web\\x1b1: con\\x1bnect")
    }

    @Test(
        "times",
        arguments: [(Duration.milliseconds(12), "  0.012"), (.seconds(61), " 61.000"), (.milliseconds(1_234_567), "1234.567")])
    func times(_ duration: Duration, _ text: String) {
        #expect(StageLog.time(duration) == text)
    }
}
