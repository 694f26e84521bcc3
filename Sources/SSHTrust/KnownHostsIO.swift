#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The system calls for reading and writing a known_hosts file, each failure with its name and errno.
package enum KnownHostsIO {
    /// The whole file.
    static func read(path: String) throws(SSHKnownHostsProblem) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path)
        } catch {
            throw SSHKnownHostsProblem(code: .unreadable, path: path, operation: error.operation, errno: error.errno)
        }
    }

    /// The rest of an open file that is to be changed.
    static func read(_ descriptor: Int32, path: String) throws(SSHKnownHostsProblem) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(descriptor)
        } catch {
            throw SSHKnownHostsProblem(code: .unwritable, path: path, operation: error.operation, errno: error.errno)
        }
    }

    static func write(_ contents: some Collection<UInt8>, to descriptor: Int32, path: String) throws(SSHKnownHostsProblem) {
        var rest = Array(contents)[...]
        while !rest.isEmpty {
            let count = try call(.unwritable, "write", path) {
                rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    static func status(of descriptor: Int32, path: String) throws(SSHKnownHostsProblem) -> stat {
        var status = stat()
        _ = try call(.unwritable, "fstat", path) { fstat(descriptor, &status) }
        return status
    }

    /// Whether the group or others may write a file, and so change which hosts its owner trusts; false if that is unknown.
    package static func isWritableByOthers(path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o022 != 0
    }

    /// Makes a system call, again if a signal interrupts it.
    @discardableResult
    static func call<Result: SignedInteger>(
        _ code: SSHKnownHostsProblem.Code, _ operation: String, _ path: String, _ body: () -> Result
    ) throws(SSHKnownHostsProblem) -> Result {
        do throws(WholeFile.Failure) {
            return try WholeFile.call(operation, body)
        } catch {
            throw SSHKnownHostsProblem(code: code, path: path, operation: operation, errno: error.errno)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
