#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A pipe that becomes readable when it is rung, and stays so until it is reset: wakes a thread that waits in poll(2).
final class WakePipe: Sendable {
    /// To be watched for input; -1, which poll ignores, if there was no descriptor left.
    let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func ring() {
        var byte: UInt8 = 1
        _ = writeBytes(writeEnd, &byte, 1)
    }

    /// Makes it unreadable again. Called only while it is readable.
    func reset() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { _ = readBytes(readEnd, $0.baseAddress, $0.count) }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }
}
