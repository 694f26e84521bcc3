extension HostSources {
    /// The sources that every command provides: `@ssh`, `@ssh:TAG` and `@known`.
    ///
    /// - Parameters:
    ///   - home: The home directory.
    ///   - configuration: Which files of ssh's configuration are read.
    ///   - files: How files are read.
    public static func standardProviders(
        home: String, configuration: SSHConfigSource = .standard, files: SSHConfigFiles = .system
    ) -> [String: Provider] {
        [
            "ssh": { tag in
                let hosts = ConfiguredHosts(configuration, home: home, files: files)
                guard let tag else { return hosts.names }
                let names = hosts.names(tagged: tag)
                guard names.isEmpty else { return names }
                let tags = hosts.tags
                throw HostSetProblem(
                    .unknownGroup, "No host of ssh's configuration has the Tag \(tag).", nearest: Array(tags.prefix(3)))
            },
            "known": { argument in
                if let argument {
                    throw HostSetProblem(.unknownGroup, "@known has no part named \(argument).", remedy: "Write @known alone.")
                }
                let paths = ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"]
                return KnownHostNames.names(in: paths, files: files)
            },
        ]
    }
}

/// The literal names in known_hosts files, for `@known`.
public enum KnownHostNames {
    /// The names in the order of the files, each once. Leaves out patterns, hashed names, and names with a port.
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
