import Testing

@testable import BridgeSSH

/// Real key files, broken byte by byte: never a crash, and never a key other than the one that was written.
@Suite struct KeyMutationTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var kind: KeyKind
        var format: [String]
        var passphrase: String
        var testDescription: String { "\(kind.testDescription) \(format) \(passphrase.isEmpty ? "plain" : "encrypted")" }
    }

    static let samples = [
        Sample(kind: .ed25519, format: [], passphrase: ""), Sample(kind: KeyKind.all[1], format: [], passphrase: ""),
        Sample(kind: KeyKind.all[4], format: [], passphrase: ""),
        Sample(kind: .ed25519, format: ["-Z", "aes128-gcm@openssh.com"], passphrase: "pass phrase"),
        Sample(kind: KeyKind.all[1], format: ["-m", "PEM"], passphrase: ""),
        Sample(kind: KeyKind.all[4], format: ["-m", "PEM"], passphrase: "pass phrase"),
        Sample(kind: KeyKind.all[1], format: ["-m", "PKCS8"], passphrase: ""),
        Sample(kind: KeyKind.all[1], format: ["-m", "PKCS8"], passphrase: "pass phrase"),
    ]

    @Test(arguments: samples)
    func everyByte(sample: Sample) async throws {
        let directory = try KeyDirectory()
        let path = try await sample.kind.generate(in: directory, passphrase: sample.passphrase, options: sample.format)
        let original = try KeyFile.read(path: path).decrypted(with: Secret(sample.passphrase)).publicKey
        let text = try directory.bytes("id")
        var refused = 0
        for index in text.indices {
            var broken = text
            // Another base64 digit most of the time, so that the damage gets past the armor.
            broken[index] = index % 5 == 0 ? broken[index] ^ 0x80 : (broken[index] == 0x41 ? 0x51 : 0x41)
            refused += open(broken, passphrase: nil, original: original) ? 0 : 1
        }
        #expect(refused > text.count / 2, "most damage is noticed without a passphrase, or the file needs one")
    }

    /// The same below the armor, where every byte of the structure can be reached; here with the passphrase.
    @Test(arguments: samples)
    func everyByteOfTheStructure(sample: Sample) async throws {
        let directory = try KeyDirectory()
        let path = try await sample.kind.generate(in: directory, passphrase: sample.passphrase, options: sample.format)
        let original = try KeyFile.read(path: path).decrypted(with: Secret(sample.passphrase)).publicKey
        let lines = Armor.lines(of: try directory.bytes("id"))
        let opening = try #require(Armor.openings(in: lines).first)
        let armor = try Armor(opening, in: lines)
        let body = armor.body.withBytes { Array($0) }
        let frame = lines.filter { $0.starts(with: "-----".utf8) || $0.contains(UInt8(ascii: ":")) }
        let head = frame.dropLast().map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        let tail = String(decoding: try #require(frame.last), as: UTF8.self)
        let step = sample.passphrase.isEmpty ? 1 : 7  // each try derives a key
        func opens(_ body: some Collection<UInt8>) -> Bool {
            let text = head + (armor.headers.isEmpty ? "\n" : "\n\n") + Base64.encode(body) + "\n" + tail + "\n"
            return open(Array(text.utf8), passphrase: Secret(sample.passphrase), original: original)
        }
        #expect(opens(body), "undamaged, it opens")
        for index in stride(from: 0, to: body.count, by: step) {
            for change: UInt8 in [0x01, 0xFF] where sample.passphrase.isEmpty || change == 1 {
                var broken = body
                broken[index] ^= change
                _ = opens(broken)
            }
        }
        for count in stride(from: 0, to: body.count, by: step) { #expect(!opens(body.prefix(count)), "cut at \(count)") }
    }

    /// Whether it opens; if it does, it must be the same key still: the damage was to something that says nothing.
    private func open(_ bytes: [UInt8], passphrase: Secret?, original: SSHPublicKey) -> Bool {
        do {
            let key = try KeyFileContent(bytes, permissions: nil).privateKey(passphrase: passphrase)
            #expect(key.publicKey == original)
            return true
        } catch {
            #expect(!error.detail.isEmpty)
            return false
        }
    }
}
