import ErrorCore
import SSHFailure
import Testing

@testable import BridgeSSH
@testable import SSHModel

@Suite("Known secrets")
struct KnownSecretsTests {
    private func masking(_ secrets: [String], _ text: String) -> String {
        let known = KnownSecrets()
        for secret in secrets { known.add(SSHSecret(secret)) }
        return known.masking(text)
    }

    @Test("a secret is masked everywhere in a text")
    func places() {
        #expect(masking(["hunter22"], "hunter22") == "•••")
        #expect(masking(["hunter22"], "it is hunter22, yes: hunter22hunter22") == "it is •••, yes: ••••••")
        #expect(masking(["hunter22"], "hunter2 2") == "hunter2 2")
        #expect(masking(["größe→"], "die größe→ ist es") == "die ••• ist es")
        #expect(masking(["hunter22"], "") == "")
    }

    @Test("a remote cause and the cause behind it are masked") func causes() {
        let known = KnownSecrets()
        known.add(SSHSecret("hunter22"))
        func cause(_ text: String) -> SSHRemoteCause {
            var cause = SSHRemoteCause(
                appError: .unknown(message: ""), code: "remote.x", message: "it says \(text)", confidence: .guess)
            cause.reason = SSHRemoteCause(
                appError: .unknown(message: ""), code: "remote.y", message: "of \(text)", confidence: .guess)
            return cause
        }
        #expect(known.masking(cause("hunter22")) == cause("•••"))
    }

    @Test("overlapping secrets are masked completely")
    func overlaps() {
        #expect(masking(["abcd", "abcdefgh"], "xabcdefghx") == "x•••x")
        #expect(masking(["abcdef", "defghi"], "xabcdefghix") == "x•••x")
        #expect(masking(["aaaa"], "aaaaaa") == "•••")
    }

    @Test("the same bytes in another order, with the same sum, are not masked")
    func sums() { #expect(masking(["abcd"], "dcba badc") == "dcba badc") }

    @Test("a secret of less than four bytes is not masked: it occurs in texts by chance")
    func short() {
        #expect(masking(["123", "a", ""], "a 123") == "a 123")
        #expect(masking(["1234"], "a 1234") == "a •••")
    }

    @Test("secrets that are not text are masked too") func bytes() {
        let known = KnownSecrets()
        known.add(SSHSecret("hunter22"))
        #expect(known.masking([0xFF] + Array("hunter22".utf8) + [0xC3]) == [0xFF] + Array("•••".utf8) + [0xC3])
    }

    @Test("a text that was cut within a secret does not show the secret's beginning")
    func cut() {
        let text = String(repeating: "x", count: 600)
        #expect(masking(["hunter22"], text + "hunte") == text + "•••")
        #expect(masking(["hunter22"], text + "hun") == text + "hun")
        // A short text was not cut, so its end is kept.
        #expect(masking(["password1"], "Permission denied: password") == "Permission denied: password")
    }

    @Test(
        "a text that was cut at any place within a long secret does not show the secret's beginning",
        arguments: [(200, 127), (200, 128), (200, 150), (200, 199), (129, 128), (128, 127), (2000, 1000), (2000, 1999)])
    func cutLate(length: Int, kept: Int) {
        let secret = String(decoding: (0..<UInt32(length)).map { UInt8(33 + ($0 &* 2_654_435_761) >> 16 % 90) }, as: UTF8.self)
        let text = String(repeating: "x", count: 600)
        let beginning = String(secret.prefix(kept))
        #expect(masking([secret], text + beginning) == text + "•••")
        #expect(masking(["hunter22", secret], "hunter22 \(text)\(beginning)") == "••• \(text)•••")
        // The secret occurs completely, and only it is masked.
        #expect(masking([secret], text + secret + text) == text + "•••" + text)
        if kept >= 500 { #expect(masking([secret], beginning) == "•••") }
    }

    @Test("one connection's secrets can be passed to another")
    func handedOn() {
        let (first, second) = (KnownSecrets(), KnownSecrets())
        first.add(SSHSecret("hunter22"))
        second.add(first)
        #expect(second.masking("hunter22") == "•••")
    }

    @Test("the store contains no secret in clear")
    func life() {
        let known = KnownSecrets()
        weak var bytes: SecretBytes?
        do {
            let secret = SSHSecret("hunter22")
            bytes = secret.storage
            known.add(secret)
        }
        #expect(bytes == nil)
        #expect(known.masking("hunter22") == "•••")
    }

    @Test("in evidence the server's texts are masked, and local names are kept")
    func evidence() {
        let known = KnownSecrets()
        known.add(SSHSecret("alice"))
        var evidence = SSHEvidence(
            event: .promptUnanswerable(prompt: "alice?"), stage: .authentication, host: "alice", user: "alice")
        evidence.disconnect = SSHDisconnectMessage(reason: 2, description: "alice!")
        evidence.firstBytes = Array("alice\r\n".utf8)
        let masked = known.masking(evidence)
        #expect(masked.event == .promptUnanswerable(prompt: "•••?"))
        #expect(masked.disconnect?.description == "•••!")
        #expect(String(decoding: masked.firstBytes, as: UTF8.self) == "•••\r\n")
        #expect(masked.host == "alice" && masked.user == "alice")
    }
}
