#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Standard input, line by line as it comes. A line is cut at 1 MiB, so that no input can fill the memory by it.
final class LineInput {
    private static let longest = 1 << 20
    private var waiting: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// The next line without its end; nil at the end of the input.
    func next() -> String? {
        var searched = start
        while true {
            if let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return String(decoding: waiting[start..<end], as: UTF8.self)
            }
            if isAtEnd || waiting.count - start >= Self.longest {
                defer { start = waiting.count }
                return start < waiting.count ? String(decoding: waiting[start...], as: UTF8.self) : nil
            }
            waiting.removeFirst(start)
            start = 0
            searched = waiting.count
            fill()
        }
    }

    /// All that is left. Of more than 1 MiB the end is kept: what made a client end stands there.
    func rest() -> String {
        while !isAtEnd {
            fill()
            if waiting.count > 2 * Self.longest { waiting.removeFirst(waiting.count - Self.longest) }
        }
        return String(decoding: waiting.suffix(Self.longest), as: UTF8.self)
    }

    private func fill() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = buffer.withUnsafeMutableBytes { readBytes(0, $0.baseAddress, $0.count) }
        if count > 0 {
            waiting += buffer[..<count]
        } else if count == 0 || errno != EINTR {
            isAtEnd = true
        }
    }
}
