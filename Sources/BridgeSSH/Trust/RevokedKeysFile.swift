/// A list of revoked host keys: public keys, one a line (RevokedHostKeys of ssh_config(5)).
enum RevokedKeysFile {
    /// How a key revocation list of ssh-keygen(1) begins (OpenSSH's PROTOCOL.krl).
    private static let listMagic = Array("SSHKRL\n\0".utf8)

    /// Reads the file. Lines that are no public key are passed over, as OpenSSH does (sshkey_in_file).
    ///
    /// - Throws: ``KnownHostsProblem`` if it cannot be read, or is a binary key revocation list.
    static func read(path: String) throws(KnownHostsProblem) -> [(key: HostKey, location: KnownHostsLocation)] {
        let contents = try KnownHostsIO.read(path: path)
        guard !contents.starts(with: listMagic) else {
            throw KnownHostsProblem(code: .binaryRevocationList, path: path, operation: "read", errno: 0)
        }
        var keys: [(key: HostKey, location: KnownHostsLocation)] = []
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.first != UInt8(ascii: "#") {
            guard let key = try? SSHPublicKey(line: String(decoding: line, as: UTF8.self)) else { continue }
            keys.append((HostKey(key), KnownHostsLocation(file: path, line: index + 1)))
        }
        return keys
    }
}
