/// The literal names in files of known host keys: what `@known` is.
public enum KnownHostNames {
    /// The names without patterns, hashed names, and names with a port; in the order of the files, each once.
    public static func names(in paths: [String], files: SSHConfigFiles = .system) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for path in paths {
            guard case .bytes(let bytes) = files.read(path, false) else { continue }
            for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
                guard let first = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first, !"#@|".contains(first.prefix(1))
                else {
                    continue
                }
                for name in first.split(separator: ",").map(String.init)
                where !name.contains(where: "*?!|[".contains) && seen.insert(name).inserted {
                    names.append(name)
                }
            }
        }
        return names
    }
}
