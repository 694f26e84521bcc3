import BridgeSSH
import CProcessGuard
import SSHRun

/// The OpenSSH ssh that a stand-in runs.
struct RealSSH {
    let path: String

    /// Finds the program of `BRIDGE_SSH_OPENSSH`, or the first `ssh` in PATH that is not this program. Compares files, not
    /// names.
    ///
    /// - Parameter skipsScripts: whether to ignore scripts, because a script has started this process.
    static func find(skipsScripts: Bool = false) -> RealSSH? {
        var name = LaunchEnvironment.variable("BRIDGE_SSH_OPENSSH") ?? "ssh"
        if name.contains("/") {
            if !skipsScripts || script(name) == nil {
                // A script may also name a file of bridge-ssh's without running it.
                return isOurs(name, inScript: "bridge-ssh ssh") ? nil : RealSSH(path: name)
            }
            name = "ssh"
        }
        let places = LaunchEnvironment.variable("PATH") ?? "/usr/bin:/bin"
        for place in places.split(separator: ":", omittingEmptySubsequences: false) {
            let path = (place.isEmpty ? "." : String(place)) + "/" + name
            guard access(path, X_OK) == 0, isProgram(path), !isOurs(path) else { continue }
            if !skipsScripts || script(path) == nil { return RealSSH(path: path) }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a program is bridge-ssh, another build of it, or a script that runs one: each would search for ssh again,
    /// forever.
    private static func isOurs(_ path: String, inScript words: String = "bridge-ssh") -> Bool {
        if let own, isSame(own, path) { return true }
        if let script = script(path) {
            return script.mentions(words)
                || CommandLine.arguments.first.map { $0.contains("/") && script.mentions($0) } == true
        }
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        return String(cString: resolved).split(separator: "/").last == "bridge-ssh"
    }

    /// The beginning of a script.
    private static func script(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = bytes.withUnsafeMutableBytes { readBytes(file, $0.baseAddress, $0.count) }
        guard count > 2, bytes[0] == UInt8(ascii: "#"), bytes[1] == UInt8(ascii: "!") else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// This program's file.
    static var own: String? {
        #if canImport(Darwin)
            var size: UInt32 = 4096
            var path = [CChar](repeating: 0, count: Int(size))
            return _NSGetExecutablePath(&path, &size) == 0 ? String(cString: path) : nil
        #else
            return "/proc/self/exe"
        #endif
    }

    /// The name under which to start ssh. ssh uses it to start another ssh for a jump host (ssh.c: main). It is this process's
    /// name if that is ssh, and else the name in the installation.
    static func name(calledAs name: String) -> String {
        if name.split(separator: "/").last == "ssh" { return name }
        #if canImport(Darwin)
            return "ssh"
        #else
            guard let resolved = realpath("/proc/self/exe", nil) else { return "ssh" }
            defer { free(resolved) }
            var link = ""
            for part in String(cString: resolved).split(separator: "/").dropLast(2) { link += "/\(part)" }
            link += "/libexec/bridge-ssh/ssh"
            return isSame("/proc/self/exe", link) ? link : "ssh"
        #endif
    }

    /// Whether ssh knows LogVerbose, which 8.5 introduced. Searches the executable for the keyword, which takes a tenth of the
    /// time of running `ssh -V`. A script that runs ssh does not contain it, and does not get the option.
    func knowsLogVerbose() -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size > 0, status.st_size < 64 << 20,
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file, 0), Int(bitPattern: start) != -1
        else { return false }
        defer { munmap(start, Int(status.st_size)) }
        let content = UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self), count: Int(status.st_size))
        // Without the zero before it: every other byte of a program is one.
        let keyword = Array("logverbose\0".utf8)
        return keyword.withUnsafeBufferPointer { content.firstOffset(of: $0) } != nil
    }

    /// The LogLevel for these arguments, from ssh's configuration files too.
    func configuredLevel(_ arguments: [String]) -> SSHLogLevel? {
        guard let text = ask(["-G"] + arguments) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("loglevel ") }
        return line.flatMap { SSHLogLevel(name: String($0.dropFirst("loglevel ".count))) }
    }

    /// The output of both streams together; nil if ssh cannot be started.
    func ask(_ arguments: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard bridge_open_pipe(&ends) == 0 else { return nil }
        var program = LocalProgram(path, arguments)
        program.output = ends[1]
        program.errors = ends[1]
        let process = try? program.start()
        close(ends[1])
        guard let process else {
            close(ends[0])
            return nil
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < 1 << 20 {
            let count = piece.withUnsafeMutableBytes { readBytes(ends[0], $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        // A program that has not said all would else wait for a reader, and this process for it.
        close(ends[0])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Refines the verdict "changed host key" of ssh with the entries in known_hosts.
///
/// ssh reports a changed key if no key of any type matches (hostfile.c: check_hostkeys_by_key_or_type), and names the last line
/// for the host. Only the files show which types are known, so they are read after such a failure.
enum ChangedHostKeyCheck {
    static func refined(_ trace: SSHTrace, _ text: String, _ ssh: RealSSH, _ words: [String]) -> SSHError? {
        guard trace.error?.code == .hostKeyChanged || trace.error?.code == .hostKeyOtherTypeKnown, let shown = shown(text),
            !knowsType(text), let settings = ssh.ask(["-G"] + words)
        else { return trace.error }
        let values = Dictionary(
            settings.split(separator: "\n").compactMap { line -> (String, String)? in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return parts.first.map { ($0, parts.count > 1 ? parts[1] : "") }
            }, uniquingKeysWith: { one, _ in one })
        let home = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
        let files = ["userknownhostsfile", "globalknownhostsfile"].flatMap {
            (values[$0] ?? "").split(separator: " ").map { HomePath.expand(String($0), home: home) }
        }
        let host = values["hostkeyalias"].flatMap { $0 == "none" ? nil : $0 } ?? values["hostname"] ?? ""
        let known = try? SSHKnownHostsFiles(user: [], system: files, areExplicit: false).load(policy: .strict)
        let entries = known?.lines(for: host, port: values["port"].flatMap { Int($0) } ?? 22) ?? []
        let lines = entries.filter { $0.marker == .trusted }
        if let line = lines.first(where: { $0.key.algorithm == shown.type }) {
            return trace.changed(to: shown.fingerprint, known: "\(line.location)")
        }
        let types = Set(lines.map(\.key.algorithm)).sorted()
        return types.isEmpty ? trace.error : trace.otherTypeKnown(types, shown: shown.type)
    }

    /// Whether the line that ssh names has a key of the presented type: `Offending ED25519 key in …`. One name covers all curves
    /// of ECDSA.
    private static func knowsType(_ text: String) -> Bool {
        ["ED25519", "RSA"].contains { text.mentions("Offending \($0) key in ") && text.mentions("for the \($0) key sent by ") }
    }

    /// `debug1: Server host key: ssh-ed25519 SHA256:…` (sshconnect2.c: verify_host_key_callback); the last is the
    /// destination's.
    static func shown(_ text: String) -> (type: String, fingerprint: String)? {
        let lead = "debug1: Server host key: "
        guard let line = text.split(whereSeparator: \.isNewline).last(where: { $0.hasPrefix(lead) }) else { return nil }
        let words = line.dropFirst(lead.count).split(separator: " ").map(String.init)
        return words.count == 2 ? (words[0], words[1]) : nil
    }
}
