/// An algorithm that should no longer be used, why, and who says so.
package struct WeakAlgorithm: Sendable, Hashable {
    /// Its name on the wire.
    package let name: String
    /// What is wrong with it: what comes after a colon.
    package let reason: String
    /// Who says so: an RFC, a publication, a release's notes.
    package let source: String
    /// Whether it is so weak that it is never offered here unless it is asked for; the others are on their way out.
    package let isObsolete: Bool

    /// The first row of the table that knows `name` among the algorithms of a kind; nil for a sound or unknown one.
    static func named(_ name: String, _ kind: AlgorithmAgreement.Kind) -> WeakAlgorithm? {
        rows.first { $0.kind == kind && $0.matches(name) }
            .map { WeakAlgorithm(name: name, reason: $0.reason, source: $0.source, isObsolete: $0.isObsolete) }
    }

    /// The weak ones of a list, in its order.
    package static func among(_ names: [String], _ kind: AlgorithmAgreement.Kind) -> [WeakAlgorithm] {
        names.compactMap { named($0, kind) }
    }
}

extension WeakAlgorithm {
    /// One row: names of a kind, with `*` at either end for any characters.
    struct Row: Sendable {
        let kind: AlgorithmAgreement.Kind
        let patterns: [String]
        let reason: String
        let source: String
        var isObsolete = true

        func matches(_ name: String) -> Bool {
            patterns.contains { Pattern.fits($0, name) }
        }
    }

    private static let sha1Collisions = "SHA-1, for which collisions can be made"

    /// The first row that fits counts.
    static let rows: [Row] = [
        // Key exchange
        Row(
            kind: .keyExchange, patterns: ["diffie-hellman-group1-sha1", "gss-group1-sha1-*"],
            reason: "SHA-1, and a prime of 1024 bits that everybody shares and a state can break",
            source: "RFC 9142; Logjam (CVE-2015-4000)"),
        Row(
            kind: .keyExchange, patterns: ["rsa1024-sha1"], reason: "SHA-1, and an RSA key of 1024 bits",
            source: "RFC 9142"),
        Row(
            kind: .keyExchange,
            patterns: [
                "diffie-hellman-group14-sha1", "gss-group14-sha1-*", "diffie-hellman-group-exchange-sha1", "gss-gex-sha1-*",
            ],
            reason: sha1Collisions, source: "RFC 9142"),
        Row(kind: .keyExchange, patterns: ["*-sha1", "*-sha1-*"], reason: sha1Collisions, source: "RFC 9142"),
        // Host keys
        Row(
            kind: .hostKey, patterns: ["ssh-dss", "ssh-dss-cert-*"],
            reason: "DSA with 1024 bits and SHA-1", source: "FIPS 186-5; OpenSSH 7.0 release notes"),
        Row(
            kind: .hostKey, patterns: ["ssh-rsa", "ssh-rsa-cert-*"],
            reason: "signatures with SHA-1, for which collisions can be made", source: "RFC 8332; OpenSSH 8.8 release notes",
            isObsolete: false),
        // Ciphers
        Row(kind: .cipher, patterns: ["none"], reason: "no encryption", source: "RFC 4253 section 6.3"),
        Row(kind: .cipher, patterns: ["arcfour*"], reason: "RC4, whose output leaks the text", source: "RFC 8758"),
        Row(
            kind: .cipher, patterns: ["3des-*", "des-*", "blowfish-*", "cast128-*", "idea-*"],
            reason: "blocks of 64 bits, which repeat in long sessions",
            source: "Sweet32 (CVE-2016-2183); NIST SP 800-131A"),
        Row(
            kind: .cipher, patterns: ["*-cbc", "rijndael-cbc@*"],
            reason: "blocks chained so that some of the text can be recovered",
            source: "CVE-2008-5161; OpenSSH 6.7 release notes"),
        // MACs
        Row(kind: .mac, patterns: ["none"], reason: "no protection of the data", source: "RFC 4253 section 6.4"),
        Row(kind: .mac, patterns: ["hmac-md5*"], reason: "MD5, which is broken", source: "RFC 6151; OpenSSH 7.2 release notes"),
        Row(
            kind: .mac, patterns: ["hmac-ripemd160*"], reason: "RIPEMD-160, which OpenSSH has dropped",
            source: "OpenSSH 7.6 release notes"),
        Row(
            kind: .mac, patterns: ["*-96", "*-96-etm@*"], reason: "a tag cut to 96 bits", source: "OpenSSH 7.2 release notes"),
        Row(
            kind: .mac, patterns: ["hmac-sha1*"], reason: "SHA-1, which is to be gone by the end of 2030",
            source: "NIST SP 800-131A; NIST announcement of 2022-12-15", isObsolete: false),
        Row(
            kind: .mac, patterns: ["umac-64*"], reason: "a tag of 64 bits only", source: "RFC 4418",
            isObsolete: false),
    ]
}
