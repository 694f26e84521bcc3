import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A directory that holds the journals of runs, or a plan with the journals of its shards.
package struct JournalDirectory: Sendable, Equatable {
    package let path: String
    /// The user's home directory if the journals are below it. This type never creates the home directory itself.
    private let home: String?
    /// Whether a person named the directory, and so must name it again in later commands.
    private let isNamed: Bool
    private let isOfPlan: Bool

    package init(_ path: String, isNamed: Bool = false) { self.init(path, below: nil, isNamed: isNamed) }

    private init(_ path: String, below home: String?, isNamed: Bool = false, isOfPlan: Bool = false) {
        self.isNamed = isNamed
        self.isOfPlan = isOfPlan
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.home = home
    }

    /// A directory of a plan.
    static func ofPlan(_ path: String) -> JournalDirectory { JournalDirectory(path, below: nil, isOfPlan: true) }

    /// The remedy for a directory that cannot be used.
    private var remedy: String { isOfPlan ? "use another directory" : "give --journal another directory" }
    private var remedyForWriting: String { remedy + (isOfPlan ? "" : ", or leave the journal out: --journal none") }

    /// `bridge-ssh/runs` in the user's state directory of the XDG Base Directory Specification.
    ///
    /// - Parameter stateHome: XDG_STATE_HOME; ignored unless it is an absolute path, as the specification says.
    package static func standard(stateHome: String?, home: String) -> JournalDirectory {
        if let stateHome, stateHome.hasPrefix("/") { return JournalDirectory(stateHome + "/bridge-ssh/runs") }
        return JournalDirectory(home + "/.local/state/bridge-ssh/runs", below: home)
    }

    /// The option, with a leading space, that a command needs to find the runs; empty for the standard directory.
    package var option: String { isNamed ? " --journal \(path.shellWord)" : "" }

    /// The path of a run's database.
    func database(_ name: String) -> String { "\(path)/\(name).sqlite" }

    /// Whether a run's database exists, or anything else under its name.
    func has(_ name: String) -> Bool { JournalFiles.isThere(database(name)) }

    /// Creates the directory and its parents if they are missing.
    ///
    /// - Throws: `JournalProblem`, also if others can write to it: they could replace a journal.
    package func prepare() throws(JournalProblem) {
        if let home, access(home, F_OK) != 0 {
            throw JournalProblem(
                .failed, path,
                "the home directory \(home) does not exist, so no journal can be kept there; name a directory with --journal, or "
                    + "leave the journal out: --journal none")
        }
        try make(path)
        guard try check() else { throw JournalProblem(LocalFileFailure("open", path)) }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            let failure = LocalFileFailure("write to", path)
            throw failure.errno == EROFS || failure.errno == EACCES
                ? JournalProblem(
                    .readOnly, path,
                    "\(path) cannot be written to: \(failure.reason); \(remedyForWriting)")
                : JournalProblem(failure)
        }
    }

    /// Whether the directory exists. Must be called before anything in it is read.
    ///
    /// - Throws: `JournalProblem` unless only this user can write to it: others could replace a journal.
    @discardableResult
    func check() throws(JournalProblem) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let failure = LocalFileFailure("open", path)
            if failure.errno == ENOENT { return false }
            throw JournalProblem(failure)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw JournalProblem(.failed, path, "\(path) is not a directory; \(remedy)")
        }
        guard status.st_uid == geteuid() else {
            throw JournalProblem(
                .unsafe, path,
                "\(path) belongs to another user (uid \(status.st_uid)), who could have written any journal there; \(remedy), one "
                    + "of your own")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw JournalProblem(
                .unsafe, path,
                "others can write to \(path); make it yours alone with `chmod 700`, or \(remedy)")
        }
        return true
    }

    private func make(_ path: String) throws(JournalProblem) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let failure = LocalFileFailure("make", path)
        guard failure.errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw notMade(path, failure)
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw notMade(path, LocalFileFailure("make", path))
    }

    private func notMade(_ path: String, _ failure: LocalFileFailure) -> JournalProblem {
        JournalProblem(
            failure.errno == EROFS || failure.errno == EACCES ? .readOnly : failure.isFull ? .full : .failed, path,
            "\(path) cannot be made: \(failure.reason); \(remedyForWriting)")
    }

    /// Makes new and removed names in it survive a power cut, if the file system can.
    func synchronize() {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The run that began last; nil if that is not known. After the clock was set back, it may not have the latest name.
    package var last: String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = readlink(lastLink, &bytes, bytes.count)
        let target = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        return target.hasSuffix(".sqlite") ? String(target.dropLast(".sqlite".count)) : nil
    }

    /// Makes a symbolic link to a run's database. Without it, the latest name counts as the last run.
    func setLast(_ name: String) {
        let temporary = "\(lastLink).new"
        unlink(temporary)
        if symlink("\(name).sqlite", temporary) == 0, rename(temporary, lastLink) != 0 { unlink(temporary) }
    }

    private var lastLink: String { path + "/last" }

    func entries() throws(JournalProblem) -> [String] {
        guard try check() else { return [] }
        guard let directory = opendir(path) else {
            if errno == ENOENT { return [] }
            throw JournalProblem(LocalFileFailure("open", path))
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
