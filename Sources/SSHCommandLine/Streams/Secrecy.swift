#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Memory that held a secret.
enum Secrecy {
    /// Overwrites it in a way that is not optimised away.
    static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let base = memory.baseAddress, memory.count > 0 else { return }
        explicit_bzero(base, memory.count)
    }
}
