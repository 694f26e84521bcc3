import ErrorCore
import Foundation
import Testing

extension ErrorTextTests {
    static let forms: [(template: String, values: [String: String], text: String)] = [
        ("Loading...", [:], "Loading..."),
        ("{x}...", ["x": "wait."], "wait...."),
        ("Wait. {x}.", ["x": "Stop."], "Wait. Stop."),
        ("a.. b", [:], "a.. b"),
        ("{path:last} is gone", ["path": "/srv/app/config.json"], "config.json is gone"),
        ("{path:last}", ["path": "/srv/app/"], "app"),
        ("{path:last}", ["path": "/"], "/"),
        ("{path:last}", ["path": "/srv/ملف"], "\u{2068}ملف\u{2069}"),
        ("session {id:8}", ["id": "123e4567-e89b-12d3"], "session 123e4567"),
        ("session {id:8}", ["id": "ab"], "session ab"),
        ("a[ {path:last}]", [:], "a"),
        ("{n, plural, one {# file} other {# files}}", ["n": "1"], "1 file"),
        ("{n, plural, one {# file} other {# files}}", ["n": "12"], "12 files"),
        ("{n, plural, =0 {no files} one {# file} other {# files in {path:last}}}", ["n": "0"], "no files"),
        ("{n, plural, =0 {no files} one {# file} other {# files in {path:last}}}", ["n": "2", "path": "/a/b"], "2 files in b"),
        ("a[ {n, plural, one {# s} other {# s}}]", [:], "a"),
        ("{n, plural, other {#}", ["n": "3"], "3"),
        ("{n, select, a {b}}", ["n": "3"], ""),
        ("{s:duration}", ["s": "30"], "30 s"),
        ("{x:unknown-form}", ["x": "1"], "1"),
    ]

    @Test("forms of a template", arguments: forms) func form(_ template: String, _ values: [String: String], _ text: String) {
        #expect(ErrorText.english.string("k", default: template, values: values) == text)
    }

    static let plurals: [(language: String, number: Int, category: String)] = [
        ("de", 1, "one"), ("de", 0, "other"), ("fr", 0, "one"), ("ja", 1, "other"), ("ru", 21, "one"), ("ru", 3, "few"),
        ("ru", 11, "many"), ("ru", 12, "many"), ("pl", 21, "many"), ("pl", 22, "few"), ("cs", 4, "few"), ("ar", 0, "zero"),
        ("ar", 2, "two"), ("ar", 103, "few"), ("ar", 11, "many"), ("ar", 100, "other"), ("sl", 102, "two"), ("lv", 10, "zero"),
        ("lt", 9, "few"), ("he", 2, "two"), ("ro", 0, "few"), ("hr", 22, "few"), ("xx", 1, "one"),
    ]

    @Test("plural forms", arguments: plurals) func plural(_ language: String, _ number: Int, _ category: String) {
        let template = "{n, plural, zero {zero} one {one} two {two} few {few} many {many} other {other}}"
        let text = ErrorText([:], locale: Locale(identifier: language + "_XX"))
        #expect(text.string("k", default: template, values: ["n": String(number)]) == category)
    }

    @Test("the lookup gets the error") func theLookupGetsTheError() {
        let text = ErrorText { key, error in
            guard case AppError.fileNotFound(let path)? = error, key == .message("file.not-found") else { return nil }
            return ErrorText.literal("{\(path)} [weg]")
        }
        ErrorText.scoped(to: text) {
            #expect(AppError.fileNotFound(path: "/a|b").userMessage == "{/a|b} [weg]")
            #expect(AppError.agentBusy.title == "Agent Busy")
        }
    }

    @Test("reasons and sizes are translated") func reasonsAndSizesAreTranslated() {
        let german = ErrorText(
            [
                .message("network.tls"): "Keine sichere Verbindung[: {description}].",
                .reason("the server’s certificate has expired"): "das Zertifikat ist abgelaufen",
                .message("file.insufficient-disk-space"): "Zu wenig Platz[: {required} nötig].",
                .message("network.timeout"): "Keine Antwort[ in {seconds:duration}].",
            ], locale: Locale(identifier: "de_DE"))
        let expired = AppError(URLError(.serverCertificateHasBadDate))
        ErrorText.scoped(to: german) {
            #expect(expired.userMessage == "Keine sichere Verbindung: das Zertifikat ist abgelaufen.")
            let full = AppError.insufficientDiskSpace(required: 3 << 29, available: 0).userMessage
            #expect(full.contains("1,5") && full.contains("GB"), "\(full)")
            #expect(
                AppError.timeout(seconds: 90).userMessage.contains("1 Minute"), "\(AppError.timeout(seconds: 90).userMessage)")
        }
        #expect(expired.userMessage.contains("the server’s certificate has expired"))
        #expect(ErrorText.catalogue[.reason("the server’s certificate has expired")] != nil)
    }

    @Test("a status has its own texts") func aStatusHasTextsOfItsOwn() {
        let both = ErrorText([.title("network.server-error.403"): "Verboten", .title("network.server-error"): "Serverfehler"])
        ErrorText.scoped(to: both) {
            #expect(AppError.serverError(status: 403, message: nil).title == "Verboten")
            #expect(AppError.serverError(status: 503, message: nil).title == "Serverfehler")
        }
    }
}
