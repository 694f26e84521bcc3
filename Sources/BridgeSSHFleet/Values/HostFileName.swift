import Crypto

/// Makes the name of a host's files. Different hosts get different names, and no name leads out of the directory.
package enum HostFileName {
    /// File systems allow 255 bytes; the suffix needs some of them.
    private static let maximumLength = 200

    /// The host's name, with characters that a file name should not contain escaped as `%2F`.
    package static func of(_ host: String) -> String {
        var name = ""
        for (index, byte) in host.utf8.enumerated() {
            let isPlain =
                byte > 0x20 && byte < 0x7F && !"/%\\\"'*?<>|".utf8.contains(byte) && !(index == 0 && "-.".utf8.contains(byte))
            name += isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal.uppercased()
        }
        guard name.utf8.count > maximumLength else { return name.isEmpty ? "%" : name }
        let digest = Array(SHA256.hash(data: Array(host.utf8)).prefix(16)).hexadecimal
        return String(decoding: name.utf8.prefix(maximumLength - 34), as: UTF8.self) + "%%" + digest
    }
}
