/// Paths at the server. The separator is always `/`, even on Windows servers.
package enum ServerPath {
    /// PATH_MAX of Linux, in bytes. No system accepts a longer path.
    package static let maximumLength = 4096

    package static func join(_ directory: String, _ name: String) -> String {
        if directory.isEmpty || directory == "." { return name }
        return directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
    }

    /// A path with a drive as Windows' OpenSSH lists it, `/C:/dir`, of one as a person writes it there, `C:\dir` or `C:/dir`; nil
    /// for any other path.
    package static func driveForm(of path: String) -> String? {
        let bytes = Array(path.utf8.prefix(3))
        guard bytes.count >= 2, bytes[1] == UInt8(ascii: ":"), isLetter(bytes[0]) else { return nil }
        guard bytes.count == 2 || bytes[2] == UInt8(ascii: "/") || bytes[2] == UInt8(ascii: "\\") else { return nil }
        let form = "/" + String(decoding: path.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
        return bytes.count == 2 ? form + "/" : form
    }

    /// Whether a path has the form in which Windows' OpenSSH lists one, `/C:/dir`.
    package static func beginsWithDrive(_ path: String) -> Bool {
        let bytes = Array(path.utf8.prefix(3))
        return bytes.count == 3 && bytes[0] == UInt8(ascii: "/") && isLetter(bytes[1]) && bytes[2] == UInt8(ascii: ":")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The path without its last component; `.` for a bare name.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component without trailing slashes; empty for `/`, `.` and `..`.
    package static func name(of path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? ""
        return name == "." || name == ".." ? "" : name
    }
}
