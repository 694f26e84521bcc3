import ErrorCore
import Foundation

/// A page of HTML fragments full of hostile text, with a script that examines how a browser parsed them: see scripts/check-html.
enum HostilePage {
    static let texts = [
        "<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">", "' onclick='x",
        "&lt;b&gt; & <b>",
        "</section></p><iframe>", "<!-- ", "]]>", "\u{1B}[31m\u{0}\u{202E}",
    ]

    static var html: String {
        let fragments = texts.map { text in
            let option = ErrorRecoveryOption(id: .init(rawValue: text), title: text, action: {})
            let error = Hostile(text: text, recoveryOptions: [option])
            return ErrorHTML.fragment(ErrorPresentation(error, details: [.init(text, text)]))
        }
        return """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>-</title></head><body>
            <main>\(fragments.joined())</main>
            <script>
            const count = (what) => document.querySelectorAll('main ' + what).length;
            const texts = \(texts.count);
            const sections = [...document.querySelectorAll('main > section')];
            const right = sections.length === texts
                && count('*') === texts * 9
                && count('button[data-recovery]') === texts
                && count('script, img, iframe, b, [onclick], [onerror]') === 0
                && sections.every((one) => one.querySelector('h2').textContent.length > 0)
                && sections[0].querySelector('dd').textContent === "<script>document.title='owned'<" + "/script>"
                && sections[3].querySelector('.error-message').textContent === '&lt;b&gt; & <b>'
                && document.title === '-';
            document.body.dataset.verdict = right ? 'as-written' : 'broken:' + count('*');
            </script></body></html>
            """
    }

    private struct Hostile: UserFacingError, ClassifiedError {
        var text: String
        var recoveryOptions: [ErrorRecoveryOption]
        var title: String { text }
        var userMessage: String { text }
        var icon: String { text }
        var errorCode: String { text }
        var recoverySuggestion: String? { text }
    }
}
