import Crypto

/// The key derivation of OpenSSH's own private key format: PBKDF2's shape with bcrypt in the place of HMAC
/// (OpenSSH PROTOCOL.key; `bcrypt_pbkdf(3)` of OpenBSD).
enum BcryptPBKDF {
    /// Derives `count` bytes.
    ///
    /// Each round costs about a million Blowfish rounds for every 32 bytes asked for.
    ///
    /// - Parameter isWanted: asked before each round.
    /// - Returns: nil if it was not wanted any more.
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
                // Bytes of one block are spread over the whole key, so that all of it has to be derived.
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

    /// One bcrypt of a fixed text, at a cost of 2^6.
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
        // The words go out little-endian although they came in big-endian: so the original does it.
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
