/// The runs whose journals are in a directory.
package struct RunHistory: Sendable {
    /// Runs are kept for this long …
    static let days: Int64 = 30
    /// … and always this many.
    static let count = 100

    private let directory: JournalDirectory

    package init(_ directory: JournalDirectory) { self.directory = directory }

    /// The names of the runs, the newest first.
    package func names() throws(JournalProblem) -> [String] {
        try directory.entries().compactMap { entry in
            guard entry.hasSuffix(".sqlite") else { return nil }
            let name = String(entry.dropLast(".sqlite".count))
            return RunName.time(of: name) == nil ? nil : name
        }.sorted(by: >)
    }

    /// The path of a run's journal.
    ///
    /// - Parameter run: `last`, a run's name, the begin of one if there is only one such, or the path of a journal.
    package func path(of run: String) throws(JournalProblem) -> String {
        if run.contains("/") { return run }
        let names = try names()
        if run == "last" {
            guard let newest = directory.last.flatMap({ names.contains($0) ? $0 : nil }) ?? names.first else {
                throw JournalProblem(.missing, directory.path, "there is no run in \(directory.path)")
            }
            return directory.database(newest)
        }
        let found = names.filter { $0 == run || !run.isEmpty && $0.hasPrefix(run) }
        if found.contains(run) || found.count == 1 { return directory.database(found.contains(run) ? run : found[0]) }
        guard found.isEmpty else {
            let some = found.prefix(4).joined(separator: ", ")
            throw JournalProblem(
                .missing, directory.path,
                "\(found.count) runs begin with \(VisibleText.name(run)), such as \(some); name one of them")
        }
        throw JournalProblem(
            .missing, directory.path,
            "there is no run \(VisibleText.name(run)) in \(directory.path); "
                + "`bridge-ssh fleet list\(directory.option)` names the runs")
    }

    /// Whether a process goes on with a run.
    package func isUnderWay(_ run: String) -> Bool {
        JournalLock.isHeld(directory.database(run))
    }

    /// The hosts of an earlier run that became one of these, for `@run:RUN:…`.
    package func hosts(of run: String, _ selector: RunSelector) throws(JournalProblem) -> [String] {
        try JournalReader(path(of: run)).records().filter(selector.matches).map(\.host)
    }

    /// Removes the runs that are not kept any longer. What is no journal, and what another process goes on with, stays.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the names of the runs that were removed.
    @discardableResult
    package func prune(at now: Int64 = FleetTimestamp.now()) throws(JournalProblem) -> [String] {
        var removed: [String] = []
        for name in Self.expired(try names(), at: now) {
            let path = directory.database(name)
            guard (try? JournalHeader.check(path)) != nil, let lock = try? JournalLock(path) else { continue }
            withExtendedLifetime(lock) { JournalFiles.remove(path) }
            removed.append(name)
        }
        removeUnfinished()
        return removed
    }

    /// Removes what is left of journals whose making was interrupted: their runs never began.
    private func removeUnfinished() {
        let suffix = ".sqlite.new"
        for entry in (try? directory.entries()) ?? [] where entry.hasSuffix(suffix) {
            let name = String(entry.dropLast(suffix.count))
            let path = directory.database(name)
            guard RunName.time(of: name) != nil, let lock = try? JournalLock(path) else { continue }
            withExtendedLifetime(lock) { JournalFiles.remove(path) }
        }
    }

    /// Those of the names that are older than 30 days and not among the newest 100.
    static func expired(_ names: [String], at now: Int64) -> [String] {
        names.sorted(by: >).dropFirst(count).filter { name in
            RunName.time(of: name).map { now - $0 > days * 86_400_000 } ?? false
        }
    }
}
