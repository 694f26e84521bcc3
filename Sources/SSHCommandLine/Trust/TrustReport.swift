import BridgeSSH
import ErrorCore
import SSHRun

/// Texts about a host's keys and about the lines that were written.
enum TrustReport {
    /// The keys.
    ///
    /// - Parameters:
    ///   - name: the host as it was typed.
    ///   - pictures: whether to draw the unknown keys too.
    static func text(_ scan: SSHHostKeyScan, named name: String = "", pictures: Bool = true) -> String {
        let host = SSHEndpoint.label(name, scan.name)
        let place = scan.port == 22 ? host : "\(host) port \(scan.port)"
        var lines = ["Host keys of \(TerminalText.escape(place))"]
        for offer in scan.offers {
            lines += ["", "  " + line(offer.key), "    " + words(offer.verdict)]
            lines += known(offer.verdict).map {
                "    known is    \($0.fingerprint) (\(TerminalText.escape($0.algorithm))) in \(TerminalText.escape("\($0.location)"))"
            }
            guard pictures else { continue }
            if case .trusted = offer.verdict { continue }
            lines += offer.key.randomart.split(separator: "\n").map { "    \($0)" }
        }
        if !scan.unavailable.isEmpty { lines.append("") }
        for unavailable in scan.unavailable {
            let text = TerminalText.escape("\(unavailable.keyType) could not be obtained: \(unavailable.reason)")
            lines += TerminalText.fold(text, width: 76).enumerated().map { ($0.offset == 0 ? "  " : "    ") + $0.element }
        }
        if !scan.unasked.isEmpty {
            let types = scan.unasked.joined(separator: ", ")
            let text = TerminalText.escape("The host has keys of other types (\(types)); --all-types asks for them.")
            lines += [""] + TerminalText.fold(text, width: 78).map { "  " + $0 }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The text about the written lines.
    static func actions(_ outcome: TrustOutcome) -> String {
        var lines = outcome.removed.map { removal in
            let key = removal.key.map(line) ?? "a key that cannot be read"
            let names = removal.names.map { " (\($0))" } ?? ""
            return "Removed: \(key) from \(removal.location)\(names)"
        }
        for (offer, action) in zip(outcome.scan?.offers ?? [], outcome.actions) {
            switch action {
            case .added(let place): lines.append("Now known: \(line(offer.key)) in \(place)")
            case .replaced(let place): lines.append("Now known instead: \(line(offer.key)) in \(place)")
            case .kept, .none: break
            }
        }
        let files = Set(outcome.removed.map(\.location.file)).sorted()
        lines += files.map { "The old \($0) is kept as \(SSHKnownHostsWriter(path: $0).backupPath)" }
        if outcome.scan == nil, outcome.error == nil, outcome.removed.isEmpty {
            lines.append("Not found in known_hosts: \(outcome.endpoint.label)")
        }
        return lines.map { TerminalText.escape($0) + "\n" }.joined()
    }

    private static func line(_ key: SSHHostKey) -> String {
        let size = key.bits.map { " \($0)" } ?? ""
        return "\(TerminalText.escape(key.displayName))\(size) \(key.fingerprint)"
    }

    private static func words(_ verdict: SSHHostKeyVerdict) -> String {
        switch verdict {
        case .trusted(let place): "known: \(TerminalText.escape("\(place)"))"
        case .changed: "CHANGED: another key of this type is known"
        case .revoked(let place): "REVOKED: \(TerminalText.escape("\(place)"))"
        case .otherTypeKnown: "not known; the host is known by keys of other types"
        case .unknown(let skipped, let authority):
            "not known" + (authority.map { "; \(TerminalText.escape("\($0)")) names a certificate authority for the host" } ?? "")
                + (skipped == 0
                    ? ""
                    : skipped == 1
                        ? "; a line of known_hosts is invalid" : "; \(skipped) lines of known_hosts are invalid")
        }
    }

    private static func known(_ verdict: SSHHostKeyVerdict) -> [SSHKnownHostKey] {
        switch verdict {
        case .changed(_, let known): known
        case .otherTypeKnown(let known): known
        case .trusted, .revoked, .unknown: []
        }
    }
}

/// Fingerprints of host keys that a person confirms beforehand.
package enum ConfirmedFingerprints {
    /// A fingerprint as ssh-keygen prints it: `SHA256:` and 43 characters of base64.
    ///
    /// - Throws: `UsageProblem` for anything else.
    package static func checked(_ text: String) throws -> String {
        guard isWhole(text) else {
            throw UsageProblem(
                field: "--yes",
                problem: "“\(text)” is not a fingerprint; write SHA256: and 43 characters, as ssh-keygen -l prints it")
        }
        return text
    }

    /// The fingerprints of a file: one a line, alone or in the output of `ssh-keygen -l`. Ignores empty lines and comments.
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
