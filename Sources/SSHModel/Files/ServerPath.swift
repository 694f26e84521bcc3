/// Paths at the server: `/` is the separator there, whatever its system.
package enum ServerPath {
    /// PATH_MAX of Linux; no system takes a longer one.
    package static let longest = 4096

    package static func join(_ directory: String, _ name: String) -> String {
        if directory.isEmpty || directory == "." { return name }
        return directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
    }

    /// Without its last component; `.` for a bare name.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component, trailing slashes left out; empty for `/`, `.` and `..`.
    package static func name(of path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? ""
        return name == "." || name == ".." ? "" : name
    }
}
