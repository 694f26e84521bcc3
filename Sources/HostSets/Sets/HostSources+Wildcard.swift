extension HostSources {
    /// Whether a wildcard of `*` and `?` matches a whole name.
    public static func wildcard(_ pattern: String, matches name: String) -> Bool { Wildcard(pattern).matches(name) }
}
