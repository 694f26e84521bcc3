#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Processes and their descendants. A process group of their own would identify them too, but could not use the terminal.
enum ProcessFamily {
    /// - Returns: all descendants of `ancestors`, without these, as far as the system lists them.
    static func descendants(of ancestors: Set<pid_t>) -> Set<pid_t> {
        var family = ancestors
        let parents = parents()
        // A child may have a smaller number than its parent.
        var isGrowing = true
        while isGrowing {
            let children = parents.filter { family.contains($0.value) && !family.contains($0.key) }.keys
            isGrowing = !children.isEmpty
            family.formUnion(children)
        }
        return family.subtracting(ancestors)
    }

    /// The parent of every process; empty where there is no proc(5).
    private static func parents() -> [pid_t: pid_t] {
        guard let stream = opendir("/proc") else { return [:] }
        defer { closedir(stream) }
        var parents: [pid_t: pid_t] = [:]
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let process = pid_t(name), let parent = parent(of: process) { parents[process] = parent }
        }
        return parents
    }

    /// The fourth field of proc_pid_stat(5); the second, in parentheses, may hold anything.
    private static func parent(of process: pid_t) -> pid_t? {
        let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { memory, count in
            count = max(0, read(descriptor, memory.baseAddress, memory.count))
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[bytes.index(after: end)...], as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }
}
