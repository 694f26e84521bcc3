#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The errno values that the transport distinguishes, without importing the rest of the C library.
enum Errno {
    static let again = EAGAIN
    static let io = EIO
    static let connectionReset = ECONNRESET
    static let brokenPipe = EPIPE
}
