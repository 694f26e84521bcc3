import BridgeSSH
import CProcessGuard
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The ssh that does the work.
struct RealSSH {
    let path: String

    /// The program of `BRIDGE_SSH_OPENSSH`, or the first `ssh` in PATH that is not this program, by file and not by name.
    ///
    /// - Parameter skipsScripts: whether a script is none; one led here.
    static func find(skipsScripts: Bool = false) -> RealSSH? {
        let named = LaunchEnvironment.variable("BRIDGE_SSH_OPENSSH")
        if let named, named.contains("/") { return RealSSH(path: named) }
        let places = LaunchEnvironment.variable("PATH") ?? "/usr/bin:/bin"
        for place in places.split(separator: ":", omittingEmptySubsequences: false) {
            let path = (place.isEmpty ? "." : String(place)) + "/" + (named ?? "ssh")
            guard access(path, X_OK) == 0, isProgram(path), !isOurs(path) else { continue }
            if !skipsScripts || script(path) == nil { return RealSSH(path: path) }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// This program, another build of it, and a script that runs one of them: each would look for ssh in turn, for ever.
    private static func isOurs(_ path: String) -> Bool {
        if let own, isSame(own, path) { return true }
        if let script = script(path) {
            return script.mentions("bridge-ssh")
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

    /// The name under which ssh is started, by which it starts another ssh for a jump host (ssh.c: main): ours where we have the
    /// name ssh, and else the one that the installation has for this.
    static func name(calledAs name: String) -> String {
        if name.split(separator: "/").last == "ssh" { return name }
        #if canImport(Darwin)
            return "ssh"
        #else
            guard let resolved = realpath("/proc/self/exe", nil) else { return "ssh" }
            defer { free(resolved) }
            let folder = String(cString: resolved).split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
            let link = folder + "/libexec/bridge-ssh/ssh"
            return isSame("/proc/self/exe", link) ? link : "ssh"
        #endif
    }

    /// Whether it knows LogVerbose, which came with 8.5: its file has the keyword. Looking there costs a tenth of asking for its
    /// version; a script that runs ssh does not have it, and goes without.
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
        let keyword = Array("\0logverbose\0".utf8)
        return keyword.withUnsafeBufferPointer { content.firstOffset(of: $0) } != nil
    }

    /// The LogLevel that holds for these arguments, its configuration files included.
    func configuredLevel(_ arguments: [String]) -> SSHLogLevel? {
        guard let text = ask(["-G"] + arguments) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("loglevel ") }
        return line.flatMap { SSHLogLevel(name: String($0.dropFirst("loglevel ".count))) }
    }

    /// Both its streams together; nil where it cannot be started.
    func ask(_ arguments: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard bridge_open_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var program = LocalProgram(path, arguments)
        program.output = ends[1]
        program.errors = ends[1]
        let process = try? program.start()
        close(ends[1])
        guard let process else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < 1 << 20 {
            let count = piece.withUnsafeMutableBytes { readBytes(ends[0], $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self)
    }
}
