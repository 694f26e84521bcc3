internal import Crypto

/// The name that a copy has until it is complete, in the directory where it is going to be.
enum PartialName {
    static let suffix = ".bridge-partial"
    /// NAME_MAX of nearly every file system.
    private static let longest = 255

    /// One that no other copy uses.
    static func unique(for name: String) -> String {
        make(name, mark: String(UInt64.random(in: 0...UInt64.max), radix: 36))
    }

    /// One that a later copy of the same source finds again: a source of another size or time has another.
    static func resumable(for name: String, size: UInt64, modification: UInt32) -> String {
        make(name, mark: String(size, radix: 36) + "-" + String(modification, radix: 36))
    }

    private static func make(_ name: String, mark: String) -> String {
        let whole = ".\(name).\(mark)\(suffix)"
        guard whole.utf8.count > longest else { return whole }
        let digest = SHA256.hash(data: Array(name.utf8)).prefix(12).map { String($0, radix: 36) }.joined(separator: "-")
        return ".\(digest).\(mark)\(suffix)"
    }

    /// Where a resumed copy goes on. Parts are written in any order, and those under way when it broke off reach at most one
    /// window back from the end: below that everything is there.
    static func resumption(found: UInt64, size: UInt64, window: Int) -> UInt64 {
        guard found <= size else { return 0 }
        return found > UInt64(window) ? found - UInt64(window) : 0
    }
}
