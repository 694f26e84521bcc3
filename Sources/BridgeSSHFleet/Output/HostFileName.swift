import Crypto

/// The name of a host's files. Different hosts have different names, and none leads out of the directory.
package enum HostFileName {
    /// File systems take 255 bytes; the suffix needs some.
    private static let longest = 200

    /// The host's name, with `%2F` for what a file's name cannot or should not have.
    package static func of(_ host: String) -> String {
        var name = ""
        for (index, byte) in host.utf8.enumerated() {
            let isPlain =
                byte > 0x20 && byte < 0x7F && !"/%\\\"'*?<>|".utf8.contains(byte) && !(index == 0 && "-.".utf8.contains(byte))
            name += isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal.uppercased()
        }
        guard name.utf8.count > longest else { return name.isEmpty ? "%" : name }
        let digest = Array(SHA256.hash(data: Array(host.utf8)).prefix(16)).hexadecimal
        return String(decoding: name.utf8.prefix(longest - 34), as: UTF8.self) + "%%" + digest
    }
}
