/// A person's answer to a question about host keys. Only a whole word counts, as with ssh(1).
enum HostKeyAnswer: Equatable {
    case yes
    case no
    /// One of the fingerprints that were shown.
    case fingerprint(String)

    /// Nil for what is no answer.
    init?(_ text: String, to fingerprints: [String]) {
        let word = text.filter { !$0.isWhitespace }
        switch word.lowercased() {
        case "yes": self = .yes
        case "no": self = .no
        default:
            guard fingerprints.contains(word) else { return nil }
            self = .fingerprint(word)
        }
    }
}
