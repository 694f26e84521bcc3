#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Follows symbolic links, also to a file that does not exist yet, which realpath(3) cannot.
enum SymbolicLink {
    /// Linux's own limit (path_resolution(7)).
    private static let most = 40

    /// The path behind all links that `path` itself is; links in its directories are left to the system.
    static func target(of path: String) throws(SSHKnownHostsProblem) -> String {
        var current = path
        for _ in 0..<most {
            guard let next = destination(of: current) else { return current }
            current = next.hasPrefix("/") ? next : directory(of: current) + next
        }
        throw SSHKnownHostsProblem(code: .unwritable, path: path, operation: "readlink", errno: ELOOP)
    }

    /// The directory part, with its slash; empty for a bare name.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return String(path[...slash])
    }

    private static func destination(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { $0.withMemoryRebound(to: CChar.self) { link(path, into: $0) } }
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static func link(_ path: String, into buffer: UnsafeMutableBufferPointer<CChar>) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        return readlink(path, start, buffer.count)
    }
}
