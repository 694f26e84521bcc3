extension String {
    /// A URL without user information, query and fragment.
    package var withoutCredentials: String {
        let base = prefix { $0 != "?" && $0 != "#" }
        guard let scheme = base.firstRange(of: "://") else { return String(base) }
        let authority = base[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(base) }
        return String(base[..<scheme.upperBound] + base[base.index(after: at)...])
    }
}
