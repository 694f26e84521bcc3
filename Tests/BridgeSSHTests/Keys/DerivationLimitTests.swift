import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHKeys

/// The limits for key derivation.
@Suite("The cost of opening a key file")
struct DerivationLimitTests {
    /// Replaces the one occurrence of some bytes in the data of a key file.
    private func replace(_ old: [UInt8], by new: [UInt8], in name: String, of directory: KeyDirectory) throws -> String {
        let text = String(decoding: try directory.bytes(name), as: UTF8.self)
        let lines = text.split(separator: "\n")
        var bytes = try #require(Base64.decode(Array(lines.dropFirst().dropLast().joined().utf8)))
        let places = bytes.indices.filter { bytes[$0...].starts(with: old) }
        try #require(places.count == 1 && old.count == new.count)
        bytes.replaceSubrange(places[0]..<places[0] + old.count, with: new)
        let changed = "\(lines[0])\n\(Base64.encode(bytes))\n\(lines[lines.count - 1])\n"
        return try directory.write(changed.utf8, to: name + "-changed")
    }

    private func expectRefused(_ path: String, _ cost: String, _ limit: String) throws {
        let file = try KeyFile.read(path: path)
        let problem = try #require(throws: SSHKeyProblem.self) { try file.decrypted(with: SSHSecret("x")) }
        #expect(problem.reason == .cipherUnsupported)
        #expect(problem.detail == "Its key derivation needs \(cost); the limit is \(limit).")
        // Performs the check that comes before the question for a passphrase.
        #expect(throws: problem) { try file.checkDerivationCost() }
        let error = SSHFailureClassifier.classify(SSHEvidence(event: .keyUnusable(problem), stage: .key))
        #expect(error.message.contains(path) && error.message.contains(cost) && error.message.contains(limit))
        #expect(error.hint.contains("ssh-keygen -p -Z aes256-ctr -a 16 -f \(path)"))
    }

    @Test("1,024 rounds of bcrypt are accepted, one more is not", arguments: [1025, 65_536, UInt32.max])
    func bcrypt(rounds: UInt32) async throws {
        let directory = try KeyDirectory()
        try await KeyKind.ed25519.generate(in: directory, passphrase: "x", options: ["-a", "77"])
        try expectRefused(try withRounds(rounds, instead: 77, directory), "\(rounds) rounds of bcrypt", "1024")
        try KeyFile.read(path: try withRounds(1024, instead: 77, directory)).checkDerivationCost()
    }

    /// Replaces the number of rounds, which stands before the number of keys.
    private func withRounds(_ rounds: UInt32, instead old: UInt32, _ directory: KeyDirectory) throws -> String {
        let number = { (value: UInt32) in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        return try replace(number(old) + number(1), by: number(rounds) + number(1), in: "id", of: directory)
    }

    @Test("the command of the hint makes an accepted file")
    func remedy() async throws {
        let directory = try KeyDirectory()
        // ssh-keygen takes seconds for so many rounds.
        let rounds = TestExtent.choose(sample: "100", all: "1025")
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "x", options: ["-a", rounds])
        if rounds == "1025" { try expectRefused(path, "1025 rounds of bcrypt", "1024") }
        try await Program.run("ssh-keygen", ["-p", "-Z", "aes256-ctr", "-a", "16", "-P", "x", "-N", "x", "-f", path])
        let file = try KeyFile.read(path: path)
        #expect(try file.decrypted(with: SSHSecret("x")).publicKey == file.publicKey)
    }

    @Test("rounds of PBKDF2")
    func pbkdf2() async throws {
        let directory = try KeyDirectory()
        try await Program.run("openssl", ["genpkey", "-algorithm", "ed25519", "-out", directory.path("plain")])
        for (name, rounds) in [("id", "1048576"), ("many", "10000001")] {
            try await Program.run(
                "openssl",
                [
                    "pkcs8", "-topk8", "-in", directory.path("plain"), "-out", directory.path(name), "-passout", "pass:x",
                    "-iter", rounds,
                ])
        }
        try KeyFile.read(path: directory.path("id")).checkDerivationCost()
        try expectRefused(directory.path("many"), "10000001 rounds of PBKDF2", "10000000")
        // 1048576 as a DER INTEGER, and the largest number with as many bytes.
        let path = try replace([2, 3, 0x10, 0, 0], by: [2, 3, 0x7F, 0xFF, 0xFF], in: "id", of: directory)
        try KeyFile.read(path: path).checkDerivationCost()
    }

    @Test("memory of scrypt")
    func scrypt() async throws {
        let directory = try KeyDirectory()
        try await Program.run("openssl", ["genpkey", "-algorithm", "ed25519", "-out", directory.path("plain")])
        try await Program.run(
            "openssl",
            [
                "pkcs8", "-topk8", "-in", directory.path("plain"), "-out", directory.path("id"), "-passout", "pass:x", "-scrypt",
                "-scrypt_N", "32768", "-scrypt_r", "2",
            ])
        try KeyFile.read(path: directory.path("id")).checkDerivationCost()
        // N = 32768 and r = 2 as DER INTEGERs: 8 MiB; then 1 GiB, and 8 GiB.
        for (n, r, cost) in [([UInt8](arrayLiteral: 0x40, 0, 0), UInt8(2), 1024), ([0x40, 0, 0], 16, 8192)] {
            let path = try replace([2, 3, 0, 0x80, 0, 2, 1, 2], by: [2, 3] + n + [2, 1, r], in: "id", of: directory)
            try expectRefused(
                path, "scrypt with \(cost) MiB of memory", "32 MiB, also in OpenSSL and ssh-keygen")
        }
    }

    @Test("a caller that is cancelled does not wait for the rounds", .timeLimit(.minutes(10)))
    func cancellation() async throws {
        let directory = try KeyDirectory()
        try await KeyKind.ed25519.generate(in: directory, passphrase: "x", options: ["-a", "77"])
        // Minutes of work in a debug build.
        let path = try withRounds(1024, instead: 77, directory)
        let file = try KeyFile.read(path: path)
        let opening = Task { try await file.opened(with: SSHSecret("x")) }
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
    }

    @Test("bcrypt checks for cancellation before each round", .timeLimit(.minutes(10)))
    func interruption() {
        var asked = 0
        let key = BcryptPBKDF.deriveKey(passphrase: [1], salt: [2], rounds: 1_000_000_000, count: 48) {
            asked += 1
            return asked < 3
        }
        #expect(key == nil && asked == 3)
    }

    @Test("a cancellable decryption gives the same key, and the same errors")
    func opened() async throws {
        let directory = try KeyDirectory()
        let file = try KeyFile.read(path: try await KeyKind.ed25519.generate(in: directory, passphrase: "x"))
        #expect(try await file.opened(with: SSHSecret("x")).publicKey == file.publicKey)
        let wrong = await #expect(throws: SSHKeyProblem.self) { try await file.opened(with: SSHSecret("y")) }
        #expect(wrong?.reason == .passphraseWrong)
        let none = await #expect(throws: SSHKeyProblem.self) { try await file.opened(with: nil) }
        #expect(none?.reason == .passphraseRequired)
    }
}
