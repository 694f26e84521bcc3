import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Passwords as `/etc/shadow` keeps them: SHA-512 crypt, see crypt(5).
enum PasswordHash {
    struct Unavailable: Error {}

    /// One lock for `crypt`, whose result is in static memory; and a cache, since the same users return in every sandbox.
    private static let cache = Mutex<[String: String]>([:])

    static func make(_ password: String) throws -> String {
        try cache.withLock { cache in
            if let known = cache[password] { return known }
            let alphabet = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
            let salt = String((0..<16).compactMap { _ in alphabet.randomElement() })
            // 1,000 rounds, the least that there can be: nothing here needs to withstand guessing.
            guard let hash = crypt(password, "$6$rounds=1000$\(salt)$") else { throw Unavailable() }
            let text = String(cString: hash)
            // libcrypt answers `*0` or `*1` for a method that it does not have.
            guard text.hasPrefix("$6$") else { throw Unavailable() }
            cache[password] = text
            return text
        }
    }
}
