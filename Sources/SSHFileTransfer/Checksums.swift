internal import Crypto

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension SFTPClient {
    /// The SHA-256 of a file at the server, by a program that nearly every system has.
    ///
    /// - Parameter size: that of the file, as far as it is known.
    /// - Throws: the connection's failures.
    func remoteChecksum(_ path: String, size: UInt64) async throws -> FileChecksum {
        // An absolute path: a command may start elsewhere than SFTP does.
        let word = Self.quoted(try await realPath(of: path))
        let script = """
            f=\(word)
            if [ ! -e "$f" ]; then echo missing
            elif [ ! -r "$f" ]; then echo unreadable
            else sha256sum -- "$f" 2>/dev/null || shasum -a 256 -- "$f" 2>/dev/null || openssl dgst -sha256 -r "$f" 2>/dev/null || echo none
            fi

            """
        let output: String
        do {
            output = try await carrier.output(
                ofShellScript: script, outputLimit: 1 << 16, patience: Self.checksumPatience(for: size))
        } catch let error as SSHError {
            switch error.stage {
            case .command where error.code == .commandTimedOut: return .unavailable("the server did not compute it in time")
            case .channel where error.code == .channelSessionLimit:
                return .unavailable("the server allows no command beside a copy (MaxSessions in sshd_config)")
            case .channel, .command: return .unavailable("the server runs no commands for this user")
            default: throw error
            }
        }
        // A name with a backslash or line end makes the line begin with a backslash (coreutils).
        let digits = output.drop { $0 == "\\" }.prefix { $0.isHexDigit }
        if digits.count == 64 { return .sum(digits.lowercased()) }
        switch output.split(whereSeparator: \.isNewline).last {
        case "unreadable": return .unavailable("a command on the server may not read it")
        case "missing": return .unavailable("a command on the server does not find it, so SFTP has another root directory there")
        case "none": return .unavailable("the server has neither sha256sum nor shasum nor openssl")
        default: return .unavailable("the server runs no commands for this user")
        }
    }

    /// A minute, and what a slow disk takes: 4 MiB a second.
    static func checksumPatience(for size: UInt64) -> Duration { .seconds(60 + Int64(size >> 22)) }

    /// For a POSIX shell.
    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    static func checksum(of file: LocalFile) throws -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while true {
            let bytes = try file.read(offset..<offset + (1 << 20))
            if bytes.count == 0 { break }
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
            offset += UInt64(bytes.count)
        }
        return hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Work on local files; its failures are reported as local ones.
    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await Disk.run(body)
        } catch let fault as LocalFault {
            throw await error(SSHFileProblem(fault))
        } catch let problem as UploadProblem {
            throw await error(problem.problem)
        }
    }
}

extension SSHFileProblem {
    /// A system call on a local file that failed.
    package init(_ fault: LocalFault) {
        let reason: Reason
        switch fault.number {
        case ENOENT, ENOTDIR: reason = .noSuchFile
        case EACCES, EPERM, EROFS: reason = .permissionDenied
        case ENOSPC, EDQUOT: reason = .diskFull
        case EISDIR: reason = .isDirectory
        default: reason = ["read", "list", "look at", "read the link"].contains(fault.operation) ? .readFailed : .writeFailed
        }
        self.init(
            reason, .local, operation: fault.operation, path: fault.path, detail: fault.detail,
            systemError: fault.number == 0 ? nil : fault.number)
    }
}
