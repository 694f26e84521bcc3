import CryptoExtras

/// The numbers of an RSA key from which all others follow: big-endian, without leading zeros.
struct RSANumbers {
    var modulus: ArraySlice<UInt8>
    var exponent: ArraySlice<UInt8>
    var privateExponent: ArraySlice<UInt8>
    var prime1: ArraySlice<UInt8>
    var prime2: ArraySlice<UInt8>
    /// q⁻¹ mod p.
    var coefficient: ArraySlice<UInt8>

    /// Whether swift-crypto can check the numbers safely: it divides by p − 1 and q − 1, and computes modulo p.
    var isPlausible: Bool {
        [prime1, prime2].allSatisfy { prime in
            prime.count <= modulus.count && (prime.last ?? 0) & 1 == 1 && (prime.count > 1 || (prime.first ?? 0) > 2)
        } && !privateExponent.isEmpty && privateExponent.count <= modulus.count && coefficient.count <= prime1.count
    }

    /// The key; nil if swift-crypto finds that the numbers are inconsistent.
    func privateKey() -> _RSA.Signing.PrivateKey? {
        guard SSHPublicKey.bitCount(of: modulus) < 2048 else {
            return try? _RSA.Signing.PrivateKey(n: modulus, e: exponent, d: privateExponent, p: prime1, q: prime2)
        }
        // swift-crypto accepts small keys, which are still in use with old servers, only as PKCS#1.
        var der = pkcs1()
        defer { wipe(&der) }
        return try? _RSA.Signing.PrivateKey(unsafeDERRepresentation: der)
    }

    /// RSAPrivateKey of RFC 8017, appendix A.1.2.
    private func pkcs1() -> [UInt8] {
        var exponent1 = Self.remainder(of: privateExponent, byPredecessorOf: prime1)
        var exponent2 = Self.remainder(of: privateExponent, byPredecessorOf: prime2)
        defer {
            wipe(&exponent1)
            wipe(&exponent2)
        }
        var body: [UInt8] = []
        let numbers = [
            [0][...], modulus, exponent, privateExponent, prime1, prime2, exponent1[...], exponent2[...], coefficient,
        ]
        for number in numbers { Self.append(tag: 0x02, Self.integer(number), to: &body) }
        defer { wipe(&body) }
        var der: [UInt8] = []
        Self.append(tag: 0x30, body, to: &der)
        return der
    }

    private static func integer(_ magnitude: ArraySlice<UInt8>) -> [UInt8] {
        let digits = magnitude.drop { $0 == 0 }
        return (digits.first ?? 0x80) & 0x80 != 0 ? [0] + digits : Array(digits)
    }

    /// Appends a DER element. The content must be smaller than 64 KiB.
    private static func append(tag: UInt8, _ content: [UInt8], to der: inout [UInt8]) {
        der.append(tag)
        switch content.count {
        case ..<0x80: der.append(UInt8(content.count))
        case ..<0x100: der += [0x81, UInt8(content.count)]
        default: der += [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
        }
        der += content
    }

    /// `value mod (odd − 1)`, computed bit by bit. For keys below 2048 bits it takes less than a millisecond.
    static func remainder(of value: ArraySlice<UInt8>, byPredecessorOf odd: ArraySlice<UInt8>) -> [UInt8] {
        var divisor = [0] + odd  // with a leading zero, so that the doubled remainder fits
        divisor[divisor.count - 1] &= 0xFE
        var rest = [UInt8](repeating: 0, count: divisor.count)
        for byte in value {
            for bit in stride(from: 7, through: 0, by: -1) {
                var carry = byte >> UInt8(bit) & 1
                for index in rest.indices.reversed() {
                    let next = rest[index] >> 7
                    rest[index] = rest[index] << 1 | carry
                    carry = next
                }
                if !rest.lexicographicallyPrecedes(divisor) { subtract(divisor, from: &rest) }
            }
        }
        wipe(&divisor)
        return rest
    }

    private static func subtract(_ small: [UInt8], from large: inout [UInt8]) {
        var borrow = 0
        for index in large.indices.reversed() {
            let difference = Int(large[index]) - Int(small[index]) - borrow
            large[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
    }
}
