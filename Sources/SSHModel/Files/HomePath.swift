/// Expands `~/` at the start of a path that no shell has expanded, as in `--identity=~/.ssh/id`.
package enum HomePath {
    package static func expand(_ path: String, home: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        return (home.hasSuffix("/") ? String(home.dropLast()) : home) + path.dropFirst()
    }
}
