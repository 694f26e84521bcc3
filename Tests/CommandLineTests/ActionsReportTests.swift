import Testing

@testable import SSHCommandLine

/// The annotations and the summary of a job of GitHub Actions.
@Suite("Annotations") struct ActionsReportTests {
    private static func cause(_ message: String, code: String = "ssh.connect.refused") -> ActionsReport.Cause {
        .init(code: code, title: "Refused", message: message, remedy: "Do this.", hosts: "web[1-2]")
    }

    @Test("an annotation is one line, with any message")
    func annotation() {
        #expect(
            ActionsReport.annotation(Self.cause("100% lost\r\n::error::forged\u{1B}[0m"))
                == "::error title=ssh.connect.refused::web[1-2]: 100%25 lost%0A::error::forged\\x1b[0m%0ADo this.\n")
        #expect(ActionsReport.annotation(Self.cause("m", code: "a:b,c%")).hasPrefix("::error title=a%3Ab%2Cc%25::"))
    }

    @Test("the summary is a table whose cells hold no markup")
    func summary() {
        let text = ActionsReport.summary("2 <b>hosts</b>", [Self.cause("a|b\n<img src=x> [x](http://y) `c` *d* _e_")])
        #expect(
            text.hasPrefix("### 2 \\<b\\>hosts\\<\\/b\\>\n\n| Hosts | What happened | Code | What to do |\n|---|---|---|---|\n"))
        #expect(text.contains("a\\|b \\<img src\\=x\\> \\[x\\]\\(http\\:\\/\\/y\\) \\`c\\` \\*d\\* \\_e\\_"))
        #expect(text.split(separator: "\n").count == 4)
        #expect(ActionsReport.summary("ok", []) == "### ok\n\n")
    }

    @Test("automatic only in GitHub Actions, and never if switched off")
    func choice() {
        let inActions: (String) -> String? = { $0 == "GITHUB_ACTIONS" ? "true" : nil }
        #expect(ActionsReport(nil, variable: inActions) != nil)
        #expect(ActionsReport(AnnotationChoice.none, variable: inActions) == nil)
        #expect(ActionsReport(nil) { _ in nil } == nil)
        #expect(ActionsReport(.github) { _ in nil } != nil)
    }
}
