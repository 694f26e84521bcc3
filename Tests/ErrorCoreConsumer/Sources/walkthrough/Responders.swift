import ErrorCore

/// Design 4: a chain of responders.
final class DocumentWindow: ErrorResponder {
    let chain = ErrorResponderChain()
    var parentResponder: (any ErrorResponder)? { chain }

    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        AppError(error) == .agentBusy ? .retry : nil
    }
}

func responders() async throws {
    let window = DocumentWindow()
    let connection = window.chain.connect { error, _ in AppError(error) == .cancelled ? .proceed : nil }
    var runs = 0
    let saved = try await window.responding {
        runs += 1
        if runs == 1 { throw AppError.agentBusy }
        return "saved"
    }
    expect(saved == "saved" && runs == 2, "the window said to try again")
    expect(await window.respond(to: CancellationError()) == .proceed, "the chain's answer")
    connection.disconnect()
    expect(await RespondToError(window)(CancellationError()) == .cancel, "no answer")
}
