/// The most work that a key file may demand for its decryption: each about 10 s on a current processor.
///
/// `ssh-keygen` writes 16 or 24 rounds of bcrypt and 2,048 of PBKDF2, `openssl pkcs8 -scrypt` asks for 16 MiB.
enum DerivationLimit {
    static let bcryptRounds = 1024
    static let pbkdf2Rounds = 10_000_000
    /// Bytes; what OpenSSL takes by default as well.
    static let scryptMemory = 32 << 20

    /// - Parameters:
    ///   - cost: what the file asks for.
    ///   - limit: the most that is done.
    static func exceeded(_ cost: String, _ limit: String) -> KeyDefect {
        KeyDefect(.cipherUnsupported, "To derive its cipher's key it asks for \(cost); the limit is \(limit).")
    }
}
