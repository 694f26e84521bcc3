/// Writes the data types of RFC 4251 section 5.
package struct SSHWireWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Appends bytes without a length.
    package mutating func raw(_ content: some Collection<UInt8>) { bytes.append(contentsOf: content) }

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    package mutating func boolean(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func uint32(_ value: UInt32) {
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }

    package mutating func uint64(_ value: UInt64) {
        uint32(UInt32(truncatingIfNeeded: value >> 32))
        uint32(UInt32(truncatingIfNeeded: value))
    }

    /// - Precondition: `content` is shorter than 4 GiB, the limit of the length field.
    package mutating func string(_ content: some Collection<UInt8>) {
        uint32(UInt32(content.count))
        bytes.append(contentsOf: content)
    }

    package mutating func string(_ text: String) { string(Array(text.utf8)) }

    /// A positive number from its big-endian magnitude. Leading zeros are dropped, and a zero is added if the sign bit would be
    /// set.
    package mutating func mpint(_ magnitude: some Collection<UInt8>) {
        let digits = magnitude.drop { $0 == 0 }
        let needsSignByte = (digits.first ?? 0) & 0x80 != 0
        uint32(UInt32(digits.count + (needsSignByte ? 1 : 0)))
        if needsSignByte { bytes.append(0) }
        bytes.append(contentsOf: digits)
    }

    package mutating func nameList(_ names: [String]) { string(names.joined(separator: ",")) }
}
