import BridgeSSH
import Dispatch
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The opened source of the command's standard input.
struct OpenedInput: Sendable {
    /// Nil if there is nothing to read.
    let descriptor: Int32?
    /// Nil for our own standard input, which stays open.
    let owner: OwnedDescriptor?
    /// Whether it can be read a second time.
    let isRepeatable: Bool
    /// Whether a person types it.
    let isTerminal: Bool

    /// - Throws: `UsageProblem` if the file, or a pipe, cannot be opened.
    init(_ source: InputSource) throws {
        switch source {
        case .none:
            (descriptor, owner) = (nil, nil)
            isRepeatable = false
            isTerminal = false
        case .inherited:
            (descriptor, owner) = (0, nil)
            isRepeatable = false
            isTerminal = isatty(0) == 1
        case .text(let text):
            let number = try Self.pipe(with: text)
            (descriptor, owner) = (number.number, number)
            isRepeatable = false
            isTerminal = false
        case .file(let path):
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else {
                throw UsageProblem(field: "--stdin", problem: "\(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            (descriptor, owner) = (number, OwnedDescriptor(number))
            isRepeatable = Self.isRegularFile(number)
            isTerminal = false
        }
    }

    /// Reads it here, piece by piece; nil if there is nothing to read.
    var pieces: (@Sendable () async throws -> [UInt8]?)? {
        let reader = owner.map { InputReader(descriptor: $0) } ?? descriptor.map { InputReader(borrowing: $0) }
        return reader?.pieces
    }

    /// The read end of a pipe that a thread of its own writes the text to: a pipe may hold less.
    private static func pipe(with text: String) throws -> OwnedDescriptor {
        var ends: [Int32] = [-1, -1]
        guard Self.makePipe(&ends) == 0 else { throw UsageProblem(field: "pipe", problem: String(cString: strerror(errno))) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let writeEnd = OwnedDescriptor(ends[1])
        DispatchQueue(label: "text").async {
            _ = PathText.bytes(of: text).withUnsafeBytes { OutputWriter.writeAll($0, to: writeEnd.number) }
        }
        return OwnedDescriptor(ends[0])
    }

    private static func makePipe(_ ends: inout [Int32]) -> Int32 {
        #if canImport(Darwin)
            Darwin.pipe(&ends)
        #else
            Glibc.pipe(&ends)
        #endif
    }

    private static func isRegularFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
