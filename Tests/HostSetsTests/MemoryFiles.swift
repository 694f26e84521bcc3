import HostSets

/// Files that are in memory only.
struct MemoryFiles: HostFiles {
    var files: [String: String] = [:]
    var executables: Set<String> = []

    func kind(of path: String) -> HostFileKind {
        if files[path] != nil { return .file(isExecutable: executables.contains(path)) }
        return files.keys.contains { $0.hasPrefix(path + "/") } ? .directory : .missing
    }

    func read(_ path: String) throws -> [UInt8] {
        guard let text = files[path] else {
            throw HostSetProblem(.unreadable, "The file cannot be read: no such file.", location: .init(file: path))
        }
        return Array(text.utf8)
    }

    func names(in directory: String) throws -> [String] {
        Array(
            Set(
                files.keys.filter { $0.hasPrefix(directory + "/") }.compactMap {
                    $0.dropFirst(directory.count + 1).split(separator: "/").first.map(String.init)
                }))
    }
}
