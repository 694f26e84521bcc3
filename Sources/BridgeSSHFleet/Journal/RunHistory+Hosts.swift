internal import HostSets

extension RunHistory {
    /// The source `@run:RUN:OUTCOME`.
    ///
    /// - Parameter argument: what follows `run:`, as in `last:failed`; nil for nothing.
    /// - Throws: `HostSetProblem`.
    package func hosts(selectedBy argument: String?) throws -> [String] {
        let parts = (argument ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let selector = RunSelector(parts[1]) else {
            throw HostSetProblem(
                .unknownGroup, "@run: takes a run and what became of its hosts.",
                remedy:
                    "Write @run:\(parts.first ?? "RUN"):failed: a run's name or last, then ok, failed, error, unknown, skipped or a "
                    + "failure's code.")
        }
        do {
            return try hosts(of: parts[0], selector)
        } catch {
            throw HostSetProblem(.unknownGroup, "@run:\(argument ?? ""): \(error.text).")
        }
    }
}
