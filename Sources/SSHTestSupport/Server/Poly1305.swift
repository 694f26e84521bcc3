/// The one-time authenticator of RFC 8439 section 2.5, which swift-crypto has only together with its cipher.
enum Poly1305 {
    /// - Parameter key: 32 bytes, used for nothing else.
    static func tag(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        // A number is five digits of 26 bits each, so that sums of products fit in 64 bits.
        let clamp: [UInt8] = [255, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15]
        let multiplier = digits(zip(key, clamp).map { $0 & $1 })
        var sum = [UInt64](repeating: 0, count: 5)
        for start in stride(from: 0, to: message.count, by: 16) {
            let block = digits(Array(message[start..<min(start + 16, message.count)]) + [1])
            for index in 0..<5 { sum[index] += block[index] }
            sum = product(sum, multiplier)
        }
        return bytes(reduced(sum), plus: Array(key[16..<32]))
    }

    /// Up to 17 bytes, the least significant first.
    private static func digits(_ bytes: [UInt8]) -> [UInt64] {
        var digits = [UInt64](repeating: 0, count: 5)
        for (index, byte) in bytes.enumerated() {
            let bit = index * 8
            digits[bit / 26] |= UInt64(byte) << UInt64(bit % 26) & 0x3ff_ffff
            if bit % 26 > 18, bit / 26 < 4 { digits[bit / 26 + 1] |= UInt64(byte) >> UInt64(26 - bit % 26) }
        }
        return digits
    }

    private static func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: 5)
        for i in 0..<5 {
            for j in 0..<5 {
                // What is above 2^130 counts five times: the modulus is 2^130 - 5.
                result[(i + j) % 5] += left[i] * right[j] * (i + j < 5 ? 1 : 5)
            }
        }
        return carried(carried(result))
    }

    private static func carried(_ digits: [UInt64]) -> [UInt64] {
        var digits = digits
        for index in 0..<5 {
            let carry = digits[index] >> 26
            digits[index] &= 0x3ff_ffff
            if index < 4 { digits[index + 1] += carry } else { digits[0] += carry * 5 }
        }
        return digits
    }

    /// The same number below 2^130 - 5.
    private static func reduced(_ digits: [UInt64]) -> [UInt64] {
        let digits = carried(carried(digits))
        var excess = digits
        excess[0] += 5
        excess =
            zip(0..<5, excess).reduce(into: (digits: [UInt64](), carry: UInt64(0))) { state, next in
                let value = next.1 + state.carry
                state.carry = value >> 26
                state.digits.append(next.0 < 4 ? value & 0x3ff_ffff : value)
            }.digits
        guard excess[4] >> 26 != 0 else { return digits }
        excess[4] &= 0x3ff_ffff
        return excess
    }

    /// The lower 128 bits of the sum, the least significant byte first.
    private static func bytes(_ digits: [UInt64], plus pad: [UInt8]) -> [UInt8] {
        var carry = 0
        return (0..<16).map { index in
            let bit = index * 8
            var byte = digits[bit / 26] >> UInt64(bit % 26)
            if bit % 26 > 18 { byte |= digits[bit / 26 + 1] << UInt64(26 - bit % 26) }
            let value = Int(byte & 0xff) + Int(pad[index]) + carry
            carry = value >> 8
            return UInt8(value & 0xff)
        }
    }
}
