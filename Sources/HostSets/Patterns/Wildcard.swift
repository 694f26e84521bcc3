internal import ErrorCore

/// A wildcard pattern with `*` and `?`, matched against whole names.
struct Wildcard {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    static func isWildcard(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    func matches(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { matches($0) }
    }

    /// Matches in one pass; it only ever goes back to the last `*`.
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

    /// The start of the next character, which may be several bytes away.
    private static func next(_ name: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        var next = index + 1
        while next < name.count, name[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}

/// Finds known names that are similar to an unknown name.
enum NearestNames {
    /// At most three names, nearest first; empty if no name is similar.
    static func of(_ name: String, among known: some Sequence<String>) -> [String] {
        let wanted = Array(name.lowercased().utf8.prefix(64))
        let limit = max(1, min(3, wanted.count / 3))
        var found: [(distance: Int, name: String)] = []
        for candidate in known {
            let other = Array(candidate.lowercased().utf8.prefix(64))
            guard abs(other.count - wanted.count) <= limit else { continue }
            let worst = found.count == 3 ? found[2].distance - 1 : limit
            guard let distance = EditDistance.between(wanted, other, atMost: worst) else { continue }
            if found.contains(where: { $0.name == candidate }) { continue }
            let place = found.firstIndex { $0.distance > distance } ?? found.count
            found.insert((distance, candidate), at: place)
            if found.count > 3 { found.removeLast() }
            if found.count == 3, found[2].distance <= 0 { break }
        }
        return found.map(\.name)
    }
}
