import Foundation

/// The sandbox's root directory on the host: a small Debian without `/usr`.
struct SandboxRoot {
    struct NotWritable: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "cannot prepare \(path) of the sandbox: \(reason)" }
    }

    let url: URL

    /// Makes the directories and files for `options`, except sshd_config, which needs the port.
    func populate(_ options: SSHDSandbox.Options, hostKeys: [(TestKeyKind, TestKey)], clientKey: TestKey) throws {
        try makeDirectory("/", mode: 0o755)
        for path in [
            "/etc/ssh", "/etc/pam.d", "/etc/alternatives", "/home", "/run/sshd", "/var/log", "/var/empty", "/opt", "/srv",
        ] {
            try makeDirectory(path, mode: 0o755)
        }
        for path in ["/usr", "/proc", "/dev"] { try makeDirectory(path, mode: 0o755) }
        try makeDirectory("/root", mode: 0o700)
        try makeDirectory("/tmp", mode: 0o1777)
        try makeDirectory("/small", mode: 0o1777)
        for (link, target) in [("bin", "usr/bin"), ("sbin", "usr/sbin"), ("lib", "usr/lib"), ("lib64", "usr/lib64")] {
            try FileManager.default.createSymbolicLink(atPath: host("/" + link), withDestinationPath: target)
        }
        try writeAccounts(options.users)
        try writeServices(options)
        for (kind, key) in hostKeys {
            let path = "/etc/ssh/\(ServerConfiguration.hostKeyFile(kind))"
            try write(SandboxFile(key.privateKey, mode: 0o600), to: path)
            try write(SandboxFile(key.publicKey + "\n"), to: path + ".pub")
        }
        for user in options.users {
            try makeHome(user, authorizedKeys: options.authorizedKeys[user.name] ?? [clientKey.publicKey])
        }
        for (path, file) in options.files { try write(file, to: path) }
    }

    /// The host's path of a path in the sandbox.
    func host(_ path: String) -> String { url.path + path }

    private func writeAccounts(_ users: [SandboxUser]) throws {
        let nologin = "/usr/sbin/nologin"
        let passwd = [
            "root:x:0:0:root:/root:/bin/bash", "sshd:x:100:65534::/run/sshd:\(nologin)",
            "nobody:x:65534:65534:nobody:/nonexistent:\(nologin)",
        ]
        let shadow = ["root:*:19000:0:99999:7:::", "sshd:!:19000::::::", "nobody:*:19000:0:99999:7:::"]
        let group = ["root:x:0:", "tty:x:5:", "shadow:x:42:", "nogroup:x:65534:"]
        try write(lines(passwd + users.map(\.passwdLine)), to: "/etc/passwd")
        try write(lines(shadow + users.map { try $0.shadowLine() }, mode: 0o600), to: "/etc/shadow")
        try write(lines(group + users.map(\.groupLine)), to: "/etc/group")
    }

    private func writeServices(_ options: SSHDSandbox.Options) throws {
        try write(lines(Set(options.users.map(\.shell) + ["/bin/bash", "/bin/sh"]).sorted()), to: "/etc/shells")
        try write(lines(["passwd: files", "group: files", "shadow: files", "hosts: files"]), to: "/etc/nsswitch.conf")
        try write(lines(["127.0.0.1 localhost \(options.hostName)", "::1 localhost"]), to: "/etc/hosts")
        let kinds = ["auth", "account", "password", "session"]
        try write(lines(kinds.map { "\($0) required pam_unix.so" }), to: "/etc/pam.d/sshd")
        try write(lines(kinds.map { "\($0) required pam_deny.so" }), to: "/etc/pam.d/other")
        guard options.rootfs == nil, FileManager.default.fileExists(atPath: "/etc/ld.so.cache") else { return }
        // The loader's cache of the machine's libraries. Without it, libraries outside the default directories are not found.
        try FileManager.default.copyItem(atPath: "/etc/ld.so.cache", toPath: host("/etc/ld.so.cache"))
    }

    private func makeHome(_ user: SandboxUser, authorizedKeys: [String]) throws {
        let home = "/home/\(user.name)"
        try makeDirectory(home, mode: user.homeMode, owner: user)
        try makeDirectory(home + "/.ssh", mode: 0o700, owner: user)
        let file = SandboxFile(authorizedKeys.map { $0 + "\n" }.joined(), mode: user.authorizedKeysMode, owner: user)
        try write(file, to: home + "/.ssh/authorized_keys")
    }

    private func lines(_ lines: [String], mode: UInt32 = 0o644) -> SandboxFile {
        SandboxFile(lines.joined(separator: "\n") + "\n", mode: mode)
    }

    func write(_ file: SandboxFile, to path: String) throws {
        let target = URL(fileURLWithPath: host(path))
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        if file.mode & 0o111 != 0 {
            try ExecutableFile.write(Data(file.contents), to: target.path, mode: Int(file.mode))
        } else {
            try Data(file.contents).write(to: target)
        }
        try own(path, mode: file.mode, owner: file.owner)
    }

    private func makeDirectory(_ path: String, mode: UInt32, owner: SandboxUser? = nil) throws {
        try FileManager.default.createDirectory(atPath: host(path), withIntermediateDirectories: true)
        try own(path, mode: mode, owner: owner)
    }

    private func own(_ path: String, mode: UInt32, owner: SandboxUser?) throws {
        let id = owner?.id ?? 0
        // chmod comes last, because chown clears the set-id bits.
        guard chown(host(path), id, id) == 0, chmod(host(path), mode_t(mode)) == 0 else {
            throw NotWritable(path: path, reason: String(cString: strerror(errno)) + "; the sandbox needs root")
        }
    }
}
