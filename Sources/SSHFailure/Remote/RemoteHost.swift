/// Finds the host name that could not be resolved.
enum RemoteHost {
    /// The host in a line, given the position of the reason; nil if the line has none.
    static func named(in line: RemoteLine, around reason: Range<Int>) -> String? {
        let after = reason.upperBound..<line.characters.count
        if let quote = line.quote(in: after), isHost(quote.content, strict: false) { return quote.content }
        let follows = line.text(after).prefix { $0 != "(" }
        if let word = words(String(follows)).first,
            isHost(word, strict: line.characters[after].first != ":" && !isOpening(line, reason))
        {
            return word
        }
        for (index, segment) in line.segments(in: 0..<reason.lowerBound).enumerated().reversed() {
            if let host = host(in: line, segment, isFirst: index == 0) { return host }
        }
        return nil
    }

    /// A quoted host at the end of a translated sentence: wget's `»web9« kann nicht aufgelöst werden`.
    static func quoted(in line: RemoteLine) -> String? {
        line.quotes.map(\.content).last { isHost($0, strict: false) }
    }

    private static func isOpening(_ line: RemoteLine, _ reason: Range<Int>) -> Bool {
        let text = String(line.lower[reason])
        return ["resolve", "getaddrinfo", "address", "unknown host"].contains { text.contains($0) }
    }

    private static func host(in line: RemoteLine, _ segment: Range<Int>, isFirst: Bool) -> String? {
        if let quote = line.quote(in: segment), isHost(quote.content, strict: true) { return quote.content }
        let text = line.text(segment)
        let all = words(text)
        for lead in ["lookup", "hostname", "host"] {
            if let at = all.firstIndex(of: lead), at + 1 < all.count, isHost(all[at + 1], strict: false) { return all[at + 1] }
        }
        // `ping: web9: …` and `getaddrinfo: web9 873: …` name a host; a lone first segment is the program.
        let isNamed = !isFirst && (all.count == 1 || all.count == 2 && all[1].allSatisfy(\.isNumber))
        if isNamed, let only = all.first, isHost(only, strict: false), !RemotePhrase.isCall(only) { return only }
        return all.last { isHost($0, strict: true) }
    }

    private static func words(_ text: String) -> [String] {
        text.split { $0.isWhitespace || "()[]<>'\"`,…".contains($0) }.map { word in
            var word = word
            while let last = word.last, ".:。".contains(last) { word.removeLast() }
            return String(word.last?.isNumber == true ? word.prefix { $0 != ":" } : word)
        }.filter { !$0.isEmpty }
    }

    /// Whether a word has only the characters of RFC 952. `strict` also requires a dot, and excludes the names of classes and
    /// files.
    private static func isHost(_ word: String, strict: Bool) -> Bool {
        guard !word.isEmpty, word.count < 254, !word.hasPrefix("-"), !word.hasPrefix("."), word.contains(where: \.isLetter) else {
            return false
        }
        guard word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }) else { return false }
        if word.lowercased().hasSuffix("error") || word.hasSuffix("Exception") { return false }
        guard strict else { return true }
        let labels = word.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty } && labels.last?.allSatisfy(\.isLetter) == true
            && !["py", "rb", "js", "go", "c", "pl", "php", "java", "sh"].contains(labels.last.map(String.init) ?? "")
    }
}
