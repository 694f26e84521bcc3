#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What ssh's configuration files say of its log. Almost none says anything: then nothing more is done. Where one does, ssh itself
/// is asked what holds for this call (`ssh -G`), for a file may have it for some hosts only.
struct ConfiguredLog {
    private(set) var mentionsLevel = false
    private(set) var mentionsLogVerbose = false
    private(set) var asksAboutHostKeys = false
    private var filesLeft = 64

    /// - Parameter file: the value of `-F`, if it is there.
    init(_ file: String?) {
        let home = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
        let user = home + "/.ssh/"
        switch file {
        case "none"?: break
        case let file?: read(file, relativeTo: user, home: home)
        case nil:
            read(user + "config", relativeTo: user, home: home)
            read("/etc/ssh/ssh_config", relativeTo: "/etc/ssh/", home: home)
        }
    }

    private mutating func read(_ path: String, relativeTo folder: String, home: String) {
        guard filesLeft > 0, let text = Self.content(of: path) else { return }
        filesLeft -= 1
        for line in text.split(separator: "\n") {
            let words = line.split(maxSplits: 8) { " \t=\"\r".contains($0) }
            guard let keyword = words.first?.lowercased() else { continue }
            switch keyword {
            case "loglevel": mentionsLevel = true
            case "logverbose": mentionsLogVerbose = true
            case "updatehostkeys": asksAboutHostKeys = asksAboutHostKeys || words.last?.lowercased() == "ask"
            case "include":
                for pattern in words.dropFirst() {
                    for file in Self.files(String(pattern), relativeTo: folder, home: home) {
                        read(file, relativeTo: folder, home: home)
                    }
                }
            default: break
            }
        }
    }

    /// A file of a reasonable size.
    private static func content(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < 1 << 20 {
            let count = piece.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func files(_ pattern: String, relativeTo folder: String, home: String) -> [String] {
        let path = pattern.hasPrefix("~/") ? home + pattern.dropFirst() : pattern.hasPrefix("/") ? pattern : folder + pattern
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(path, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
