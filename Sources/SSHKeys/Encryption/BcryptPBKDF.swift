import Crypto

/// The key derivation of OpenSSH's private key format: PBKDF2 with bcrypt in place of HMAC (OpenSSH PROTOCOL.key;
/// `bcrypt_pbkdf(3)` of OpenBSD).
enum BcryptPBKDF {
    /// Derives `count` bytes.
    ///
    /// Each round costs about a million Blowfish rounds for every 32 bytes.
    ///
    /// - Parameter isWanted: whether to continue; called before each round.
    /// - Returns: nil if `isWanted` returned false.
    /// - Precondition: `rounds` and `count` are at least 1.
    static func deriveKey(
        passphrase: [UInt8], salt: [UInt8], rounds: Int, count: Int, while isWanted: () -> Bool = { true }
    ) -> SecretBytes? {
        precondition(rounds >= 1 && count >= 1)
        var key = words(of: SHA512.hash(data: passphrase))
        defer { wipe(&key) }
        let blowfish = Blowfish()
        let blockCount = (count + 31) / 32
        var isComplete = true
        let derived = SecretBytes(capacity: count) { output in
            for block in 0..<blockCount {
                guard
                    var sum = derivedBlock(
                        UInt32(block + 1), key: key, salt: salt, rounds: rounds, using: blowfish, while: isWanted)
                else {
                    isComplete = false
                    return 0
                }
                // The bytes of one block are spread over the whole key. So an attacker has to derive all blocks.
                for (index, byte) in sum.enumerated() {
                    let target = index * blockCount + block
                    if target < count { output[target] = byte }
                }
                wipe(&sum)
            }
            return count
        }
        return isComplete ? derived : nil
    }

    private static func derivedBlock(
        _ number: UInt32, key: [UInt32], salt: [UInt8], rounds: Int, using blowfish: borrowing Blowfish,
        while isWanted: () -> Bool
    ) -> [UInt8]? {
        var counter = SSHWireWriter()
        counter.uint32(number)
        var last = hash(key: key, salt: words(of: SHA512.hash(data: salt + counter.bytes)), using: blowfish)
        var sum = last
        for _ in 1..<max(rounds, 1) {
            guard isWanted() else { return nil }
            last = hash(key: key, salt: words(of: SHA512.hash(data: last)), using: blowfish)
            for index in sum.indices { sum[index] ^= last[index] }
        }
        wipe(&last)
        return sum
    }

    /// Computes bcrypt of a fixed text, with a cost of 2^6.
    private static func hash(key: [UInt32], salt: [UInt32], using blowfish: borrowing Blowfish) -> [UInt8] {
        blowfish.reset()
        key.withUnsafeBufferPointer { key in
            salt.withUnsafeBufferPointer { salt in
                guard let key = key.baseAddress, let salt = salt.baseAddress else { return }
                blowfish.expand(key: key, salt: salt)
                for _ in 0..<64 {
                    blowfish.expand(key: salt, salt: nil)
                    blowfish.expand(key: key, salt: nil)
                }
            }
        }
        var text = words(of: Array("OxychromaticBlowfishSwatDynamite".utf8))
        for pair in stride(from: 0, to: text.count, by: 2) {
            var (left, right) = (text[pair], text[pair + 1])
            for _ in 0..<64 { blowfish.encipher(&left, &right) }
            (text[pair], text[pair + 1]) = (left, right)
        }
        // The words are read big-endian but written little-endian, as in the original.
        return text.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    private static func words(of bytes: some Sequence<UInt8>) -> [UInt32] {
        var result: [UInt32] = []
        for (index, byte) in bytes.enumerated() {
            if index % 4 == 0 { result.append(0) }
            result[index / 4] = result[index / 4] << 8 | UInt32(byte)
        }
        return result
    }
}

/// The Blowfish state of bcrypt ("eksblowfish"; Provos and Mazières, 1999), as OpenSSH's bcrypt_pbkdf uses it:
/// keys and salts are SHA-512 digests, so they always have 16 words.
struct Blowfish: ~Copyable {
    static let subkeyCount = 18
    static let wordCount = 18 + 4 * 256

    // The subkeys and boxes in one block. The memory is raw because this loop is the whole cost of opening a key file:
    // arrays would check bounds a hundred million times, and call a function for each in debug builds.
    private let words: UnsafeMutablePointer<UInt32>

    init() {
        words = .allocate(capacity: Self.wordCount)
        words.initialize(repeating: 0, count: Self.wordCount)
        reset()
    }

    deinit {
        wipe(UnsafeMutableRawBufferPointer(start: words, count: Self.wordCount * 4))
        words.deallocate()
    }

    /// Resets the state to the digits of π.
    func reset() {
        BlowfishTables.words.withUnsafeBufferPointer { table in
            for index in 0..<Self.wordCount { words[index] = table[index] }
        }
    }

    /// Mixes a key into the subkeys, then replaces the whole state with encrypted blocks, salted if `salt` is given.
    ///
    /// - Precondition: `key` and `salt` have 16 words.
    func expand(key: UnsafePointer<UInt32>, salt: UnsafePointer<UInt32>?) {
        for index in 0..<Self.subkeyCount { words[index] ^= key[index & 15] }
        var left: UInt32 = 0
        var right: UInt32 = 0
        var index = 0
        while index < Self.wordCount {
            if let salt {
                left ^= salt[index & 15]
                right ^= salt[(index &+ 1) & 15]
            }
            encipher(&left, &right)
            words[index] = left
            words[index &+ 1] = right
            index &+= 2
        }
    }

    /// Encrypts one block of two words in place.
    @inline(__always)
    func encipher(_ left: inout UInt32, _ right: inout UInt32) {
        let boxes = words + 18
        var l = left ^ words[0]
        var r = right
        var round = 1
        while round < 17 {
            let a = boxes[Int(l &>> 24)] &+ boxes[256 &+ Int((l &>> 16) & 0xFF)]
            r ^= ((a ^ boxes[512 &+ Int((l &>> 8) & 0xFF)]) &+ boxes[768 &+ Int(l & 0xFF)]) ^ words[round]
            let b = boxes[Int(r &>> 24)] &+ boxes[256 &+ Int((r &>> 16) & 0xFF)]
            l ^= ((b ^ boxes[512 &+ Int((r &>> 8) & 0xFF)]) &+ boxes[768 &+ Int(r & 0xFF)]) ^ words[round &+ 1]
            round &+= 2
        }
        left = r ^ words[17]
        right = l
    }
}
