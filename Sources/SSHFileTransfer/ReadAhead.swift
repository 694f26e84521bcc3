/// The content of a file in order, with several requests under way at once.
///
/// For one reader. What is under way is cancelled with the last reference.
final class ReadAhead {
    private let source: any FileSource
    private let part: Int
    /// How many requests are under way at most.
    private let depth: Int
    /// The beginning of what was not asked for yet.
    private var position: UInt64
    private let end: UInt64
    private var underWay: [(range: Range<UInt64>, task: Task<FileBytes, any Error>)] = []

    /// - Parameters:
    ///   - range: ends with the file where that is shorter.
    ///   - window: how many bytes are asked for at once; one part at least.
    init(_ source: any FileSource, _ range: Range<UInt64>, part: Int, window: Int) {
        self.source = source
        self.part = max(1, min(part, 1 << 18))
        depth = max(1, window / self.part)
        position = range.lowerBound
        end = range.upperBound
    }

    deinit { for request in underWay { request.task.cancel() } }

    /// The next bytes; nil at the end.
    func next() async throws -> FileBytes? {
        while underWay.count < depth, position < end {
            let upper = end - position > UInt64(part) ? position + UInt64(part) : end
            underWay.append((position..<upper, ask(for: position..<upper)))
            position = upper
        }
        guard let (range, task) = underWay.first else { return nil }
        let bytes = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        underWay.removeFirst()
        if bytes.count == 0 {
            for request in underWay { request.task.cancel() }
            underWay = []
            position = end
            return nil
        }
        if bytes.count < range.count {
            let rest = range.lowerBound + UInt64(bytes.count)..<range.upperBound
            underWay.insert((rest, ask(for: rest)), at: 0)
        }
        return bytes
    }

    private func ask(for range: Range<UInt64>) -> Task<FileBytes, any Error> {
        Task { [source] in try await source.read(range) }
    }
}
