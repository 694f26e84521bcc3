import GRDBSQLite

/// What stands beside a database says of it: whether it has all that was ever written to it durably. A run that goes on from less would
/// run hosts twice.
struct JournalEvidence {
    private let path: String
    private let mark: JournalMark?
    private let log: WriteAheadLog?
    /// Another process writes to it, so that the files change while they are looked at. What SQLite reads is whole then.
    private let isUnderWay: Bool

    /// - Parameter lock: that of the journal, where this process has it and does not write yet.
    /// - Throws: `JournalProblem` where it has not; nothing was opened by SQLite, and nothing written.
    init(_ path: String, pageSize: Int, _ lock: JournalLock?) throws(JournalProblem) {
        self.path = path
        // Before the database is read, which then has as many commits at least.
        mark = try JournalMark.read(path)
        func isHeld() -> Bool { lock == nil && JournalLock.isHeld(path) }
        var isUnderWay = isHeld()
        var log: WriteAheadLog?
        if !isUnderWay {
            do throws(JournalProblem) {
                log = try WriteAheadLog(of: path, pageSize: pageSize)
            } catch {
                // Begun in the meantime?
                isUnderWay = isHeld()
                if !isUnderWay { throw error }
            }
        }
        (self.log, self.isUnderWay) = (log, isUnderWay)
        guard !isUnderWay, log?.committed ?? 0 == 0 else { return }
        // SQLite would put a log beside a database that lacks it.
        try JournalDatabase.withImmutable(path) { connection throws(JournalProblem) in
            try JournalSchema.check(connection, path)
            try judge(JournalSchema.state(connection, path))
        }
    }

    /// - Parameter state: as SQLite reads the database with its log.
    func judge(_ state: JournalSchema.State) throws(JournalProblem) {
        if let mark {
            guard mark.run == state.run else { throw .damaged(path, "\(JournalLock.path(path)) is of the run \(mark.run)") }
            guard state.commits ?? 0 >= mark.commits else {
                throw .damaged(path, "\(loss): of \(mark.commits) commits it has \(state.commits ?? 0)")
            }
        }
        // A mark that counts none may be younger than a journal of version 0.1.
        guard !isUnderWay, mark?.commits ?? 0 == 0 else { return }
        if let frame = log?.broken { throw .damaged(path, "frame \(frame) of its log \(path)-wal is not whole") }
        if state.isClosed, log?.committed ?? 0 == 0 { return }
        if log?.committed ?? 0 == 0 { throw .damaged(path, "its log \(path)-wal is missing") }
        if state.commits != nil, mark == nil {
            throw .damaged(path, "\(JournalLock.path(path)), which says how long its log is, is missing")
        }
    }

    private var loss: String {
        guard let log else { return "its log \(path)-wal is missing, or the file is an older copy" }
        if let frame = log.broken { return "frame \(frame) of its log \(path)-wal is not whole" }
        return "its log \(path)-wal ends early, or one of the files is an older copy"
    }
}
