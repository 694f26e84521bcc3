extension SSHDSandbox {
    /// Writes a known_hosts file for this server and returns its path.
    ///
    /// - Parameters:
    ///   - kinds: Which of the server's host keys are known; all by default.
    ///   - keys: Public keys, as type and base64, to write in place of the server's own.
    ///   - marker: `@revoked`, for instance.
    ///   - hashed: Whether ssh-keygen hashes the names.
    ///   - port: The port to know it by: a proxy's, for instance. The sandbox's own by default.
    public func knownHosts(
        kinds: [TestKeyKind]? = nil, keys: [String]? = nil, marker: String? = nil, hashed: Bool = false,
        port: Int? = nil
    ) async throws -> String {
        let own = zip(options.hostKeys, hostKeys).filter { kinds?.contains($0.0) ?? true }.map(\.1.publicKey)
        let prefix = marker.map { $0 + " " } ?? ""
        // Every file is another one, so that a test may have several at a time.
        let name = "known_hosts." + String(UInt64.random(in: 0..<(1 << 40)), radix: 36)
        let lines = (keys ?? own).map { "\(prefix)[\(host)]:\(port ?? self.port) \($0)\n" }
        let path = try directory.write(lines.joined(), to: name)
        if hashed { try await ProcessRun.check("ssh-keygen", ["-q", "-H", "-f", path]) }
        return path
    }

    /// Writes a key pair beside the sandbox and returns the path of the private key.
    public func identityFile(_ key: TestKey) throws -> String {
        try key.write(to: directory, as: "id." + String(UInt64.random(in: 0..<(1 << 40)), radix: 36))
    }
}
