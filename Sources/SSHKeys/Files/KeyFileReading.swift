#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Opens and reads key files. All code that uses the file system is here.
package enum KeyFileReading {
    /// The largest key file, in bytes: OpenSSH's limit too (MAX_KEY_FILE_SIZE).
    static let maximumSize = 1 << 20

    package struct File {
        var bytes: SecretBytes
        /// The defect of the file's mode by OpenSSH's rule, if any.
        var permissionDefect: KeyDefect?
    }

    package static func read(path: String) throws(SSHKeyProblem) -> File {
        let (descriptor, status) = try opened(path)
        defer { close(descriptor) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw SSHKeyProblem(reason: .unreadable, path: path, detail: "It is a directory.", systemError: EISDIR)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SSHKeyProblem(reason: .unreadable, path: path, detail: "It is not a regular file.")
        }
        guard status.st_size > 0 else { throw SSHKeyProblem(reason: .formatInvalid, path: path, detail: "The file is empty.") }
        guard status.st_size <= maximumSize else {
            throw SSHKeyProblem(
                reason: .formatInvalid, path: path,
                detail: "The file has \(status.st_size) bytes; no private key has more than \(maximumSize).")
        }
        let bytes = try content(of: descriptor, size: Int(status.st_size), path: path)
        let mode = UInt32(status.st_mode) & 0o7777
        return File(bytes: bytes, permissionDefect: permissionDefect(mode: mode, owner: status.st_uid, caller: getuid()))
    }

    private static func opened(_ path: String) throws(SSHKeyProblem) -> (Int32, stat) {
        do throws(WholeFile.Failure) {
            return try WholeFile.opened(path)
        } catch {
            guard error.errno == WholeFile.irregular else { throw systemProblem(path, doing: "opened", error.errno) }
            throw SSHKeyProblem(reason: .unreadable, path: path, detail: "It is not a regular file.")
        }
    }

    /// OpenSSH's rule (sshkey_perm_ok): only a file of the caller's own must not be accessible to group and others.
    static func permissionDefect(mode: UInt32, owner: uid_t, caller: uid_t) -> KeyDefect? {
        guard owner == caller, mode & 0o077 != 0 else { return nil }
        let octal = String(mode, radix: 8)
        let padded = String(repeating: "0", count: max(0, 4 - octal.count)) + octal
        return KeyDefect(
            .permissionsTooOpen, "Its mode is \(padded).")
    }

    /// The key in `path.pub`, if that is a readable public key. Anything else is ignored, as OpenSSH does.
    ///
    /// - Parameter orCertificate: whether a certificate is accepted too.
    package static func publicKey(beside path: String, orCertificate: Bool = false) -> SSHPublicKey? {
        publicKey(in: path + ".pub", orCertificate: orCertificate)
    }

    /// The first public key in a file; nil if there is none.
    package static func publicKey(in path: String, orCertificate: Bool) -> SSHPublicKey? {
        guard let file = try? read(path: path) else { return nil }
        return file.bytes.withArray { bytes in
            Armor.lines(of: bytes).lazy
                .filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
                .compactMap { try? SSHPublicKey(line: String(decoding: $0, as: UTF8.self)) }
                .first { orCertificate || !PublicKeyAlgorithm.isCertificate($0.algorithm) }
        }
    }

    private static func content(of descriptor: Int32, size: Int, path: String) throws(SSHKeyProblem) -> SecretBytes {
        try SecretBytes(capacity: size) { (memory) throws(SSHKeyProblem) in
            var count = 0
            while count < size {
                let result = readOnce(descriptor, UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
                if result == 0 { break }
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { throw systemProblem(path, doing: "read", errno) }
                count += result
            }
            return count
        }
    }

    private static func readOnce(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.read(descriptor, memory.baseAddress, memory.count)
        #else
            Glibc.read(descriptor, memory.baseAddress, memory.count)
        #endif
    }

    private static func systemProblem(_ path: String, doing action: String, _ code: Int32) -> SSHKeyProblem {
        let text = String(cString: strerror(code))
        if code == ENOENT || code == ENOTDIR {
            let slash = path.lastIndex(of: "/")
            let hasDirectory = slash.map { $0 == path.startIndex || access(String(path[..<$0]), F_OK) == 0 } ?? true
            let detail = hasDirectory ? "There is no such file (\(text))." : SSHKeyProblem.lacksDirectory
            return SSHKeyProblem(reason: .notFound, path: path, detail: detail, systemError: code)
        }
        return SSHKeyProblem(reason: .unreadable, path: path, detail: "It could not be \(action) (\(text)).", systemError: code)
    }
}

/// The private key files that `ssh` tries by default, in the order of OpenSSH 9.2 (ssh_config(5), IdentityFile), without the
/// unsupported types XMSS and DSA.
///
/// - Parameter home: the user's home directory.
package func defaultIdentityPaths(home: String) -> [String] {
    let directory = home.hasSuffix("/") ? home + ".ssh/" : home + "/.ssh/"
    return ["id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"].map { directory + $0 }
}
