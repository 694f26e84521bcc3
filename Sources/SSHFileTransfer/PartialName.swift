internal import Crypto

/// The name that a copy has until it is complete, in the directory where it is going to be.
enum PartialName {
    static let suffix = ".bridge-partial"
    /// NAME_MAX of nearly every file system.
    private static let longest = 255

    /// That of a copy of a source with these attributes.
    static func of(_ name: String, _ source: SFTPAttributes, _ options: SFTPCopyOptions) -> String {
        guard options.resumes else { return unique(for: name) }
        return resumable(
            for: name, size: source.size ?? 0, modification: source.times?.modification ?? 0, window: options.window)
    }

    /// One that no other copy uses.
    static func unique(for name: String) -> String {
        make(name, mark: String(UInt64.random(in: 0...UInt64.max), radix: 36))
    }

    /// One that a later copy of the same source finds again: a source of another size or time has another, and so has a copy with
    /// another window, for which the positions of the holes would be unknown.
    static func resumable(for name: String, size: UInt64, modification: UInt32, window: Int) -> String {
        make(
            name, mark: [size, UInt64(modification), UInt64(max(0, window))].map { String($0, radix: 36) }.joined(separator: "-"))
    }

    private static func make(_ name: String, mark: String) -> String {
        let whole = ".\(name).\(mark)\(suffix)"
        guard PathText.count(whole) > longest else { return whole }
        let digest = SHA256.hash(data: Array(name.utf8)).prefix(12).map { String($0, radix: 36) }.joined(separator: "-")
        return ".\(digest).\(mark)\(suffix)"
    }

    /// Where a resumed copy continues. Parts are written in any order, and those that were missing when the copy was interrupted
    /// reach at most one window, or one part if that is more, back from the end: below that everything is there.
    static func resumption(found: UInt64, size: UInt64, window: Int, part: Int) -> UInt64 {
        let reach = UInt64(max(0, window, part))
        return found <= size && found > reach ? found - reach : 0
    }
}
