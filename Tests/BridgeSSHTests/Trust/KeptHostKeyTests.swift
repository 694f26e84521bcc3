import BridgeSSH
import Testing

@Suite("Host keys of kept connections") struct KeptHostKeyTests {
    private static let place = SSHKnownHostsLocation(file: "known", line: 1)
    private static let keys = [SSHKnownHostKey(algorithm: "ssh-rsa", fingerprint: "SHA256:x", location: place)]
    private static let unknown = SSHHostKeyVerdict.unknown(skippedLines: 0, certificateAuthority: nil)

    private func serves(
        _ acceptance: KeptHostKey.Acceptance, _ policy: SSHHostKeyPolicy, _ verdict: SSHHostKeyVerdict
    ) -> Bool {
        KeptHostKey(SSHHostKey(algorithm: "ssh-ed25519", blob: [1]), acceptance).isAcceptable(under: policy, verdict: verdict)
    }

    @Test("a key that the run knows is accepted, and a refused one is not, even if the helper had accepted it")
    func decided() {
        for acceptance in [KeptHostKey.Acceptance.known, .person, .policy] {
            for policy in SSHHostKeyPolicy.allCases {
                #expect(serves(acceptance, policy, .trusted(Self.place)))
                #expect(!serves(acceptance, policy, .revoked(Self.place)))
                #expect(!serves(acceptance, policy, .changed(presented: "SHA256:y", known: Self.keys)))
                #expect(!serves(acceptance, policy, .otherTypeKnown(Self.keys)))
            }
            #expect(!serves(acceptance, .strict, Self.unknown))
        }
    }

    @Test("an unknown key suits a policy that would accept it, unless the host was known before")
    func unknown() {
        #expect(serves(.policy, .acceptNew, Self.unknown) && serves(.person, .acceptNew, Self.unknown))
        #expect(!serves(.known, .acceptNew, Self.unknown))
        #expect(serves(.person, .ask, Self.unknown))
        #expect(!serves(.policy, .ask, Self.unknown) && !serves(.known, .ask, Self.unknown))
    }
}
