import BridgeSSHFleet
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Keeps outputs until the end of a run: the first ones in memory, and those beyond its budget in an unnamed file, which
/// disappears with the process.
package final class OutputStore: Sendable {
    /// Where an output is kept.
    package struct StoredBytes: Sendable {
        fileprivate enum Place: Sendable {
            case memory([UInt8])
            case file(offset: Int, count: Int)
        }
        fileprivate let place: Place
        /// The number of bytes.
        package let count: Int
    }

    private struct State {
        var room: Int
        var descriptor: Int32 = -1
        var end = 0
    }

    private let state: Mutex<State>
    private let directory: String

    /// - Parameters:
    ///   - memory: the most bytes kept in memory.
    ///   - directory: the directory for the file, if one is needed.
    package init(memory: Int, directory: String = "/tmp") {
        state = Mutex(State(room: memory))
        self.directory = directory
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Throws: `SSHError` if the file cannot be written.
    package func keep(_ bytes: [UInt8]) throws -> StoredBytes {
        do {
            return try state.withLock { state in
                if bytes.capacity <= state.room {
                    state.room -= bytes.capacity
                    return StoredBytes(place: .memory(bytes), count: bytes.count)
                }
                if state.descriptor < 0 { state.descriptor = try makeFile() }
                let offset = state.end
                try writeAll(bytes, to: state.descriptor, at: offset)
                state.end += bytes.count
                return StoredBytes(place: .file(offset: offset, count: bytes.count), count: bytes.count)
            }
        } catch let failure as LocalFileFailure {
            throw failure.verdict
        }
    }

    /// - Throws: `SSHError` if the file cannot be read.
    package func bytes(of kept: StoredBytes) throws -> [UInt8] {
        switch kept.place {
        case .memory(let bytes): return bytes
        case .file(let offset, let count):
            let descriptor = state.withLock { $0.descriptor }
            return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                    let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                    if read < 0, errno == EINTR { continue }
                    guard read > 0 else { throw LocalFileFailure("read", directory, errno: read < 0 ? errno : EIO).verdict }
                    filled += read
                }
            }
        }
    }

    private func makeFile() throws -> Int32 {
        let path = "\(directory)/.bridge-ssh-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw LocalFileFailure("write a temporary file in", directory) }
        unlink(path)
        return descriptor
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws {
        try bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw LocalFileFailure("write a temporary file in", directory) }
                written += count
            }
        }
    }
}
