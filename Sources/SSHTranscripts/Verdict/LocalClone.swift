import ErrorCore

/// A `git clone` that failed here, because its ssh did.
struct LocalClone: Sendable {
    /// Where git was cloning to; empty where it did something else.
    let directory: String
    private let reason: String

    init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        let cloning = lines.first { $0.hasPrefix("Cloning into '") } ?? ""
        directory = String(cloning.dropFirst("Cloning into '".count).prefix { $0 != "'" })
        reason = String(lines.first { $0.hasPrefix("fatal: ") }?.dropFirst("fatal: ".count) ?? "ssh failed")
    }

    /// The failure as git sees it; nil where it was cloning nothing.
    var cause: SSHRemoteCause? {
        if directory.isEmpty { return nil }
        return SSHRemoteCause(
            "clone-failed", .projectCloneFailed(url: "", reason: reason.oneLine()),
            "git could not clone into \(directory.oneLine(120)): \(reason.oneLine())", .likely)
    }
}

extension SSHError {
    /// The same failure of git's ssh: a hook on the server can write the same words, and where git was cloning, a clone failed.
    func of(clone: LocalClone) -> SSHError {
        SSHError(
            code: code, message: message, hint: hint, confidence: confidence == .exact ? .likely : confidence,
            alternatives: alternatives + ["a hook on the server wrote these words"], retry: retry, cause: clone.cause ?? cause,
            evidence: evidence)
    }
}
