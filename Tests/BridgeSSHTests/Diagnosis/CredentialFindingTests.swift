import Testing

@testable import BridgeSSH

@Suite struct CredentialFindingTests {
    private func key(_ label: String, bits: Int? = nil, use: KeyConsideration.Use = .candidate) -> KeyConsideration {
        var key = KeyConsideration(path: label, use: use)
        key.algorithm = bits == nil ? "ssh-ed25519" : "ssh-rsa"
        key.fingerprint = "SHA256:\(label)"
        key.bits = bits ?? 256
        return key
    }

    private func attempt(_ label: String, _ outcome: SSHAuthenticationAttempt.Outcome) -> SSHAuthenticationAttempt {
        var attempt = SSHAuthenticationAttempt(method: "publickey", credential: label, outcome: outcome)
        attempt.fingerprint = "SHA256:\(label)"
        return attempt
    }

    private func findings(_ keys: [KeyConsideration], _ change: (inout Observations) -> Void = { _ in }) -> [SSHFinding] {
        let seen = FindingTests.seen {
            $0.facts.keys = keys
            change(&$0)
        }
        return DiagnosisRules.findings(seen).filter { $0.step == .credentials }
    }

    @Test("each credential was tried, or has a reason why not") func triedOrNotAndWhy() {
        let found = findings(
            [key("a"), key("b"), key("c"), key("d", use: .notAnIdentity), key("e", use: .duplicate), key("f", use: .unsupported)]
        ) { $0.evidence?.authentication?.attempts = [attempt("a", .refused), attempt("b", .accepted)] }
        #expect(found.map(\.level) == [.notice, .ok, .notReached, .notReached, .notReached, .notReached])
        #expect(
            found.map { $0["outcome"] } == ["refused", "accepted"].map { .text($0) } + (0..<4).map { _ in .text("not-tried") })
        #expect(found[2].text.contains("b was accepted before its turn"))
        #expect(found[3].text.contains("IdentitiesOnly"))
    }

    @Test(
        "outcomes",
        arguments: [
            (SSHAuthenticationAttempt.Outcome.partial, SSHFinding.Level.ok, "asked for more"),
            (.unanswered, .notice, "no answer"),
            (.unusable, .notice, "no signature"),
        ])
    func outcomes(_ outcome: SSHAuthenticationAttempt.Outcome, _ level: SSHFinding.Level, _ words: String) {
        let found = findings([key("a")]) { $0.evidence?.authentication?.attempts = [attempt("a", outcome)] }
        #expect(found.map(\.level) == [level])
        #expect(found[0].text.contains(words))
    }

    @Test(
        "not tried",
        arguments: [
            (["password"], SSHAuthenticationMethod.allCases, "does not accept publickey"),
            (["publickey"], [SSHAuthenticationMethod.password], "leaves publickey out"),
            (["publickey"], SSHAuthenticationMethod.allCases, "had ended"),
        ])
    func notTried(_ offered: [String], _ methods: [SSHAuthenticationMethod], _ words: String) {
        let found = findings([key("a")]) {
            $0.evidence?.authentication?.methodsOffered = offered
            $0.methods = methods
        }
        #expect(found[0].text.contains(words), "\(found[0].text)")
    }

    @Test("a login without credentials") func aLoginWithoutAnything() {
        let seen = FindingTests.seen {
            $0.evidence?.authentication = nil
            $0.facts.keys = [key("a")]
            $0.facts.holdsPassword = true
        }
        let found = DiagnosisRules.findings(seen)
        #expect(found.first { $0.step == .methods }?.level == .weak)
        #expect(found.filter { $0.step == .credentials }.map(\.level) == [.notReached, .notReached])
        #expect(found.filter { $0.step == .credentials }.allSatisfy { $0.text.contains("asked for nothing") })
    }

    @Test("passwords") func passwords() {
        let untried = findings([key("a")]) {
            $0.facts.holdsPassword = true
            $0.evidence?.authentication?.attempts = [attempt("a", .accepted)]
        }
        #expect(untried.map(\.level) == [.ok, .notReached])
        let refused = findings([]) {
            $0.facts.holdsPassword = true
            $0.evidence?.authentication?.attempts = [
                SSHAuthenticationAttempt(method: "password", credential: "password", outcome: .refused),
                SSHAuthenticationAttempt(method: "keyboard-interactive", credential: "answers", outcome: .accepted),
            ]
        }
        #expect(refused.map(\.level) == [.notice, .ok])
        #expect(refused[1].text.contains("were accepted"))
    }

    @Test("unusable credentials") func whatCannotBeUsed() {
        let problem = SSHKeyProblem(reason: .permissionsTooOpen, path: "/k", detail: "Its mode is 0644.")
        let keys = [key("/k", use: .unusable(problem)), key("/home/.ssh/id_rsa", use: .missing)]
        let found = findings(keys) {
            $0.evidence?.authentication?.agentProblem = SSHAgentProblem(reason: .empty, detail: "")
        }
        #expect(found.map(\.level) == [.notice, .notice, .ok])
        #expect(found[0].advice == "Make it private: `chmod 600 /k`")
        #expect(found[1].advice.contains("ssh-add"))
        #expect(found[2]["missing"] == .texts(["/home/.ssh/id_rsa"]))
    }

    @Test("short keys", arguments: [(1024, true), (2047, true), (2048, false)])
    func shortKeys(_ bits: Int, _ isWeak: Bool) {
        let found = findings([key("a", bits: bits)]) { $0.evidence?.authentication?.attempts = [attempt("a", .accepted)] }
        #expect(found.contains { $0.level == .weak } == isWeak)
    }
}
