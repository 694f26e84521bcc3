/// Addresses of IPv6 as text (RFC 4291, section 2.2; a zone as RFC 4007 writes it).
enum IPv6 {
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 128, text.utf8.contains(UInt8(ascii: ":")) else { return false }
        var address = Substring(text)
        if let percent = address.firstIndex(of: "%") {
            guard address.index(after: percent) < address.endIndex else { return false }
            address = address[..<percent]
        }
        var groups = address.split(separator: ":", omittingEmptySubsequences: false)
        var needed = 8
        if let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            needed = 6
        }
        // "::" is an empty group between two, and at an end a second one beside it.
        let empty = groups.indices.filter { groups[$0].isEmpty }
        guard groups.allSatisfy({ $0.utf8.count <= 4 && $0.utf8.allSatisfy(isHexadecimal) }) else { return false }
        if empty.isEmpty { return groups.count == needed }
        guard let first = empty.first, let end = empty.last, end - first == empty.count - 1 else { return false }
        let isAtStart = first == 0
        let isAtEnd = needed == 8 && end == groups.count - 1
        let expected = isAtStart && isAtEnd ? 3 : isAtStart || isAtEnd ? 2 : 1
        guard empty.count == expected else { return false }
        return groups.count - empty.count < needed
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in (Int(part).map { (0...255).contains($0) } ?? false) && part.utf8.count <= 3 }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
