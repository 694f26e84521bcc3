internal import Synchronization

/// Key files that the passphrase of a configuration has decrypted. Deriving the key of one takes 0.1 s and more, so the connections
/// of one configuration, and of its copies, do it once.
///
/// What is kept is as secret as the passphrase, which the configuration has too, and goes with it. A file that has changed is read
/// and decrypted again: see ``SharedFileCache``.
package final class DecryptedKeyFiles: Sendable {
    private let files = Mutex<[String: KeyFile]>([:])

    /// None.
    package init() {}

    /// Keeps a file, in the place of an earlier state of it.
    func keep(_ file: KeyFile) { files.withLock { $0[file.path] = file } }
}
