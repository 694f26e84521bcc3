import BridgeSSH
import Testing

@testable import SSHKeys
@testable import SSHModel

@Suite struct BlowfishTests {
    /// Computes the fraction of π by Gauss's formula π = 48 arctan 1/18 + 32 arctan 1/57 − 20 arctan 1/239. The table was
    /// computed with another formula.
    @Test("tables are the digits of pi") func tablesAreTheDigitsOfPi() {
        let count = Blowfish.wordCount + 2
        let one = FixedPoint(whole: 1, fractionWords: count)
        var pi = one.arctangent(ofInverse: 18).multiplied(by: 48)
        pi.add(one.arctangent(ofInverse: 57).multiplied(by: 32))
        pi.subtract(one.arctangent(ofInverse: 239).multiplied(by: 20))
        #expect(pi.words[0] == 3)
        #expect(BlowfishTables.words.count == Blowfish.wordCount)
        #expect(Array(pi.words[1...Blowfish.wordCount]) == BlowfishTables.words)
    }

    /// Eric Young's test vector: a key of zeros, which does not change the first subkeys, and a block of zeros.
    @Test("a zero key and block") func zeroKeyAndBlock() {
        let blowfish = Blowfish()
        let zeros = [UInt32](repeating: 0, count: 16)
        zeros.withUnsafeBufferPointer { zeros in
            if let start = zeros.baseAddress { blowfish.expand(key: start, salt: nil) }
        }
        var (left, right): (UInt32, UInt32) = (0, 0)
        blowfish.encipher(&left, &right)
        #expect(left == 0x4EF9_9745)
        #expect(right == 0x6198_DD78)
    }

    @Test("derived keys have the length asked for") func derivedKeysHaveTheLengthAskedFor() throws {
        for count in [1, 31, 32, 33, 64, 100] {
            let key = try #require(BcryptPBKDF.deriveKey(passphrase: [1], salt: [2], rounds: 1, count: count))
            #expect(key.count == count)
        }
    }
}

/// A positive number with its whole part in the first word and the fraction in the others.
private struct FixedPoint {
    var words: [UInt32]

    init(whole: UInt32, fractionWords: Int) { words = [whole] + [UInt32](repeating: 0, count: fractionWords) }

    mutating func add(_ other: FixedPoint) {
        var carry: UInt64 = 0
        for index in words.indices.reversed() {
            carry += UInt64(words[index]) + UInt64(other.words[index])
            words[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
    }

    mutating func subtract(_ other: FixedPoint) {
        var borrow: Int64 = 0
        for index in words.indices.reversed() {
            let difference = Int64(words[index]) - Int64(other.words[index]) - borrow
            words[index] = UInt32(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
    }

    /// Divides, starting at the first word that may not be zero. Returns the next such word.
    mutating func divide(by divisor: UInt32, from start: Int) -> Int {
        var rest: UInt64 = 0
        for index in start..<words.count {
            let value = rest << 32 | UInt64(words[index])
            words[index] = UInt32(value / UInt64(divisor))
            rest = value % UInt64(divisor)
        }
        return words[start...].firstIndex { $0 != 0 } ?? words.count
    }

    func multiplied(by factor: UInt32) -> FixedPoint {
        var product = self
        var carry: UInt64 = 0
        for index in words.indices.reversed() {
            carry += UInt64(words[index]) * UInt64(factor)
            product.words[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        return product
    }

    func arctangent(ofInverse x: UInt32) -> FixedPoint {
        var power = self
        var start = power.divide(by: x, from: 0)
        var sum = power
        var divisor: UInt32 = 1
        while start < words.count {
            start = power.divide(by: x * x, from: start)
            guard start < words.count else { break }
            divisor += 2
            var term = power
            _ = term.divide(by: divisor, from: start)
            if divisor % 4 == 3 { sum.subtract(term) } else { sum.add(term) }
        }
        return sum
    }
}
