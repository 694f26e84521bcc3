import Foundation
import SSHTestSupport
import Synchronization

/// A private directory, removed when its last owner releases it.
final class KeyDirectory: Sendable {
    let url: URL
    private let keyCounts = Mutex<[[String]: Int]>([:])

    init() throws {
        // The name is short, because the path of a unix-domain socket may have only 104 bytes.
        url = URL(fileURLWithPath: "/tmp/bsk-" + UUID().uuidString.prefix(13))
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, mode 0600 by default. An executable one can be executed at once.
    @discardableResult
    func write(_ content: some Sequence<UInt8>, to name: String, mode: Int = 0o600) throws -> String {
        let path = path(name)
        if mode & 0o111 != 0 {
            try ExecutableFile.write(Data(content), to: path, mode: mode)
        } else {
            try Data(content).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        return path
    }

    /// The number of keys with these arguments that this directory has had before: two keys of a directory are never the same.
    func nextKey(_ arguments: [String]) -> Int {
        keyCounts.withLock { counts in
            defer { counts[arguments, default: 0] += 1 }
            return counts[arguments, default: 0]
        }
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: path(name), toPath: path(other))
    }
}
