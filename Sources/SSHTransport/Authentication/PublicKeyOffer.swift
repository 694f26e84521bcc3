/// The blob and the signature algorithm with which to offer a key to a server.
package struct PublicKeyOffer: Sendable {
    /// The key as passed to libssh2, which takes the algorithm name of the request from its first string.
    let blob: [UInt8]
    /// The signature algorithm, or nil where libssh2 chooses one and names it in the data to be signed.
    package let algorithm: String?

    /// Every key type but RSA names its algorithm.
    init(_ key: SSHPublicKey) {
        blob = key.blob
        let isRSA = PublicKeyAlgorithm.plain(key.algorithm) == PublicKeyAlgorithm.rsa
        algorithm = isRSA && Library.knowsRSASHA2 ? nil : key.algorithm
    }

    /// An RSA key under the name of a SHA-2 algorithm, for a libssh2 that knows none (before 1.11).
    ///
    /// RFC 8332 keeps `ssh-rsa` in the blob; OpenSSH's server accepts this spelling too.
    init(rsa key: SSHPublicKey, algorithm: String) {
        var blob: [UInt8] = []
        withUnsafeBytes(of: UInt32(algorithm.utf8.count).bigEndian) { blob.append(contentsOf: $0) }
        blob.append(contentsOf: algorithm.utf8)
        blob.append(contentsOf: key.blob.dropFirst(4 + "ssh-rsa".utf8.count))
        self.blob = blob
        self.algorithm = algorithm
    }

    /// The algorithm that the data to be signed names (RFC 4252 section 7).
    static func algorithm(in data: [UInt8]) -> String? {
        var reader = SSHWireReader(data)
        guard (try? reader.string()) != nil, (try? reader.byte()) == 50, (try? reader.string()) != nil,
            (try? reader.string()) != nil, (try? reader.string()) != nil, (try? reader.boolean()) != nil,
            let name = try? reader.string()
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// The algorithm and blob with which to offer a key to a server, best first.
    package static func all(for key: SSHPublicKey, server: String) -> [PublicKeyOffer] {
        guard key.algorithm == "ssh-rsa", !Library.knowsRSASHA2 else { return [PublicKeyOffer(key)] }
        let modern = PublicKeyOffer(rsa: key, algorithm: "rsa-sha2-512")
        // OpenSSH takes the blob under the algorithm's name. Others need not, and may still take a SHA-1 signature, which
        // OpenSSH refuses since 8.8; offering it in vain would count as a failed attempt.
        return server.hasPrefix("OpenSSH_") ? [modern] : [modern, PublicKeyOffer(key)]
    }
}
