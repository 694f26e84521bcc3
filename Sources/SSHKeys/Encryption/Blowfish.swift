/// The Blowfish state of bcrypt ("eksblowfish"; Provos and Mazières, 1999), as OpenSSH's bcrypt_pbkdf uses it:
/// keys and salts are SHA-512 digests, so always 16 words.
struct Blowfish: ~Copyable {
    static let subkeyCount = 18
    static let wordCount = 18 + 4 * 256

    // Subkeys and boxes in one block. Raw memory because this loop is all of the cost of opening a key file:
    // arrays would check bounds a hundred million times, and in debug builds call a function for each.
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

    /// Back to the digits of π.
    func reset() {
        BlowfishTables.words.withUnsafeBufferPointer { table in
            for index in 0..<Self.wordCount { words[index] = table[index] }
        }
    }

    /// Mixes a key into the subkeys, then replaces the whole state by what it encrypts, salted where `salt` is given.
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
