/// Addresses of IPv6 as text (RFC 4291, section 2.2; a zone as RFC 4007 writes it).
enum IPv6 {
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 128 else { return false }
        var text = text
        return text.withUTF8 { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: "%")) ?? bytes.count
            // A zone is not empty.
            return end != bytes.count - 1 && isAddress(bytes[..<end])
        }
    }

    private static func isAddress(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let colon = UInt8(ascii: ":")
        var groups = 0
        var isShortened = bytes.starts(with: [colon, colon])
        var index = bytes.startIndex + (isShortened ? 2 : 0)
        while index < bytes.endIndex {
            let start = index
            while index < bytes.endIndex, isHexadecimal(bytes[index]) { index += 1 }
            if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
                guard isIPv4(bytes[start...]) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            if index == bytes.endIndex { break }
            guard bytes[index] == colon, index + 1 < bytes.endIndex else { return false }
            index += 1
            if bytes[index] == colon {
                if isShortened { return false }
                isShortened = true
                index += 1
            }
        }
        return isShortened ? groups < 8 : groups == 8
    }

    private static func isIPv4(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(isDigit)
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
            }
    }
}
