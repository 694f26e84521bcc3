/// A name taken apart into what stays and the numbers in it: `r1n05.lan` is `r`, 1, `n`, 5, `.lan`.
struct NumberedName {
    /// The text with `%s` for each number and `%%` for each percent sign: two names of one pattern differ in numbers only.
    private(set) var pattern: [UInt8] = []
    private(set) var numbers: [HostNumber] = []

    /// Takes a name apart, in the memory of the name before.
    mutating func read(_ name: String) {
        pattern.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        var name = name
        name.withUTF8 { bytes in
            // An address in brackets is not a range and must not become one.
            let isVerbatim = bytes.contains(UInt8(ascii: "["))
            var index = 0
            while index < bytes.count {
                var end = index
                while end < bytes.count, isVerbatim || !isDigit(bytes[end]), bytes[end] != UInt8(ascii: "%") { end += 1 }
                pattern.append(contentsOf: bytes[index..<end])
                index = end
                if index == bytes.count { break }
                if bytes[index] == UInt8(ascii: "%") {
                    pattern.append(UInt8(ascii: "%"))
                    pattern.append(UInt8(ascii: "%"))
                    index += 1
                    continue
                }
                while end < bytes.count, isDigit(bytes[end]) { end += 1 }
                if end - index > HostNumber.maximumWidth {
                    pattern.append(contentsOf: bytes[index..<end])
                } else {
                    pattern.append(UInt8(ascii: "%"))
                    pattern.append(UInt8(ascii: "s"))
                    var value: UInt128 = 0
                    if end - index <= 19 {
                        var small: UInt64 = 0
                        for place in index..<end { small = small &* 10 &+ UInt64(bytes[place] &- UInt8(ascii: "0")) }
                        value = UInt128(small)
                    } else {
                        for place in index..<end { value = value &* 10 &+ UInt128(bytes[place] &- UInt8(ascii: "0")) }
                    }
                    numbers.append(HostNumber(width: end - index, value: value))
                }
                index = end
            }
        }
    }
}
