import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHKeys
@testable import SSHModel

/// Real key files, damaged byte by byte. Reading never crashes, and never gives another key.
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

    @Test("every byte altered", arguments: samples)
    func everyByte(sample: Sample) async throws {
        let directory = try KeyDirectory()
        let path = try await sample.kind.generate(in: directory, passphrase: sample.passphrase, options: sample.format)
        let original = try KeyFile.read(path: path).decrypted(with: SSHSecret(sample.passphrase)).publicKey
        let text = try directory.bytes("id")
        var (tried, refused) = (0, 0)
        for index in stride(from: 0, to: text.count, by: TestExtent.choose(sample: 17, all: 1)) {
            var broken = text
            // Mostly replaced by other base64 digits, so that the damage gets past the armor.
            broken[index] = index % 5 == 0 ? broken[index] ^ 0x80 : (broken[index] == 0x41 ? 0x51 : 0x41)
            tried += 1
            refused += open(broken, passphrase: nil, original: original) ? 0 : 1
        }
        #expect(refused > tried / 2, "most damage is noticed without a passphrase, or the file needs one")
    }

    /// The same below the armor, where every byte of the structure can be altered; with the passphrase.
    @Test("every byte of the structure altered", arguments: samples)
    func everyByteOfTheStructure(sample: Sample) async throws {
        let (frame, body, original) = try await dismantle(sample)
        // With a passphrase each attempt derives a key, which is slow in a debug build. Without one the sample has a byte of every
        // field: the shortest has four.
        let step = sample.passphrase.isEmpty ? TestExtent.choose(sample: 4, all: 1) : TestExtent.choose(sample: 101, all: 7)
        func opens(_ body: some Collection<UInt8>) -> Bool {
            open(frame.text(around: body), passphrase: SSHSecret(sample.passphrase), original: original)
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

    /// Removes, doubles or overwrites runs of bytes, so that lengths no longer match. Without a passphrase, because a damaged
    /// file may demand minutes of key derivation.
    @Test("random edits", arguments: samples)
    func randomEdits(sample: Sample) async throws {
        let (frame, body, original) = try await dismantle(sample)
        for seed in 0..<TestExtent.choose(sample: 50, all: 300) {
            var generator = SeededGenerator(seed: UInt64(seed))
            var broken = body
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !broken.isEmpty {
                let start = Int.random(in: 0..<broken.count, using: &generator)
                let end = min(broken.count, start + Int.random(in: 1...12, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: broken.removeSubrange(start..<end)
                case 1: broken.insert(contentsOf: Array(broken[start..<end]), at: start)
                case 2: broken.replaceSubrange(start..<end, with: [UInt8](repeating: 0xFF, count: end - start))
                default: broken.replaceSubrange(start..<end, with: [UInt8](repeating: 0, count: end - start))
                }
            }
            _ = open(frame.text(around: broken), passphrase: nil, original: original)
        }
    }

    /// The text around a key's base64.
    private struct Frame {
        var head: String
        var tail: String

        func text(around body: some Collection<UInt8>) -> [UInt8] {
            Array("\(head)\(Base64.encode(body))\n\(tail)\n".utf8)
        }
    }

    private func dismantle(_ sample: Sample) async throws -> (frame: Frame, body: [UInt8], original: SSHPublicKey) {
        let directory = try KeyDirectory()
        let path = try await sample.kind.generate(in: directory, passphrase: sample.passphrase, options: sample.format)
        let original = try KeyFile.read(path: path).decrypted(with: SSHSecret(sample.passphrase)).publicKey
        let lines = Armor.lines(of: try directory.bytes("id"))
        let opening = try #require(Armor.openings(in: lines).first)
        let armor = try Armor(opening, in: lines)
        let kept = lines.filter { $0.starts(with: "-----".utf8) || $0.contains(UInt8(ascii: ":")) }
            .map { String(decoding: $0, as: UTF8.self) }
        let head = kept.dropLast().joined(separator: "\n") + (armor.headers.isEmpty ? "\n" : "\n\n")
        return (Frame(head: head, tail: try #require(kept.last)), armor.body.withBytes { Array($0) }, original)
    }

    /// Whether the damaged file can be read. If so, it must still be the same key, because the damaged part has no
    /// meaning.
    private func open(_ bytes: [UInt8], passphrase: SSHSecret?, original: SSHPublicKey) -> Bool {
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
