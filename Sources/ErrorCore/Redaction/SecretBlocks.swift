/// Private keys in text armour (RFC 7468 section 2, OpenPGP's RFC 9580 section 6.2): everything between the lines, or to the end.
enum SecretBlocks {
    static func mask(_ text: String) -> String {
        ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"].reduce(text) { mask($0, marker: $1) }
    }

    private static func mask(_ text: String, marker end: String) -> String {
        var output = ""
        var rest = text[...]
        while let marker = rest.firstRange(of: end), rest[..<marker.lowerBound].contains("-----BEGIN") {
            output += rest[..<marker.upperBound] + SecretScanner.replacement
            rest = rest[marker.upperBound...]
            // Masked before: what follows is not the key.
            if rest.hasPrefix(SecretScanner.replacement) {
                rest = rest.dropFirst(SecretScanner.replacement.count)
                continue
            }
            rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
        }
        return output + rest
    }
}
