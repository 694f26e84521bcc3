/// A list of revoked host keys: public keys, one a line (RevokedHostKeys of ssh_config(5)).
enum RevokedKeysFile {
    /// How a key revocation list of ssh-keygen(1) begins (OpenSSH's PROTOCOL.krl).
    private static let listMagic = Array("SSHKRL\n\0".utf8)

    /// Reads the file. A line that is not a public key spoils it, as for ssh(1) (authfile.c: sshkey_in_file): the key that was
    /// meant to be revoked may stand there.
    ///
    /// - Throws: ``SSHKnownHostsProblem`` if it cannot be read, has such a line, or is a binary key revocation list.
    static func read(path: String) throws(SSHKnownHostsProblem) -> [(key: SSHHostKey, location: SSHKnownHostsLocation)] {
        let contents = try KnownHostsIO.read(path: path)
        guard !contents.starts(with: listMagic) else {
            throw SSHKnownHostsProblem(code: .revocationListUnusable, path: path, operation: "read", errno: 0)
        }
        var keys: [(key: SSHHostKey, location: SSHKnownHostsLocation)] = []
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "\r") else { continue }
            // Options before the key are for authorized_keys alone.
            guard let key = try? SSHPublicKey(line: String(decoding: text, as: UTF8.self)), text.starts(with: key.algorithm.utf8)
            else {
                throw SSHKnownHostsProblem(
                    code: .revocationListUnusable, path: path, operation: "read", errno: 0, line: index + 1)
            }
            keys.append((SSHHostKey(key), SSHKnownHostsLocation(file: path, line: index + 1)))
        }
        return keys
    }
}
