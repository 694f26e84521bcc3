import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a fleet's program finds for its hosts to read: at its standard input, or in a file.
package enum HostInput: Sendable {
    case none
    /// An open regular file, from an offset on; `owner` closes it.
    case file(name: String, descriptor: Int32, offset: UInt64, count: UInt64, owner: (any Sendable)?)
    /// What can be read once. A cancelled task gets nil.
    case stream(name: String, next: @Sendable () async throws -> [UInt8]?)

    /// Our standard input: nothing at a terminal, of /dev/null, and where there is none.
    ///
    /// - Parameter isAskedFor: whether it was named.
    /// - Throws: `UsageProblem`.
    static func inherited(isAskedFor: Bool) throws -> HostInput {
        guard isatty(0) != 1 else {
            guard !isAskedFor else {
                throw UsageProblem(
                    field: "--stdin",
                    problem: "standard input is a terminal, which many hosts cannot share; pipe something, or name a file")
            }
            return .none
        }
        // nohup(1) leaves one that can only be written.
        guard fcntl(0, F_GETFL) & O_ACCMODE != O_WRONLY else { return .none }
        return try opened(0, owner: nil, name: "-")
    }

    /// - Throws: `UsageProblem`.
    static func named(_ path: String) throws -> HostInput {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            throw UsageProblem(field: "--stdin", problem: "\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        return try opened(number, owner: OwnedDescriptor(number), name: path)
    }

    private static func opened(_ descriptor: Int32, owner: OwnedDescriptor?, name: String) throws -> HostInput {
        var (status, null) = (stat(), stat())
        guard fstat(descriptor, &status) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let place = owner == nil ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
            return .file(
                name: name, descriptor: descriptor, offset: UInt64(place), count: UInt64(max(0, status.st_size - place)),
                owner: owner)
        case S_IFDIR: throw UsageProblem(field: "--stdin", problem: "\(name == "-" ? "it" : name) is a directory")
        case S_IFCHR where stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev: return .none
        default:
            let reader = owner.map { InputReader(descriptor: $0) } ?? InputReader(borrowing: descriptor)
            return .stream(name: name, next: reader.pieces)
        }
    }

    /// Whether something is there to be read now.
    package var hasBytes: Bool {
        switch self {
        case .none: return false
        case .file(_, _, _, let count, _): return count > 0
        case .stream:
            var count: Int32 = 0
            return ioctl(0, UInt(FIONREAD), &count) == 0 && count > 0
        }
    }
}

extension CommandChoices {
    /// What every host's command reads.
    ///
    /// - Parameter isTaken: whether standard input is read for something else.
    /// - Throws: `UsageProblem`.
    package func input(isTaken: Bool = false) throws -> HostInput {
        switch execution.stdin {
        case nil: return execution.noInput || isTaken ? .none : try .inherited(isAskedFor: false)
        case "none": return .none
        case let path? where execution.noInput:
            throw UsageProblem(field: "--stdin", problem: "\(path) contradicts -n, which lets the command read nothing; drop one")
        case "-" where isTaken:
            throw UsageProblem(
                field: "--stdin", problem: "standard input is read for the names of hosts; name a file for the one or the other")
        case "-": return try .inherited(isAskedFor: true)
        case let path?: return try .named(path)
        }
    }

    /// Whether the option says where the input comes from.
    package var namesInput: Bool { execution.stdin != nil && execution.stdin != "none" }
}
