import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTrust

@Suite struct HostPatternTests {
    private static let rows: [(String, String, Bool)] = [
        ("web1", "web1", true), ("WEB1", "web1", true), ("web1", "web12", false), ("web12", "web1", false), ("*", "x", true),
        ("*.example", "a.b.example", true), ("*.example", "example", false), ("w?b1", "web1", true), ("w?b1", "wb1", false),
        ("web*1", "web1", true), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("?*", "", false), ("**", "", true),
        ("!web1", "web1", false), ("*,!web1", "web1", false), ("!web1,*", "web1", false), ("*,!web1", "web2", true),
        ("a,,web1", "web1", true), (",", "web1", false), ("[web1]:*", "[web1]:2222", true), ("!", "web1", false),
    ]

    @Test("patterns match as in sshd(8)", arguments: rows)
    func patternsMatchAsInSshd8(pattern: String, name: String, expected: Bool) {
        let patterns = pattern.utf8.split(separator: UInt8(ascii: ",")).map { HostPattern(Array($0)[...]) }
        #expect(HostPattern.list(patterns, matches: KnownHostName(host: name, port: 22)) == expected)
    }

    @Test("matching agrees with the definition", arguments: 0..<20)
    func matchingAgreesWithTheDefinition(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func bytes(_ alphabet: String, upTo count: Int) -> [UInt8] {
            (0..<Int.random(in: 0...count, using: &random)).compactMap { _ in alphabet.utf8.randomElement(using: &random) }
        }
        for _ in 0..<400 {
            let (pattern, text) = (bytes("ab*?", upTo: 7), bytes("ab", upTo: 8))
            let name = KnownHostName(host: String(decoding: text, as: UTF8.self), port: 22)
            #expect(HostPattern(pattern[...]).fits(name) == Self.defines(pattern[...], text[...]))
        }
    }

    @Test("no pattern is slow") func noPatternIsSlow() {
        let pattern = Array(String(repeating: "*a", count: 500).utf8)
        let name = KnownHostName(host: String(repeating: "a", count: 499) + "b", port: 22)
        #expect(!HostPattern(pattern[...]).fits(name))
    }

    /// The shortest implementation of `*` and `?`.
    private static func defines(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == UInt8(ascii: "*") {
            return defines(pattern.dropFirst(), text) || (!text.isEmpty && defines(pattern, text.dropFirst()))
        }
        guard let head = text.first, first == UInt8(ascii: "?") || first == head else { return false }
        return defines(pattern.dropFirst(), text.dropFirst())
    }
}
