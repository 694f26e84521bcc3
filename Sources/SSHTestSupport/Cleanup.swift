/// Calls `body`, and then `cleanUp`, also if `body` throws: a `defer` cannot wait.
func withCleanup<Value>(_ cleanUp: () async -> Void, _ body: () async throws -> Value) async rethrows -> Value {
    do {
        let value = try await body()
        await cleanUp()
        return value
    } catch {
        await cleanUp()
        throw error
    }
}
