import ErrorCore
import ErrorCoreTesting
import ErrorCoreUI
import Synchronization
import Testing

@MainActor @Suite struct ErrorPresenterTests {
    private let handler = RecordingHandler().handler

    /// Runs a body while a presenter follows the handler.
    private func following(
        _ style: ErrorPresenter.Style = .alert, _ body: (ErrorPresenter) async throws -> Void
    ) async throws {
        let presenter = ErrorPresenter(handler, style: style)
        let task = Task { await presenter.follow() }
        try await body(presenter)
        task.cancel()
        await task.value
    }

    /// Lets the other tasks of the main actor run until a condition holds.
    private func until(_ what: String, _ isSo: () -> Bool) async throws {
        for _ in 0..<100_000 {
            if isSo() { return }
            await Task.yield()
        }
        Issue.record("never: \(what)")
        throw CancellationError()
    }

    private func until(_ presenter: ErrorPresenter, shows code: String?) async throws {
        try await until("\(code ?? "nothing") is shown") { presenter.shown?.code == code }
    }

    @Test("a more severe error waits for its turn") func aWorseErrorWaitsForItsTurn() async throws {
        try await following { presenter in
            await handler.handle(AppError.networkUnavailable, actions: [.retry: {}])
            try await until(presenter, shows: "network.unavailable")
            let first = try #require(presenter.shown)
            await handler.handle(AppError.internalError(detail: "worse"))
            for _ in 0..<100 { await Task.yield() }
            #expect(presenter.shown?.id == first.id, "no button is swapped under the finger")
            #expect(await handler.current?.code == "general.internal")
            presenter.answer(first, with: .retry)
            #expect(presenter.shown == nil, "the system closes the alert at the tap")
            try await until(presenter, shows: "general.internal")
            #expect(await handler.waiting.count == 1)
        }
    }

    @Test("the system's OK button informs the handler") func theSystemsOKTellsTheHandler() async throws {
        try await following { presenter in
            await handler.handle(AppError.agentBusy)
            try await until(presenter, shows: "agent.busy")
            let shown = try #require(presenter.shown)
            #expect(ErrorAlertContent(shown).buttons.map(\.title) == ["OK"])
            presenter.alertDidClose(shown)
            #expect(presenter.shown == nil)
            while await handler.current != nil { await Task.yield() }
            #expect(presenter.shown == nil)
        }
    }

    @Test("a button counts in either order", arguments: [true, false]) func aButtonCountsInEitherOrder(closesFirst: Bool)
        async throws
    {
        let retried = Mutex(0)
        let cancelled = Mutex(0)
        try await following { presenter in
            await handler.handle(
                AppError.timeout(seconds: 1),
                actions: [.retry: { retried.withLock { $0 += 1 } }, .cancel: { cancelled.withLock { $0 += 1 } }])
            await handler.handle(AppError.agentBusy)
            try await until(presenter, shows: "network.timeout")
            let shown = try #require(presenter.shown)
            if closesFirst { presenter.alertDidClose(shown) }
            presenter.answer(shown, with: .retry)
            if !closesFirst { presenter.alertDidClose(shown) }
            try await until(presenter, shows: "agent.busy")
            while await handler.waiting.count > 1 { await Task.yield() }
        }
        #expect(retried.withLock { $0 } == 1 && cancelled.withLock { $0 } == 0)
    }

    @Test("a recovery that fails shows the error again") func aRecoveryThatFailsShowsTheErrorAgain() async throws {
        try await following { presenter in
            await handler.handle(AppError.networkUnavailable, actions: [.retry: { throw AppError.dnsError(host: "web1") }])
            try await until(presenter, shows: "network.unavailable")
            let shown = try #require(presenter.shown)
            presenter.alertDidClose(shown)
            #expect(await presenter.answer(shown, with: .retry).value == false)
            try await until(presenter, shows: "network.unavailable")
            #expect(presenter.shown?.recoveryFailure != nil)
            #expect(ErrorAlertContent(try #require(presenter.shown)).message.contains("web1"))
        }
    }

