internal import HostSets

/// The runs whose journals are in a directory.
package struct RunHistory: Sendable {
    /// Runs are kept for this many days …
    static let days: Int64 = 30
    /// … and at least this many runs are kept.
    static let count = 100

    private let directory: JournalDirectory

    package init(_ directory: JournalDirectory) { self.directory = directory }

    /// The names of the runs, newest first.
    package func names() throws(JournalProblem) -> [String] {
        try directory.entries().compactMap { entry in
            guard entry.hasSuffix(".sqlite") else { return nil }
            let name = String(entry.dropLast(".sqlite".count))
            return RunName.time(of: name) == nil ? nil : name
        }.sorted(by: >)
    }

    /// The path of a run's journal.
    ///
    /// - Parameter run: `last`, a run's name, an unambiguous prefix of one, or the path of a journal.
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

    /// Whether a process is running or resuming the run.
    package func isUnderWay(_ run: String) -> Bool {
        JournalLock.isHeld(directory.database(run))
    }

    /// The hosts of an earlier run with the selected outcome, for `@run:RUN:…`.
    package func hosts(of run: String, _ selector: RunSelector) throws(JournalProblem) -> [String] {
        try JournalReader(path(of: run)).records().filter(selector.matches).map(\.host)
    }

    /// Removes the runs that are no longer kept. Files that are not journals stay, and so do runs that are in progress.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the names of the removed runs.
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

    /// Removes unfinished databases; their runs never began.
    private func removeUnfinished() {
        let suffix = ".sqlite.new"
        for entry in (try? directory.entries()) ?? [] where entry.hasSuffix(suffix) {
            let name = String(entry.dropLast(suffix.count))
            let path = directory.database(name)
            guard RunName.time(of: name) != nil, let lock = try? JournalLock(path) else { continue }
            withExtendedLifetime(lock) { JournalFiles.remove(path) }
        }
    }

    /// The names that are older than 30 days and not among the newest 100.
    static func expired(_ names: [String], at now: Int64) -> [String] {
        names.sorted(by: >).dropFirst(count).filter { name in
            RunName.time(of: name).map { now - $0 > days * 86_400_000 } ?? false
        }
    }
}

extension RunHistory {
    /// Resolves the source `@run:RUN:OUTCOME`.
    ///
    /// - Parameter argument: what follows `run:`, as in `last:failed`; nil if nothing does.
    /// - Throws: `HostSetProblem`.
    package func hosts(selectedBy argument: String?) throws -> [String] {
        let parts = (argument ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let selector = RunSelector(parts[1]) else {
            throw HostSetProblem(
                .unknownGroup, "@run: needs a run and an outcome or a code.",
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

/// Selects hosts of an earlier run by outcome: the last part of `@run:RUN:ok|failed|error|unknown|skipped|CODE`.
package enum RunSelector: Sendable, Equatable {
    case outcome(FleetHostOutcome)
    /// A failure code; a trailing `*` matches all codes with that prefix.
    case code(String)

    /// - Returns: nil if the text is neither an outcome nor a possible code.
    package init?(_ text: String) {
        if let outcome = FleetHostOutcome(rawValue: text) {
            self = .outcome(outcome)
        } else if text.hasPrefix("ssh.") {
            self = .code(text)
        } else {
            return nil
        }
    }

    package func matches(_ record: HostRecord) -> Bool {
        switch self {
        case .outcome(let outcome): return record.outcome == outcome
        case .code(let code):
            guard let found = record.code else { return false }
            return code.hasSuffix("*") ? found.hasPrefix(code.dropLast()) : found == code
        }
    }
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Names of runs, such as `20261123-021032-123k7f`: the start time in UTC, with milliseconds, and three random characters. They
/// sort by time.
package enum RunName {
    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz")

    package static func make(at milliseconds: Int64) -> String {
        FleetTimestamp.name(milliseconds) + String((0..<3).map { _ in alphabet.randomElement() ?? "0" })
    }

    /// When the run began, in milliseconds since 1970; nil if the name is not a run's name.
    package static func time(of name: String) -> Int64? {
        let bytes = Array(name.utf8)
        guard bytes.count == 22, bytes[8] == UInt8(ascii: "-"), bytes[15] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0) { sum, byte in
                guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                return sum * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), let thousandths = number(16..<19),
            bytes[19...].allSatisfy({ alphabet.contains(Character(UnicodeScalar($0))) })
        else { return nil }
        var fields = tm()
        fields.tm_year = Int32(year) - 1900
        fields.tm_mon = Int32(month) - 1
        fields.tm_mday = Int32(day)
        fields.tm_hour = Int32(hour)
        fields.tm_min = Int32(minute)
        fields.tm_sec = Int32(second)
        return Int64(timegm(&fields)) * 1000 + Int64(thousandths)
    }
}
