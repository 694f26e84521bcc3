import ErrorCore
import Foundation

/// Design 5: categories, context, callbacks, a presenter, a log.
func contextAndPresenter() async throws {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    let handler = ErrorHandler(reporters: [JSONLinesReporter(path: log)], shouldPresent: { $0.profile.category != .validation })
    let (categories, received) = AsyncStream.makeStream(of: ErrorCategory.self)
    await handler.observe { received.yield($0.profile.category) }

    let context = ErrorContext(action: "open document", requestID: "r-7", values: ["document": "report.txt"])
    await handler.handle(
        AppError.fileNotFound(path: "/a"), context: context, actions: [.browse: { throw CheckoutError.cardDeclined }])
    var following = categories.makeAsyncIterator()
    expect(await following.next() == .file, "what the callback received")

    guard let shown = await handler.current else { return expect(false, "nothing is shown") }
    expect(shown.options == [.browse], "only what can be done is offered")
    expect(await handler.choose(.browse, in: shown.id) == false, "it failed")
    guard let again = await handler.current else { return expect(false, "it is shown again") }
    print(TerminalBanner(width: 60).render(again), terminator: "")
    expect(ErrorHTML.fragment(again).contains("data-recovery=\"browse\""), "the same in HTML")
    await handler.dismiss(again.id)

    await handler.handle(AppError.validationError(field: "name", message: "too long"))
    expect(await handler.current == nil, "validation is not shown")
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    expect(lines.count == 3 && lines[0].contains("\"action\":\"open document\""), "the log")
}