    @Test("a recovery that hangs does not hold up the others") func aRecoveryThatHangsDoesNotHoldUpTheOthers() async throws {
        let (hang, release) = AsyncStream.makeStream(of: Void.self)
        try await following { presenter in
            await handler.handle(AppError.networkUnavailable, actions: [.retry: { for await _ in hang {} }])
            try await until(presenter, shows: "network.unavailable")
            let answer = presenter.answer(try #require(presenter.shown), with: .retry)
            await handler.handle(AppError.agentBusy)
            try await until(presenter, shows: "agent.busy")
            release.finish()
            #expect(await answer.value)
        }
    }

    @Test("an error that is dismissed elsewhere disappears") func anErrorThatIsDismissedElsewhereGoes() async throws {
        try await following { presenter in
            let changes = Mutex<[String?]>([])
            presenter.onChange = { shown in changes.withLock { $0.append(shown?.code) } }
            await handler.handle(AppError.networkUnavailable)
            await handler.handle(AppError.agentBusy)
            try await until(presenter, shows: "network.unavailable")
            await handler.dismiss(try #require(presenter.shown).id)
            try await until(presenter, shows: "agent.busy")
            #expect(changes.withLock { $0 } == ["network.unavailable", nil, "agent.busy"])
        }
    }

    @Test("a banner stays while it works") func aBannerStaysWhileItWorks() async throws {
        let (hang, release) = AsyncStream.makeStream(of: Void.self)
        try await following(.banner) { presenter in
            await handler.handle(AppError.networkUnavailable, actions: [.retry: { for await _ in hang {} }])
            try await until(presenter, shows: "network.unavailable")
            let answer = presenter.answer(try #require(presenter.shown), with: .retry)
            try await until("its buttons are disabled") { presenter.shown?.isRecovering == true }
            release.finish()
            #expect(await answer.value)
            try await until(presenter, shows: nil)
        }
    }

    @Test("a count changes without a new alert") func aCountChangesInPlace() async throws {
        try await following { presenter in
            await handler.handle(AppError.networkUnavailable)
            try await until(presenter, shows: "network.unavailable")
            let id = presenter.shown?.id
            await handler.handle(AppError.networkUnavailable)
            try await until("two") { presenter.shown?.count == 2 }
            #expect(presenter.shown?.id == id)
        }
    }
}

@Suite struct ErrorAlertContentTests {
    @Test("buttons have roles and one is the default") func buttonsHaveRolesAndOneIsTheDefault() {
        let busy = ErrorPresentation(AppError.agentBusy, actions: ErrorPresentationTests.all)
        let content = ErrorAlertContent(busy)
        #expect(content.buttons.map(\.title) == ["Wait", "Abort"] && content.buttons.map(\.role) == [nil, .destructive])
        #expect(
            content.buttons.map(\.isDefault) == [true, false] && content.buttons.map(\.icon) == ["hourglass", "stop.circle"])
        let timeout = ErrorAlertContent(ErrorPresentation(AppError.timeout(seconds: 3), actions: ErrorPresentationTests.all))
        #expect(timeout.buttons.map(\.role) == [nil, .cancel] && timeout.id != content.id)
    }

    @Test("every alert can be closed", arguments: AppError.samples) func everyAlertCanBeClosed(_ error: AppError) {
        for actions in [ErrorPresentationTests.all, RecoveryActions()] {
            let content = ErrorAlertContent(
                ErrorPresentation(error, actions: actions, details: [.init("host", "web1"), .init("alone")]))
            #expect(!content.buttons.isEmpty && content.buttons.count { $0.role == .cancel } <= 1)
            #expect(content.buttons.count { $0.isDefault } <= 1)
            #expect(content.message.contains(error.userMessage) && content.message.contains("host: web1\nalone"))
        }
    }

    @Test("colours by category or severity") func coloursByCategoryOrSeverity() {
        let shown = ErrorPresentation(AppError.sslError(description: ""))
        #expect(ErrorColoring.severity.tint(of: shown) == .red && ErrorColoring.category.tint(of: shown) == .red)
        let denied = ErrorPresentation(AppError.permissionDenied(tool: "git"))
        #expect(ErrorColoring.category.tint(of: denied) == .purple && ErrorColoring.severity.tint(of: denied) == .red)
    }
}
