public import Foundation

/// A temporary directory for a test, with mode 0700. It is removed when the closure ends.
public struct ScratchDirectory: Sendable {
    /// The directory.
    public let url: URL

    /// Gives `body` a new directory, and removes it with all its contents, even after an error.
    @discardableResult
    public static func with<R>(_ body: (ScratchDirectory) async throws -> R) async throws -> R {
        let directory = try make(prefix: "ssh-test-")
        defer { try? FileManager.default.removeItem(at: directory.url) }
        return try await body(directory)
    }

    static func make(prefix: String) throws -> ScratchDirectory {
        // The name is short, because the path of a unix socket in it must fit in 108 bytes.
        let base = ProcessInfo.processInfo.environment["TMPDIR"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        let name = prefix + String(UInt64.random(in: 0..<(1 << 48)), radix: 36)
        let url = (base ?? URL(fileURLWithPath: "/tmp", isDirectory: true)).appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return ScratchDirectory(url: url)
    }

    /// The path of `name` in the directory.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, with mode 0600 by default, and returns its path. An executable file can be executed at once.
    @discardableResult
    public func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let path = path(name)
        if mode & 0o111 != 0 {
            try ExecutableFile.write(Data(text.utf8), to: path, mode: mode)
        } else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        return path
    }
}

/// Writes files that are executed soon afterwards.
///
/// Linux does not execute a file that is open for writing (ETXTBSY). A process that another thread forks meanwhile inherits the
/// descriptor and holds it until its own `execve`. So a child process writes the file, whose descriptors no other process
/// inherits.
package enum ExecutableFile {
    struct NotWritten: Error, CustomStringConvertible {
        let path: String
        let status: Int32
        var description: String { "cannot write \(path): install exited with \(status)" }
    }

    package static func write(_ content: Data, to path: String, mode: Int) throws {
        let source = path + ".content"
        try content.write(to: URL(fileURLWithPath: source))
        defer { try? FileManager.default.removeItem(atPath: source) }
        try copy(source, to: path, mode: mode)
    }

    /// Copies a file that will be executed soon.
    package static func copy(_ source: String, to path: String, mode: Int = 0o755) throws {
        let words = ["/usr/bin/install", "-m", String(mode, radix: 8), "--", source, path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        let failure = posix_spawn(&process, words[0], nil, nil, &arguments, &environment)
        guard failure == 0 else { throw NotWritten(path: path, status: failure) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw NotWritten(path: path, status: status >> 8) }
    }
}

/// Calls `body`, and then `cleanUp`, also if `body` throws: a `defer` cannot wait.
func withCleanup<Value>(_ cleanUp: () async -> Void, _ body: () async throws -> Value) async rethrows -> Value {
    do {
        let value = try await body()
        await cleanUp()
        return value
    } catch {
        await cleanUp()
        throw error
    }
}
