/// A known defect of libssh2 that a server, or an attacker on the path, could use against a client.
///
/// Sources: libssh2's repository and security advisories, Debian's package changelogs, and attacks that were run.
package struct LibraryHole: Sendable, Hashable {
    /// The CVE number, or a short description where there is none.
    package let name: String
    /// What happens to a client without a defence against it.
    package let effect: String
    /// This client's defence.
    package let defence: String
    /// The first version with the defect; nil for all.
    let since: Version?
    /// The first version without it; nil where there is none yet.
    let until: Version?
    /// The first update of Debian's package without it, by release: `deb13u2` of `1.11.1-1+deb13u2`.
    var debianUpdates: [String] = []

    /// A version of libssh2.
    struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
        let major: Int
        let minor: Int
        let patch: Int

        init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
            (self.major, self.minor, self.patch) = (major, minor, patch)
        }

        /// Reads `1.11.1`, or `1.11.2_DEV`.
        init?(_ text: String) {
            let numbers = text.split(separator: "_")[0].split(separator: ".").map { Int($0) }
            guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else { return nil }
            self.init(major, minor, patch)
        }

        var description: String { "\(major).\(minor).\(patch)" }

        static func < (one: Version, other: Version) -> Bool {
            (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
        }
    }

    /// Which versions have it, in words: `1.11.0 and later, before 1.11.2`.
    var versions: String {
        switch (since, until) {
        case (nil, nil): "all"
        case (nil, let until?): "before \(until)"
        case (let since?, nil): "\(since) and later"
        case (let since?, let until?): "\(since) and later, before \(until)"
        }
    }

    /// Whether a version has it.
    ///
    /// - Parameter package: the version of Debian's package, if the library comes from one.
    func isOpen(in version: Version, package: String?) -> Bool {
        if let since, version < since { return false }
        if let until, version >= until { return false }
        guard let update = package.flatMap({ $0.split(separator: "+").last }).flatMap({ Self.update(String($0)) }) else {
            return true
        }
        return !debianUpdates.compactMap(Self.update).contains { $0.release == update.release && $0.number <= update.number }
    }

    /// Reads `deb13u2`.
    private static func update(_ text: String) -> (release: String, number: Int)? {
        let parts = text.split(separator: "u")
        guard text.hasPrefix("deb"), parts.count == 2, let number = Int(parts[1]) else { return nil }
        return (String(parts[0]), number)
    }

    /// Those of the loaded libssh2.
    ///
    /// - Parameter package: the version of Debian's package that it comes from, if that is known.
    package static func open(package: String? = nil) -> [LibraryHole] {
        guard let version = Version(Library.version) else { return [] }
        return all.filter { $0.isOpen(in: version, package: package) }
    }

    /// Whether the loaded libssh2 has this one, as far as its version says.
    static func isOpen(_ hole: LibraryHole) -> Bool {
        Version(Library.version).map { hole.isOpen(in: $0, package: nil) } ?? true
    }
}
