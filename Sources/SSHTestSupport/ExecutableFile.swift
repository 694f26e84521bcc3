package import Foundation

/// Files that are executed soon after they were written.
///
/// Linux does not execute a file that is open for writing (ETXTBSY). A process that another thread forks at that moment inherits
/// the descriptor and holds it until its own `execve`. So a child writes the file: none of its descriptors can be inherited.
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

    /// Copies a file that is executed soon after.
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
