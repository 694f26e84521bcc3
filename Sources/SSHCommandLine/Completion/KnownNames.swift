import BridgeSSH
import SSHRun

/// The names of hosts that are written down on this machine.
enum KnownNames {
    /// Without patterns, hashed names and names with a port, sorted.
    static func all(home: String = LaunchEnvironment.current().home) -> [String] {
        var configured: Set<String> = []
        var seen: Set<String> = []
        read("\(home)/.ssh/config", in: "\(home)/.ssh", &configured, &seen)
        read("/etc/ssh/ssh_config", in: "/etc/ssh", &configured, &seen)
        for path in ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"] {
            for line in lines(of: path) { configured.formUnion(namesOfKey(in: line)) }
        }
        return configured.sorted()
    }

    /// What `Host` lines name, and those of the files that `Include` names.
    private static func read(_ path: String, in directory: String, _ names: inout Set<String>, _ seen: inout Set<String>) {
        guard seen.insert(path).inserted, seen.count < 100 else { return }
        for line in lines(of: path) {
            let words = line.split(whereSeparator: { " \t=\"".contains($0) }).map(String.init)
            switch words.first?.lowercased() {
            case "host": names.formUnion(words.dropFirst().filter { !$0.contains(where: "*?!".contains) })
            case "include":
                for pattern in words.dropFirst() {
                    let path = pattern.hasPrefix("~/") ? directory + "/.." + pattern.dropFirst() : pattern
                    let matches = SSHConfigFiles.system.matching(path.hasPrefix("/") ? path : "\(directory)/\(path)")
                    for match in matches { read(match, in: directory, &names, &seen) }
                }
            default: break
            }
        }
    }

    private static func namesOfKey(in line: Substring) -> [String] {
        guard let first = line.split(separator: " ").first, !"#@|".contains(first.prefix(1)) else { return [] }
        return first.split(separator: ",").map(String.init).filter { !$0.contains(where: "*?!|[".contains) }
    }

    /// Of a file that cannot be read, none.
    private static func lines(of path: String) -> [Substring] {
        guard case .bytes(let bytes) = SSHConfigFiles.system.read(path, false) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
