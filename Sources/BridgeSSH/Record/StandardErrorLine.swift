#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A line for the developer of a program, who may have set no logger.
enum StandardErrorLine {
    static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        // If that fails, there is no other place to report it.
        _ = bytes.withUnsafeBytes { systemWrite(2, $0.baseAddress, $0.count) }
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
