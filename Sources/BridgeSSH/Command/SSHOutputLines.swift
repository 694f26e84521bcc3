/// A stream as lines. A last line without a line end is a line; the end of the stream after a line end is none.
public struct SSHOutputLines: AsyncSequence, Sendable {
    /// A line, without LF or CR LF.
    public typealias Element = String

    let output: SSHOutput
    let maximumLength: Int

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let output: SSHOutput
        let maximumLength: Int

        /// The next line; nil at the end. Throws as the stream does, and for a line that is too long.
        public mutating func next() async throws -> String? {
            try await output.execution.nextLine(output.stream, limit: maximumLength)
        }
    }

    /// An iterator; all of a stream's iterators share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(output: output, maximumLength: maximumLength)
    }

    /// The first line that a closure of the caller's actor accepts; nil if none does.
    ///
    /// - Throws: as ``AsyncIterator/next()``; what `predicate` throws.
    public func first(
        isolation: isolated (any Actor)? = #isolation, where predicate: (String) async throws -> Bool
    ) async throws -> String? {
        for try await line in self where try await predicate(line) { return line }
        return nil
    }
}
