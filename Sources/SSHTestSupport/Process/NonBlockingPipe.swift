import Foundation

/// A pipe whose reading end another program has made non-blocking, so that it can be empty before its end.
public enum NonBlockingPipe {
    /// Calls `read` with the reading end. Each byte is written when the previous one has probably been read.
    ///
    /// - Throws: `POSIXError` if there is no pipe; what `read` throws.
    public static func reading<Result>(_ bytes: [UInt8], _ read: (Int32) throws -> Result) throws -> Result {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let (input, output) = (ends[0], ends[1])
        defer { close(input) }
        guard fcntl(input, F_SETFL, O_NONBLOCK) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let writer = Thread {
            for byte in bytes {
                _ = withUnsafeBytes(of: byte) { write(output, $0.baseAddress, 1) }
                sched_yield()
            }
            close(output)
        }
        writer.start()
        return try read(input)
    }
}
