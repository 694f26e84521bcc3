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

/// The text of sshd_config.
///
/// The first value of a keyword wins, and `Match` blocks reach to the end of the file (sshd_config(5)).
struct ServerConfiguration {
    let options: SSHDSandbox.Options
    let port: Int

    var text: String {
        let (own, ownMatches) = split(options.configuration)
        return (own + defaults + ownMatches + matches).joined(separator: "\n") + "\n"
    }

    private var defaults: [String] {
        var lines = [
            "Port \(port)", "ListenAddress \(options.listenAddress)", "PidFile none", "LogLevel DEBUG1", "StrictModes yes",
            "UsePAM \(options.usePAM ? "yes" : "no")", "PasswordAuthentication yes", "UseDNS no", "PrintMotd no",
            "PrintLastLog no",
            // The tests open many connections and channels at once. Tests of these limits lower them again.
            "MaxSessions 500",
        ]
        // A second subsystem of the same name is an error, and some tests want none.
        if !options.configuration.contains("Subsystem") { lines.append("Subsystem sftp internal-sftp") }
        // For this keyword only, sshd 9.2 takes the last value.
        if !options.configuration.contains("MaxStartups") { lines.append("MaxStartups 500:30:1000") }
        // From 9.8 on, which introduced this program, sshd blocks an address for some time after a few failures.
        if FileManager.default.fileExists(atPath: options.usr + "/lib/openssh/sshd-session") {
            lines.append("PerSourcePenalties no")
        }
        lines += options.hostKeys.map { "HostKey /etc/ssh/\(Self.hostKeyFile($0))" }
        if !options.acceptedEnvironment.isEmpty {
            lines.append("AcceptEnv \(options.acceptedEnvironment.joined(separator: " "))")
        }
        if let limit = options.rekeyLimit { lines.append("RekeyLimit \(limit)") }
        return lines
    }

    private var matches: [String] {
        guard options.users.contains(.sftponly) else { return [] }
        return ["Match User \(SandboxUser.sftponly.name)", "ForceCommand internal-sftp"]
    }

    private func split(_ text: String) -> (plain: [String], matches: [String]) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }.map(String.init)
        let firstMatch = lines.firstIndex { $0.lowercased().hasPrefix("match ") } ?? lines.endIndex
        return (Array(lines[..<firstMatch]), Array(lines[firstMatch...]))
    }

    static func hostKeyFile(_ kind: TestKeyKind) -> String { "ssh_host_\(kind.rawValue)_key" }
}

/// Which program serves SSH in a sandbox.
public enum ServerKind: String, Sendable, Hashable, CaseIterable {
    /// OpenSSH's sshd.
    case openSSH = "openssh"
    /// Dropbear. It supports the options for users, keys, addresses and host keys, but no configuration.
    case dropbear

    /// The name of the process that listens.
    var processName: String { self == .openSSH ? "sshd" : "dropbear" }

    /// The log text that shows that the server accepts connections.
    var readySign: String { self == .openSSH ? "Server listening on" : "Not backgrounding" }

    /// The limit of unauthenticated connections. The server closes further connections at once.
    ///
    /// Dropbear accepts at most five of them from one address (its default_options.h).
    public var unauthenticatedLimit: Int { self == .openSSH ? 500 : 30 }

    /// The command line that starts it in the foreground, inside the sandbox.
    func command(_ options: SSHDSandbox.Options, port: Int) -> [String] {
        switch self {
        case .openSSH: return [options.sshd, "-D", "-e", "-f", "/etc/ssh/sshd_config"]
        case .dropbear:
            // Dropbear reads keys in its own format only.
            let names = options.hostKeys.map(ServerConfiguration.hostKeyFile)
            let convert = names.map { "dropbearconvert openssh dropbear /etc/ssh/\($0) /run/\($0) >&2 && " }.joined()
            let address = options.listenAddress.contains(":") ? "[\(options.listenAddress)]" : options.listenAddress
            let keys = names.map { " -r /run/\($0)" }.joined()
            return ["/bin/sh", "-c", "\(convert)exec dropbear -F -E -p \(address):\(port)\(keys)"]
        }
    }
}

/// The default server and release for the sandboxes of this test run, from the environment.
enum SandboxDefaults {
    private static let values = ProcessInfo.processInfo.environment

    /// SSH_SANDBOX_ROOT: a directory whose `usr` is used instead of the machine's.
    static let rootfs = values["SSH_SANDBOX_ROOT"].flatMap { $0.isEmpty ? nil : $0 }

    /// SSH_SANDBOX_SERVER: `openssh`, which is the default, or `dropbear`.
    static let server = values["SSH_SANDBOX_SERVER"].flatMap(ServerKind.init(rawValue:)) ?? .openSSH
}
