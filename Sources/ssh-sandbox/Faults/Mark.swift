import Foundation

/// A file by which a command in the sandbox shows that it has begun.
struct Mark: Sendable {
    let file: URL

    init(_ file: URL) { self.file = file }

    /// Takes the file away and does `reaction`, as often as it appears while `body` lasts.
    func each(_ reaction: @escaping @Sendable () async -> Void, during body: () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup { group in
            group.addTask { await watch(reaction) }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func watch(_ reaction: @Sendable () async -> Void) async {
        while !Task.isCancelled {
            if (try? FileManager.default.removeItem(at: file)) != nil { await reaction() }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}
