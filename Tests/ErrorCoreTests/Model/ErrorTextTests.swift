import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

@Suite struct ErrorTextTests {
    @Test("an app replaces the texts") func anAppSaysItInItsOwnWords() {
        let german = ErrorText([
            .title("network.timeout"): "Zeit abgelaufen",
            .message("network.timeout"): "Nach {seconds} s kam keine Antwort.",
            .suggestion("network.timeout"): "Noch einmal versuchen.",
            .option(.retry): "Nochmal",
        ])
        ErrorText.scoped(to: german) {
            let error = AppError.timeout(seconds: 5)
            #expect(error.title == "Zeit abgelaufen")
            #expect(error.userMessage == "Nach 5 s kam keine Antwort.")
            #expect(error.recoverySuggestion == "Noch einmal versuchen.")
            #expect(error.localizedDescription == error.userMessage)
            #expect(error.recoveryOptions.map(\.title) == ["Nochmal", "Cancel"])
            #expect(AppError.agentBusy.title == "Agent Busy", "texts that the app does not replace are kept")
        }
        #expect(AppError.timeout(seconds: 5).title == "Timed Out")
    }

    @Test("an ErrorText applies in child tasks") func aTextFollowsIntoTasks() async {
        await ErrorText.scoped(to: ErrorText { $0.rawValue }) {
            async let title = Task { AppError.agentBusy.title }.value
            #expect(await title == "agent.busy.title")
        }
    }

    static let templates: [(template: String, values: [String: String], text: String)] = [
        ("a {x} b", ["x": "1"], "a 1 b"),
        ("a {x} b", [:], "a  b"),
        ("a[ {x}] b", [:], "a b"),
        ("a[ {x}] b", ["x": ""], "a b"),
        ("a[ {x}|: {y}| none] b", ["y": "2"], "a: 2 b"),
        ("a[ {x}|: {y}| none] b", [:], "a none b"),
        ("failed: {x}.", ["x": "it broke."], "failed: it broke."),
        ("failed[: {x}].", ["x": "why?"], "failed: why?"),
        ("{x} [{y}]", ["x": "[{y}]", "y": "{x}|"], "[{y}] {x}|"),
        ("\\[{x}\\] \\{x\\}", ["x": "1"], "[1] {x}"),
        ("open [", [:], "open "),
        ("open {x", ["x": "1"], "open 1"),
        ("end \\", [:], "end \\"),
        ("[a\\|b {x}|c\\]]", ["x": "1"], "a|b 1"),
    ]

    @Test("template", arguments: templates) func template(_ template: String, _ values: [String: String], _ text: String) {
        #expect(ErrorText.english.string("k", default: template, values: values) == text)
    }

    @Test("the whole table can be translated") func theWholeTableCanBeTranslated() {
        let table = ErrorText.catalogue
        #expect(table.count > AppError.Kind.allCases.count * 3 + 11)
        let shouting = ErrorText { table[$0]?.uppercased() }
        ErrorText.scoped(to: shouting) {
            for error in AppError.samples {
                #expect(error.title == error.title.uppercased())
                #expect(error.recoveryOptions.allSatisfy { $0.title == $0.title.uppercased() })
            }
        }
    }
}
