public import Foundation

/// A directory of a test's own, mode 0700, gone when the closure ends.
public struct ScratchDirectory: Sendable {
    /// Where it is.
    public let url: URL

    /// Gives `body` a fresh directory and removes it, with all in it, whatever `body` does.
    @discardableResult
    public static func with<R>(_ body: (ScratchDirectory) async throws -> R) async throws -> R {
        let directory = try make(prefix: "ssh-test-")
        defer { try? FileManager.default.removeItem(at: directory.url) }
        return try await body(directory)
    }

    static func make(prefix: String) throws -> ScratchDirectory {
        // Short, because the path of a unix socket in it must fit in 108 bytes.
        let base = ProcessInfo.processInfo.environment["TMPDIR"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        let name = prefix + String(UInt64.random(in: 0..<(1 << 48)), radix: 36)
        let url = (base ?? URL(fileURLWithPath: "/tmp", isDirectory: true)).appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return ScratchDirectory(url: url)
    }

    /// The path of `name` in the directory.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, 0600 unless said otherwise, and returns its path. An executable one can be executed at once.
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
