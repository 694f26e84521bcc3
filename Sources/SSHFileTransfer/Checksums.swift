internal import Crypto

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension SFTPClient {
    /// Compares the SHA-256 of a local file with that of a remote file.
    ///
    /// - Returns: whether they could be compared.
    /// - Throws: `ssh.sftp.checksum-mismatch`; the connection's failures.
    func verify(local: LocalFile, remote: String, named path: String, _ tally: CopyTally) async throws -> Bool {
        guard let theirs = try await remoteChecksum(remote) else {
            tally.notice("\(path) is not verified: the server runs no command that tells a SHA-256.")
            return false
        }
        let ours = try await onDisk { try Self.checksum(of: local) }
        guard ours == theirs else {
            throw await error(
                FileProblem(.checksumMismatch, .remote, operation: "verify", path: path, detail: "\(ours) here, \(theirs) there"))
        }
        tally.note { $0.verifiedFiles += 1 }
        return true
    }

    /// Asks one of the programs that nearly every system has; nil where none answers.
    private func remoteChecksum(_ path: String) async throws -> String? {
        // An absolute path: a command may start elsewhere than SFTP does.
        let word = Self.quoted(try await realPath(of: path))
        let command =
            "sha256sum -- \(word) 2>/dev/null || shasum -a 256 -- \(word) 2>/dev/null || openssl dgst -sha256 -r \(word)"
        let output: String
        do {
            output = try await carrier.output(ofShellScript: command + "\n", outputLimit: 1 << 16)
        } catch let error as SSHError {
            switch error.stage {
            case .channel, .command: return nil
            default: throw error
            }
        }
        // A name with a backslash or line end makes the line begin with a backslash (coreutils).
        let digits = output.drop { $0 == "\\" }.prefix { $0.isHexDigit }
        return digits.count == 64 ? digits.lowercased() : nil
    }

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
            throw await error(FileProblem(fault))
        }
    }
}

extension FileProblem {
    init(_ fault: LocalFault) {
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
