import ErrorCore
import ErrorCoreTesting
import Testing

@Suite struct ErrorPresentationTests {
    /// Binds every common option.
    static let all: RecoveryActions = [
        .retry: {}, .cancel: {}, .dismiss: {}, .reconnect: {}, .checkSettings: {}, .openSettings: {}, .abort: {},
        .waitForCompletion: {}, .browse: {}, .retryWithPermission: {}, .skipTool: {},
    ]

    @Test("every option can be bound", arguments: AppError.samples) func everyOptionCanBeBound(_ error: AppError) {
        let presentation = ErrorPresentation(error, actions: Self.all)
        #expect(presentation.options == error.recoveryOptions)
        #expect(presentation.options.allSatisfy { $0.action != nil })
        #expect(ErrorPresentation(error).options.isEmpty, "unbound options are not shown")
        #expect(presentation.title == error.title && presentation.message == error.userMessage)
        #expect(presentation.code == error.errorCode && presentation.severity == error.severity)
    }

    @Test("a retry that cannot help is not offered") func aRetryThatCannotHelpIsNotOffered() {
        struct Final: UserFacingError, ClassifiedError {
            var title: String { "Final" }
            var userMessage: String { "It stays so." }
            var errorCode: String { "test.final" }
            var recoveryOptions: [ErrorRecoveryOption] { [.retry, .dismiss] }
            var retry: RetryAdvice { .never }
        }
        #expect(ErrorPresentation(Final(), actions: Self.all).options == [.dismiss])
        #expect(ErrorPresentation(Final(), actions: Self.all).retryOption == nil)
    }

    @Test("a feature's error is shown with its own texts") func aFeaturesErrorIsShownInItsOwnWords() {
        let shown = ErrorPresentation(ShopError.tooManyOrders(wait: .seconds(7)), actions: Self.all)
        #expect(shown.title == "Shop Busy" && shown.code == "shop.too-many-orders" && shown.options == [.retry, .cancel])
    }

    @Test("option titles follow the text") func optionTitlesFollowTheText() {
        let shown = ErrorText.scoped(to: ErrorText([.option(.retry): "Encore"])) {
            ErrorPresentation(ShopError.tooManyOrders(wait: .zero), actions: Self.all)
        }
        #expect(shown.options.map(\.title) == ["Encore", "Cancel"])
    }

    @Test("HTML is escaped") func htmlIsEscaped() {
        let error = AppError.serverError(status: 500, message: "<script>alert('x')</script> & \"\u{0}")
        let html = ErrorHTML.fragment(ErrorPresentation(error, actions: Self.all, details: [.init("<b>", "\"'")]))
        #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("\u{0}"))
        #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;\\x00"))
        #expect(html.contains("<dt>&lt;b&gt;</dt><dd dir=\"auto\">&quot;&#39;</dd>"))
        #expect(html.contains("data-recovery=\"retry\">Retry</button>"))
        #expect(html.contains("role=\"alert\" data-code=\"network.server-error\" data-icon=\"server.rack\""))
        #expect(ErrorHTML.fragment(ErrorPresentation(AppError.agentBusy)).contains("role=\"status\""))
    }

    @Test("HTML tags are closed", arguments: AppError.samples) func htmlTagsAreClosed(_ error: AppError) {
        let html = ErrorHTML.fragment(ErrorPresentation(error, actions: Self.all, details: [.init("a", "b")]))
        var open: [Substring] = []
        for tag in html.matches(of: #/<(/?)([a-z0-9]+)[^>]*>/#) where tag.2 != "br" {
            if tag.1.isEmpty { open.append(tag.2) } else { #expect(open.popLast() == tag.2) }
        }
        #expect(open.isEmpty)
    }

    @Test("a summary of a cause") func aSummaryOfACause() {
        let error = ShopError.paymentRefused(underlying: SignInError.directory(AppError.dnsError(host: "ldap")))
        let chain = ErrorProfile(error).chain
        #expect(chain.count == 3 && chain[1] is SignInError && chain[2] as? AppError == .dnsError(host: "ldap"))
        #expect(ErrorProfile(error).code == "shop.payment-refused" && ErrorProfile(error).appError.kind == .apiBadRequest)
    }
}
