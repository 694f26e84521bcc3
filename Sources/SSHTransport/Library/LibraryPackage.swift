internal import CLibSSH2
internal import CPayloadTap

/// Debian's package of the loaded libssh2: its version shows which defects the distribution has fixed.
enum LibraryPackage {
    /// Such as `1.11.1-1+deb13u2`; nil where the library comes from elsewhere, or that is not known. It reads a file of a few MiB.
    static func version() -> String? {
        guard let path = bridge_file_of(bridge_library_address()).map({ String(cString: $0) }),
            path.hasPrefix("/usr/lib/") || path.hasPrefix("/lib/"),
            let list = try? WholeFile.read("/var/lib/dpkg/status")
        else { return nil }
        return version(in: String(decoding: list, as: UTF8.self))
    }

    /// The same, from dpkg's list of packages (dpkg-query(1)).
    static func version(in list: String) -> String? {
        for name in ["libssh2-1t64", "libssh2-1"] {
            guard let start = list.firstPlace(of: "\nPackage: \(name)\n") else { continue }
            let fields = list[start.upperBound...]
            var version: Substring?
            var isInstalled = false
            for line in fields.split(separator: "\n", maxSplits: 40, omittingEmptySubsequences: false) {
                if line.isEmpty { break }
                if line.hasPrefix("Version: ") { version = line.dropFirst("Version: ".count) }
                if line == "Status: install ok installed" { isInstalled = true }
            }
            if isInstalled, let version { return String(version) }
        }
        return nil
    }
}

extension Library {
    /// The loaded libssh2 and its known defects.
    package static func report() -> (version: String, package: String?, holes: [LibraryHole]) {
        let package = LibraryPackage.version()
        return (version, package, LibraryHole.open(package: package))
    }
}
