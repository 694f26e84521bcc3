import BridgeSSH
import Testing

@Suite struct HostKeyTests {
    @Test(
        "a real key has ssh-keygen's fingerprint, and cut anywhere it is not a key",
        arguments: [
            ("ed25519", nil), ("rsa", "2048"), ("ecdsa", "256"), ("ecdsa", "384"), ("ecdsa", "521"),
        ] as [(String, String?)])
    func aRealKeyHasSshKeygen(type: String, bits: String?) throws {
        let directory = try TemporaryDirectory()
        let (key, fingerprint) = try Oracle.makeKey(type: type, bits: bits, in: directory)
        #expect(key.fingerprint == fingerprint)
        #expect(SSHKnownHosts("web1 \(key.line)").entries.map(\.key) == [key])
        for length in 0..<key.blob.count {
            let cut = SSHHostKey(algorithm: key.algorithm, blob: Array(key.blob.prefix(length)))
            #expect(SSHKnownHosts("web1 \(cut.line)").skippedLines.count == 1, "cut at \(length)")
        }
        for other in [
            SSHHostKey(algorithm: key.algorithm, blob: key.blob + [0]), SSHHostKey(algorithm: "ssh-dss", blob: key.blob),
        ] {
            #expect(SSHKnownHosts("web1 \(other.line)").skippedLines.count == 1)
        }
    }

    @Test("an RSA signature algorithm means ssh-rsa keys", arguments: ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"])
    func aSignatureAlgorithmOfRSAStands(algorithm: String) {
        #expect(SSHHostKey(algorithm: algorithm, blob: TestKeys.rsa(1).blob) == TestKeys.rsa(1))
    }
}
