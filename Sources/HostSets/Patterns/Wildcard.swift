/// A wildcard of `*` and `?`, matched against whole names.
struct Wildcard {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    /// Whether the text is a wildcard at all.
    static func isWildcard(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    func matches(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { matches($0) }
    }

    /// In one pass, with the last `*` as the only place to come back to.
    private func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var (place, index) = (0, 0)
        var star: (place: Int, index: Int)?
        while index < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") {
                index = Self.next(name, index)
                place += 1
            } else if place < pattern.count, pattern[place] == name[index] {
                place += 1
                index += 1
            } else if let last = star {
                let next = Self.next(name, last.index)
                star = (last.place, next)
                (place, index) = (last.place + 1, next)
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }

    /// The beginning of the next character, however many bytes this one has.
    private static func next(_ name: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        var next = index + 1
        while next < name.count, name[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
