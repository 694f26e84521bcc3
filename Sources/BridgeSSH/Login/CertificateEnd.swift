extension SSHCredentials {
    /// When the first of the certificates ends that would be offered, in seconds since 1970: those that are named, or else
    /// those that lie beside the identities. Nil where there is none, or none that ends. Reads their files.
    package var certificateEnd: UInt64? {
        let paths = certificates.isEmpty ? identities.map { $0.path + "-cert.pub" } : certificates
        return paths.compactMap { path -> UInt64? in
            guard let key = KeyFileReading.publicKey(in: path, orCertificate: true) else { return nil }
            return Certificate(key)?.end
        }.min()
    }
}
