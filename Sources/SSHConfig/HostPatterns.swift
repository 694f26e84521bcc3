/// The patterns of a `Host` line.
struct HostPatterns: Sendable {
    private let patterns: [(text: [UInt8], isNegated: Bool)]

    init(_ words: [String]) {
        patterns = words.map { word in
            let isNegated = word.hasPrefix("!")
            return (Array(word.utf8.dropFirst(isNegated ? 1 : 0)), isNegated)
        }
    }

    /// Whether what follows the line is for a host: one pattern fits it, and none with a `!` does.
    func fit(_ host: String) -> Bool {
        let host = Array(host.utf8)
        var fits = false
        for pattern in patterns where Pattern.fits(pattern.text, host) {
            if pattern.isNegated { return false }
            fits = true
        }
        return fits
    }
}
