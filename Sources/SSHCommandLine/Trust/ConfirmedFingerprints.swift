import SSHRun

/// Fingerprints of host keys that a person confirms beforehand.
package enum ConfirmedFingerprints {
    /// A fingerprint as ssh-keygen prints it: `SHA256:` and 43 characters of base64.
    ///
    /// - Throws: `UsageProblem` for anything else.
    package static func checked(_ text: String) throws -> String {
        guard isWhole(text) else {
            throw UsageProblem(
                field: "--yes",
                problem: "“\(text)” is no fingerprint; write SHA256: and 43 characters, as ssh-keygen -l prints it")
        }
        return text
    }

    /// The fingerprints of a file: one a line, alone or in what `ssh-keygen -l` prints. Empty lines and comments do not count.
    ///
    /// - Parameters:
    ///   - option: the option that names the file, for messages.
    /// - Throws: `UsageProblem` for a line without one.
    package static func inLines(of text: String, option: String) throws -> Set<String> {
        var fingerprints: Set<String> = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let found = words.filter(isWhole)
            guard !found.isEmpty else {
                throw UsageProblem(
                    field: option, problem: "line \(index + 1) has no fingerprint; write lines as ssh-keygen -l prints them")
            }
            fingerprints.formUnion(found)
        }
        return fingerprints
    }

    private static func isWhole(_ text: String) -> Bool {
        let digits = text.dropFirst("SHA256:".count)
        return text.hasPrefix("SHA256:") && digits.utf8.count == 43
            && digits.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
