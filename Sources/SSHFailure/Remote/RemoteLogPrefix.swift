/// What logging puts before a message.
enum RemoteLogPrefix {
    /// The message: without a time and a level in front, or what `msg="…"` of a structured line holds.
    static func body(of line: String) -> String {
        for key in ["msg=\"", "\"msg\":\"", "\"message\":\"", "\"error\":\""] {
            if let start = line.firstRange(of: key), let end = line[start.upperBound...].firstIndex(of: "\"") {
                return String(line[start.upperBound..<end])
            }
        }
        var rest = line[...]
        while let word = rest.split(separator: " ", maxSplits: 1).first, isPrefix(word), word.endIndex < rest.endIndex {
            rest = rest[word.endIndex...].drop { $0 == " " }
        }
        return String(rest)
    }

    private static func isPrefix(_ word: Substring) -> Bool {
        let levels: Set<String> = [
            "INFO", "ERROR", "ERRO", "ERR", "WARN", "WARNING", "FATAL", "CRITICAL", "PANIC", "E:", "W:", "N:", "ERR!", "npm",
            "error",
        ]
        let bare = word.trimmingPrefix("[").prefix { $0 != "]" }
        if levels.contains(String(bare)) { return true }
        return bare.count >= 8 && bare.first?.isNumber == true
            && bare.allSatisfy { $0.isASCII && ($0.isNumber || "-/:.,TZ+".contains($0)) }
    }
}
