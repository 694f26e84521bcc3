import BridgeSSH
import GRDB
import SSHRun

/// Why a journal cannot be used. The text names the file and says what to do.
package struct JournalProblem: Error, Equatable {
    package enum Kind: Sendable, Equatable {
        /// There is no such run.
        case missing
        /// The file is not a journal of bridge-ssh.
        case foreign
        /// It is a journal, but its content is damaged.
        case damaged
        /// Another user may have written it, or a file beside it.
        case unsafe
        /// A later version of bridge-ssh wrote it.
        case newer
        /// It is not writable.
        case readOnly
        /// The disk is full.
        case full
        /// Another process is continuing the run.
        case inUse
        /// Another failure of the file system.
        case failed
        /// The command or files differ from those of the run.
        case other
    }

    package let kind: Kind
    package let path: String
    package let text: String

    package init(_ kind: Kind, _ path: String, _ text: String) {
        self.kind = kind
        self.path = path
        self.text = text
    }

    /// A failure of SQLite.
    init(_ error: DatabaseError, _ path: String) {
        let said = VisibleText.name(error.message ?? error.resultCode.description)
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .foreign(path)
        case .SQLITE_CORRUPT, .SQLITE_MISMATCH: self = .damaged(path, said)
        case .SQLITE_TOOBIG: self = .damaged(path, "it has a value that is too long")
        case .SQLITE_INTERRUPT: self = .damaged(path, "reading it took too long")
        case .SQLITE_FULL: self = .full(path)
        // The index of the log is memory that is mapped, and could not be made longer.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full(path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.inUse, path, "the journal \(path) is in use by another program; try again when that has ended")
        default:
            self.init(.failed, path, "the journal \(path) cannot be used: \(said) (SQLite \(error.extendedResultCode.rawValue))")
        }
    }

    init(_ failure: LocalFileFailure) {
        self.init(
            failure.isFull ? .full : .failed, failure.path,
            "cannot \(failure.operation) \(failure.path): \(SystemError.text(failure.errno))"
        )
    }

    static func foreign(_ path: String) -> JournalProblem {
        JournalProblem(.foreign, path, "\(path) is not a bridge-ssh journal; nothing was written to it")
    }

    static func damaged(_ path: String, _ what: String) -> JournalProblem {
        JournalProblem(
            .damaged, path, "the journal \(path) is damaged (\(what)); nothing was written to it, and the run cannot be resumed")
    }

    static func unsafe(_ path: String, _ what: String) -> JournalProblem {
        JournalProblem(
            .unsafe, path, "\(path) \(what); bridge-ssh uses only journals that no other user can have written")
    }

    static func full(_ path: String) -> JournalProblem {
        JournalProblem(.full, path, "the journal \(path) cannot be written: no space is left; free some, then resume the run")
    }

    static func readOnly(_ path: String) -> JournalProblem {
        JournalProblem(.readOnly, path, "the journal \(path) cannot be written to; look at its permissions and its file system")
    }

    /// The error if a run cannot begin because of it.
    ///
    /// - Parameter field: what names the journal on the command line. A full disk is no mistake in it.
    package func refusal(_ field: String) -> any Error { kind == .full ? verdict : UsageProblem(field: field, problem: text) }

    /// The verdict during a run.
    package var verdict: SSHError {
        let reason: SSHFileProblem.Reason =
            switch kind {
            case .full: .diskFull
            case .readOnly: .permissionDenied
            default: .writeFailed
            }
        return .onLocalFile(SSHFileProblem(reason, .local, operation: "write the journal", path: path, detail: text))
    }
}
