/// The decrypted part of an OpenSSH key file, after its two check numbers.
enum OpenSSHPrivateSection {
    /// Reads the first key; if it is the only one, what follows must be the padding 1, 2, 3, ….
    static func firstKey(from start: SSHWireReader, isOnly: Bool) throws(KeyDefect) -> SSHPrivateKey {
        var reader = start
        do {
            let key = try privateKey(&reader)
            let comment = String(decoding: try reader.string(), as: UTF8.self)
            if isOnly {
                for (index, byte) in reader.remaining.enumerated() where byte != UInt8(truncatingIfNeeded: index + 1) {
                    throw KeyDefect(.formatInvalid, "The padding after the private key is damaged.")
                }
            }
            return key.commented(comment)
        } catch let error as KeyDefect {
            throw error
        } catch {
            throw KeyDefect(.formatInvalid, "The private section is damaged: a value in it is cut off.")
        }
    }

    private static func privateKey(_ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        let algorithm = try reader.text()
        switch algorithm {
        case PublicKeyAlgorithm.ed25519: return try ed25519(&reader)
        case PublicKeyAlgorithm.rsa: return try rsa(&reader)
        default:
            guard let curve = EllipticCurve(algorithm: algorithm) else { throw KeyDefect.typeUnsupported(algorithm) }
            return try ecdsa(curve, &reader)
        }
    }

    private static func ed25519(_ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        let publicHalf = try reader.string()
        let both = try reader.string()
        guard both.count == 64, both.suffix(32).elementsEqual(publicHalf) else {
            throw KeyDefect(.formatInvalid, "The two halves of the Ed25519 key do not belong together: the file is damaged.")
        }
        return try SSHPrivateKey.ed25519(seed: both.prefix(32))
    }

    private static func ecdsa(_ curve: EllipticCurve, _ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        guard try reader.string().elementsEqual(curve.rawValue.utf8) else {
            throw KeyDefect(.formatInvalid, "The key's curve is not the one of its algorithm: the file is damaged.")
        }
        _ = try reader.string()  // the point; the caller compares the public key, which has it too
        return try SSHPrivateKey.ecdsa(curve, scalar: try reader.mpint())
    }

    private static func rsa(_ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        let modulus = try reader.mpint()
        let exponent = try reader.mpint()
        let privateExponent = try reader.mpint()
        let coefficient = try reader.mpint()
        let prime1 = try reader.mpint()
        let prime2 = try reader.mpint()
        return try SSHPrivateKey.rsa(
            RSANumbers(
                modulus: modulus, exponent: exponent, privateExponent: privateExponent, prime1: prime1, prime2: prime2,
                coefficient: coefficient))
    }
}

extension KeyDefect {
    /// A key type that cannot sign here, named by its algorithm.
    static func typeUnsupported(_ algorithm: String) -> KeyDefect {
        if PublicKeyAlgorithm.isSecurityKey(algorithm) {
            return KeyDefect(
                .typeUnsupported,
                "It is a handle for a FIDO security key (\(algorithm)), which is used through an agent only, by libssh2 1.11 "
                    + "and later. Load it there: `ssh-add {file}`. Or give `--via ssh`: OpenSSH's ssh uses it as it is.")
        }
        if algorithm == PublicKeyAlgorithm.dsa {
            return KeyDefect(
                .typeUnsupported, "It is a DSA key, which servers no longer accept; make one with `ssh-keygen -t ed25519`.")
        }
        return KeyDefect(
            .typeUnsupported, "Keys of the kind \(printable(algorithm)) are not supported; use Ed25519, ECDSA or RSA.")
    }
}
