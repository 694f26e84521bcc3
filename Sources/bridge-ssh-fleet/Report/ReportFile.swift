internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// A file that is written completely or not at all. Its mode follows umask(2), because other programs read it.
struct ReportFile {
    let path: String
    private let option: String
    /// A pipe or a device, which is written to and never replaced. A named pipe stays open from the beginning: its reader would
    /// take a closing for the end.
    private let stream: Int32?

    /// Checks that the file can be written.
    ///
    /// - Throws: `UsageProblem`.
    init(_ path: String, option: String) throws {
        self.path = path
        self.option = option
        guard path != "-", !path.isEmpty else {
            throw UsageProblem(field: option, problem: "“\(path)” is not a name of a file; /dev/stdout is standard output")
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        let isFile = !isThere || status.st_mode & S_IFMT == S_IFREG
        if !isFile && status.st_mode & S_IFMT != S_IFDIR || path.hasPrefix("/dev/") {
            // A standard stream may lead to a file with other content, so append. The opening of a named pipe without a reader
            // would wait for one.
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)
            stream = descriptor
            guard descriptor < 0 else { return }
            throw errno == ENXIO
                ? UsageProblem(field: option, problem: "\(path) is a named pipe without a reader; start its reader first")
                : problem(errno)
        }
        stream = nil
        guard isFile else { throw problem(EISDIR) }
        let (temporary, descriptor) = try makeTemporary()
        close(descriptor)
        unlink(temporary)
    }

    /// Replaces the file.
    ///
    /// - Throws: `SSHError`.
    func write(_ bytes: [UInt8]) throws {
        if let stream {
            defer { close(stream) }
            return try writeAll(bytes, to: stream)
        }
        let (temporary, descriptor) = try makeTemporary()
        do {
            defer { close(descriptor) }
            try writeAll(bytes, to: descriptor)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let number = errno
            unlink(temporary)
            throw failure(number)
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
        do throws(LocalFileFailure) { try LocalFileFailure.writeAll(bytes, to: descriptor, path) } catch {
            throw failure(error.errno)
        }
    }

    private func makeTemporary() throws -> (path: String, descriptor: Int32) {
        guard let file = makeTemporaryFile(beside: path) else { throw problem(errno) }
        return file
    }

    private func problem(_ number: Int32) -> UsageProblem {
        UsageProblem(
            field: option,
            problem: "\(path) cannot be written: \(String(cString: strerror(number))); name a file in a directory of yours")
    }

    private func failure(_ number: Int32) -> SSHError {
        let reason: SSHFileProblem.Reason = number == ENOSPC || number == EDQUOT ? .diskFull : .writeFailed
        return SSHFailureClassifier.classify(
            SSHEvidence(
                event: .fileFailed(SSHFileProblem(reason, .local, operation: "write", path: path, systemError: number)),
                stage: .local))
    }
}
