import ErrorCore
import Foundation

// Design 4: a chain of responders, view controllers and view models among them.

@MainActor private class ViewController {
    weak var parent: ViewController?
}

private final class DocumentViewController: ViewController, ErrorResponder {
    weak var parentResponder: (any ErrorResponder)?
    var shown: [String] = []

    func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? {
        shown.append(ErrorProfile(error).title)
        return AppError(error) == .agentBusy ? .retry : nil
    }
}

@MainActor private final class DocumentModel: ErrorResponder {
    weak var parentResponder: (any ErrorResponder)?
    let answer: ErrorDisposition?
    init(_ answer: ErrorDisposition? = nil) { self.answer = answer }
    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? { answer }
}

@MainActor func portResponders() async -> Checks {
    var checks = Checks("responders")
    let app = ErrorResponderChain()
    let controller = DocumentViewController()
    let model = DocumentModel()
    controller.parentResponder = app
    model.parentResponder = controller
    for disposition in ErrorDisposition.allCases {
        let own = DocumentModel(disposition)
        checks.equal(await own.respond(to: AppError.agentBusy), disposition, "its own answer")
        let connection = app.connect(own)
        checks.equal(await model.respond(to: AppError.networkUnavailable), disposition, "passed up to \(disposition)")
        connection.disconnect()
        checks.equal(await model.respond(to: AppError.networkUnavailable), .cancel, "no answer")
        checks.equal(
            await RespondToError(model).asking(first: { _, _ in disposition })(CancellationError()), disposition, "a closure")
    }
    checks.equal(await model.respond(to: AppError.agentBusy), .retry, "the controller's")
    await model.respond(to: AppError.agentBusy)
    checks.equal(controller.shown.count, 10, "how often the controller was asked")
    var runs = 0
    let saved = try? await model.responding {
        runs += 1
        if runs < 3 { throw AppError.agentBusy }
        return "saved"
    }
    checks.check(saved == "saved" && runs == 3, "done again as the controller said")
    let outside = await Task.detached { await model.respond(to: AppError.agentBusy) }.value
    checks.equal(outside, .retry, "from outside of the main actor")

    weak var gone: DocumentModel?
    do {
        let temporary = DocumentModel(.abort)
        gone = temporary
        controller.parentResponder = temporary
        checks.equal(await controller.respond(to: AppError.apiUnauthorized), .abort, "a parent while it lives")
    }
    checks.check(gone == nil, "no responder is kept")
    checks.equal(await controller.respond(to: AppError.apiUnauthorized), .cancel, "and then no answer")
    return checks
}
