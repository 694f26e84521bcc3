import BridgeSSH

/// Keys of the right form, for tests that never verify a signature.
enum TestKeys {
    static func ed25519(_ seed: UInt8) -> SSHHostKey {
        SSHHostKey(algorithm: "ssh-ed25519", blob: string("ssh-ed25519") + field([UInt8](repeating: seed, count: 32)))
    }

    static func rsa(_ seed: UInt8) -> SSHHostKey {
        let modulus = [0] + [UInt8](repeating: 0x80 | seed, count: 256)
        return SSHHostKey(algorithm: "ssh-rsa", blob: string("ssh-rsa") + field([1, 0, 1]) + field(modulus))
    }

    static func ecdsa(_ seed: UInt8) -> SSHHostKey {
        let point = [4] + [UInt8](repeating: seed, count: 64)
        let type = "ecdsa-sha2-nistp256"
        return SSHHostKey(algorithm: type, blob: string(type) + string("nistp256") + field(point))
    }

    static func string(_ text: String) -> [UInt8] { field(Array(text.utf8)) }

    static func field(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
    }
}

extension SSHHostKey {
    /// The type and base64 of a known_hosts line.
    var line: String { "\(algorithm) \(Base64.encode(blob))" }
}

extension SSHKnownHosts {
    init(_ contents: String, file: String = "kh") {
        self.init()
        add(contents: Array(contents.utf8), file: file)
    }
}
