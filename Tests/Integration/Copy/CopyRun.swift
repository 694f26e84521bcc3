import Foundation
import SSHTestSupport

extension SSHDSandbox {
    /// A copy by the executable, without a terminal.
    func copy(
        _ arguments: [String], home: ScratchDirectory, through port: Int? = nil,
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), try await copyArguments(through: port) + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8"]),
            directory: home.url.path, body: body)
    }

    /// The path of a directory in alice's home, made for one test.
    func folder(_ name: String) throws -> URL {
        let folder = url(of: "/home/alice/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension ProcessResult {
    /// The messages for a person, with line ends and indents as single spaces.
    var words: String { errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// A file's stat(2) data.
struct FileFacts: Equatable {
    let inode: UInt64
    let links: Int
    let mode: Int
    /// In bytes, as the file system counts them.
    let allocated: Int

    init(_ url: URL) throws {
        let values = try FileManager.default.attributesOfItem(atPath: url.path)
        inode = (values[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        links = (values[.referenceCount] as? NSNumber)?.intValue ?? 0
        mode = (values[.posixPermissions] as? NSNumber)?.intValue ?? 0
        var status = stat()
        // Foundation gives the size here, holes included.
        guard stat(url.path, &status) == 0 else { throw CocoaError(.fileReadNoSuchFile) }
        allocated = Int(status.st_blocks) * 512
    }
}
