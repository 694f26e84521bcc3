import BridgeSSH
import Testing

@testable import SSHFailure

@Suite struct WeakAlgorithmTests {
    struct Row: Sendable {
        let kind: AlgorithmAgreement.Kind
        let name: String
        /// A part of the reason; nil for an algorithm without weakness.
        let reason: String?
        var isObsolete = true
    }

    static let rows: [Row] = [
        Row(kind: .keyExchange, name: "diffie-hellman-group1-sha1", reason: "1024 bits"),
        Row(kind: .keyExchange, name: "gss-group1-sha1-toWM5Slw5Ew8Mqkay+al2g==", reason: "1024 bits"),
        Row(kind: .keyExchange, name: "rsa1024-sha1", reason: "RSA key of 1024"),
        Row(kind: .keyExchange, name: "diffie-hellman-group14-sha1", reason: "SHA-1"),
        Row(kind: .keyExchange, name: "diffie-hellman-group-exchange-sha1", reason: "SHA-1"),
        Row(kind: .keyExchange, name: "gss-gex-sha1-toWM5Slw5Ew8Mqkay+al2g==", reason: "SHA-1"),
        Row(kind: .keyExchange, name: "something-sha1", reason: "SHA-1"),
        Row(kind: .keyExchange, name: "diffie-hellman-group14-sha256", reason: nil),
        Row(kind: .keyExchange, name: "diffie-hellman-group16-sha512", reason: nil),
        Row(kind: .keyExchange, name: "curve25519-sha256", reason: nil),
        Row(kind: .keyExchange, name: "ecdh-sha2-nistp256", reason: nil),
        Row(kind: .hostKey, name: "ssh-dss", reason: "DSA"),
        Row(kind: .hostKey, name: "ssh-dss-cert-v01@openssh.com", reason: "DSA"),
        Row(kind: .hostKey, name: "ssh-rsa", reason: "SHA-1", isObsolete: false),
        Row(kind: .hostKey, name: "ssh-rsa-cert-v01@openssh.com", reason: "SHA-1", isObsolete: false),
        Row(kind: .hostKey, name: "rsa-sha2-512", reason: nil),
        Row(kind: .hostKey, name: "rsa-sha2-256-cert-v01@openssh.com", reason: nil),
        Row(kind: .hostKey, name: "ssh-ed25519", reason: nil),
        Row(kind: .cipher, name: "none", reason: "no encryption"),
        Row(kind: .cipher, name: "arcfour", reason: "RC4"),
        Row(kind: .cipher, name: "arcfour256", reason: "RC4"),
        Row(kind: .cipher, name: "3des-cbc", reason: "64 bits"),
        Row(kind: .cipher, name: "des-cbc", reason: "64 bits"),
        Row(kind: .cipher, name: "blowfish-cbc", reason: "64 bits"),
        Row(kind: .cipher, name: "cast128-cbc", reason: "64 bits"),
        Row(kind: .cipher, name: "aes256-cbc", reason: "chained"),
        Row(kind: .cipher, name: "rijndael-cbc@lysator.liu.se", reason: "chained"),
        Row(kind: .cipher, name: "aes128-ctr", reason: nil),
        Row(kind: .cipher, name: "aes256-gcm@openssh.com", reason: nil),
        Row(kind: .cipher, name: "chacha20-poly1305@openssh.com", reason: nil),
        Row(kind: .mac, name: "none", reason: "no protection"),
        Row(kind: .mac, name: "hmac-md5", reason: "MD5"),
        Row(kind: .mac, name: "hmac-md5-96", reason: "MD5"),
        Row(kind: .mac, name: "hmac-md5-etm@openssh.com", reason: "MD5"),
        Row(kind: .mac, name: "hmac-ripemd160@openssh.com", reason: "RIPEMD"),
        Row(kind: .mac, name: "hmac-sha1-96", reason: "96 bits"),
        Row(kind: .mac, name: "hmac-sha1-96-etm@openssh.com", reason: "96 bits"),
        Row(kind: .mac, name: "hmac-sha1", reason: "SHA-1", isObsolete: false),
        Row(kind: .mac, name: "hmac-sha1-etm@openssh.com", reason: "SHA-1", isObsolete: false),
        Row(kind: .mac, name: "umac-64@openssh.com", reason: "64 bits", isObsolete: false),
        Row(kind: .mac, name: "umac-64-etm@openssh.com", reason: "64 bits", isObsolete: false),
        Row(kind: .mac, name: "umac-128@openssh.com", reason: nil),
        Row(kind: .mac, name: "hmac-sha2-256", reason: nil),
        Row(kind: .compression, name: "none", reason: nil),
        Row(kind: .compression, name: "zlib@openssh.com", reason: nil),
    ]

    @Test("each row of the table", arguments: rows)
    func row(_ row: Row) {
        let found = WeakAlgorithm.named(row.name, row.kind)
        #expect((found != nil) == (row.reason != nil), "\(row.name)")
        guard let found, let reason = row.reason else { return }
        #expect(found.reason.contains(reason), "\(row.name): \(found.reason)")
        #expect(found.isObsolete == row.isObsolete, "\(row.name)")
        #expect(!found.source.isEmpty)
    }

    @Test("every row of the table is tested") func everyRowOfTheTableIsTested() {
        for (index, row) in WeakAlgorithm.rows.enumerated() {
            let decides = Self.rows.contains { test in
                WeakAlgorithm.rows.firstIndex { $0.kind == test.kind && $0.matches(test.name) } == index
            }
            #expect(decides, "\(row.patterns)")
        }
    }

    @Test("nothing obsolete is offered by default") func nothingObsoleteIsOfferedByDefault() {
        let ours = SSHAlgorithmPreferences()
        let lists: [(AlgorithmAgreement.Kind, [String])] = [
            (.keyExchange, ours.keyExchange), (.hostKey, ours.hostKey), (.cipher, ours.ciphers), (.mac, ours.macs),
        ]
        for (kind, names) in lists {
            #expect(WeakAlgorithm.among(names, kind).filter(\.isObsolete).isEmpty, "\(kind)")
        }
    }
}
