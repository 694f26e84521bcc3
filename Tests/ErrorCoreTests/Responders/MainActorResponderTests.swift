import ErrorCore
import Testing

/// Typical objects of an app: a view model and a view controller of the main actor, an actor.
@MainActor final class EditorModel: ErrorResponder {
    weak var parentResponder: (any ErrorResponder)?
    var asked = 0

    func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? {
        asked += 1
        return AppError(error) == .agentBusy ? .retry : nil
    }
}

@MainActor class Controller {
    weak var owner: Controller?
}

final class WindowController: Controller, ErrorResponder {
    var isClosing = false
    var parentResponder: (any ErrorResponder)? { owner as? WindowController }
    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        isClosing ? .abort : .proceed
    }
}

actor Service: ErrorResponder {
    weak var parentResponder: (any ErrorResponder)?
    func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? { nil }
    func attach(to parent: any ErrorResponder) { parentResponder = parent }
}

@Suite struct MainActorResponderTests {
    @Test("responders answer or pass on") @MainActor func answerAndPassUp() async {
        let window = WindowController()
        let model = EditorModel()
        model.parentResponder = window
        #expect(await model.respond(to: AppError.agentBusy) == .retry)
        #expect(await model.respond(to: AppError.networkUnavailable) == .proceed)
        window.isClosing = true
        await model.respond(to: AppError.networkUnavailable)
        #expect(model.asked == 3)
    }

    @Test("a call from outside the main actor") func fromOutsideOfTheMainActor() async {
        let service = Service()
        let model = EditorModel()
        await service.attach(to: model)
        let answer = await Task.detached { await service.respond(to: AppError.agentBusy) }.value
        #expect(answer == .retry)
        #expect(await RespondToError(service)(AppError.agentBusy) == .retry)
    }

    @Test("closures are asked from the inside out") func closuresAreAskedFromTheInsideOut() async {
        let outer = RespondToError().asking(first: { _, _ in .abort })
        let inner = outer.asking(first: { _, context in context.action == "save" ? .retry : nil })
        #expect(await inner(AppError.agentBusy, action: "save") == .retry)
        #expect(await inner(AppError.agentBusy) == .abort)
    }

    @Test("a responder in between is not retained") func aResponderInBetweenIsNotKept() async {
        var place = RespondToError().asking(first: { _, _ in .abort })
        do {
            let model = EditorModel()
            place = place.asking(first: model)
            #expect(await place(AppError.agentBusy) == .retry)
            await MainActor.run { #expect(model.asked == 1) }
        }
        #expect(await place(AppError.agentBusy) == .abort)
    }
}
