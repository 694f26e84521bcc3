/// Pauses a deadline while a person types, and asks without blocking other tasks.
struct WhileAsking: Sendable {
    let deadline: PausableDeadline

    func ask<Answer: Sendable>(_ question: @Sendable () async throws -> Answer) async rethrows -> Answer {
        deadline.pause()
        defer { deadline.resume() }
        return try await BlockingWork.run(question)
    }
}
