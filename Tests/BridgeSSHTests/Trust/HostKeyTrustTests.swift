import BridgeSSH
import Foundation
import Testing

@testable import SSHTrust

@Suite struct HostKeyTrustTests {
    private let directory: TemporaryDirectory
    private let key = TestKeys.ed25519(1)
    private var path: String { directory.path("known_hosts") }

    init() throws { directory = try TemporaryDirectory() }

    private func check(
        _ key: SSHHostKey, _ policy: SSHHostKeyPolicy, known contents: String? = nil, ask: SSHHostKeyTrust.Ask? = nil
    ) async throws -> SSHHostKeyOutcome {
        if let contents { try directory.write("known_hosts", contents) }
        var files = SSHKnownHostsFiles(user: [path])
        files.areExplicit = false
        let trust = SSHHostKeyTrust(files: files, policy: policy, ask: ask)
        return try await trust.check(key, host: "web1", port: 22, against: trust.load())
    }

    private let unknown = SSHHostKeyVerdict.unknown(skippedLines: 0, certificateAuthority: nil)

    @Test("every policy and verdict has its decision") func everyPolicyAndVerdict() {
        let place = SSHKnownHostsLocation(file: "kh", line: 1)
        let known = [SSHKnownHostKey(algorithm: "ssh-rsa", fingerprint: "SHA256:x", location: place)]
        for policy in SSHHostKeyPolicy.allCases {
            #expect(SSHTrustDecision(policy: policy, verdict: .trusted(place)) == .accept)
            #expect(SSHTrustDecision(policy: policy, verdict: .revoked(place)) == .reject)
            #expect(SSHTrustDecision(policy: policy, verdict: .changed(presented: "SHA256:y", known: known)) == .reject)
            #expect(SSHTrustDecision(policy: policy, verdict: .otherTypeKnown(known)) == .reject)
        }
        #expect(SSHTrustDecision(policy: .strict, verdict: unknown) == .reject)
        #expect(SSHTrustDecision(policy: .acceptNew, verdict: unknown) == .acceptAndRemember)
        #expect(SSHTrustDecision(policy: .ask, verdict: unknown) == .ask)
    }

    @Test("accept-new remembers once, and then knows") func acceptNewRemembersOnceAndThen() async throws {
        let place = SSHKnownHostsLocation(file: path, line: 1)
        #expect(try await check(key, .acceptNew) == .remembered(place))
        #expect(try await check(key, .acceptNew) == .trusted(place))
        #expect(try await check(key, .strict) == .trusted(place))
        for other in [TestKeys.ed25519(2), TestKeys.rsa(1)] {
            let before = try directory.read("known_hosts")
            guard case .rejected = try await check(other, .acceptNew) else {
                Issue.record("another key was accepted")
                return
            }
            #expect(try directory.read("known_hosts") == before)
        }
    }

    @Test("strict writes nothing") func strictWritesNothing() async throws {
        #expect(try await check(key, .strict) == .rejected(unknown))
        #expect(try directory.names.isEmpty)
    }

    @Test("a person sees the known facts, and decides") func aPersonSeesWhatIsKnown() async throws {
        let contents = "web2 \(key.line)\nbroken\n@cert-authority * \(TestKeys.rsa(1).line)\n"
        let path = path
        let key = key
        let ask: SSHHostKeyTrust.Ask = { question in
            #expect(question.host == "web1" && question.port == 22)
            #expect(question.keyType == "ssh-ed25519" && question.fingerprint == key.fingerprint)
            #expect(question.otherNames == ["web2"])
            #expect(question.skippedLines == [SSHKnownHostsLocation(file: path, line: 2)])
            #expect(question.certificateAuthority == SSHKnownHostsLocation(file: path, line: 3))
            return false
        }
        let verdict = SSHHostKeyVerdict.unknown(skippedLines: 1, certificateAuthority: SSHKnownHostsLocation(file: path, line: 3))
        #expect(try await check(key, .ask, known: contents, ask: ask) == .rejected(verdict))
        #expect(try directory.read("known_hosts") == Array(contents.utf8))
        let place = SSHKnownHostsLocation(file: path, line: 4)
        #expect(try await check(key, .ask, ask: { _ in true }) == .remembered(place))
    }

    @Test("without a person the policy is strict, and a change is never asked about") func policyWithoutAPerson()
        async throws
    {
        #expect(try await check(key, .ask) == .rejected(unknown))
        let never: SSHHostKeyTrust.Ask = { _ in
            Issue.record("asked")
            return true
        }
        guard case .rejected(.changed) = try await check(key, .ask, known: "web1 \(TestKeys.ed25519(2).line)\n", ask: never)
        else {
            Issue.record("not rejected")
            return
        }
        guard case .rejected(.otherTypeKnown) = try await check(key, .ask, known: "web1 \(TestKeys.rsa(2).line)\n", ask: never)
        else {
            Issue.record("not rejected")
            return
        }
    }

    @Test("an error thrown by the question is passed on, and nothing is written") func whatTheAskingThrowsComesOut() async throws
    {
        await #expect(throws: CancellationError.self) { try await check(key, .ask, ask: { _ in throw CancellationError() }) }
        #expect(try directory.names.isEmpty)
    }

    @Test("an answer comes too late if another program stored a different key meanwhile") func anAnswerComesTooLate()
        async throws
    {
        let path = path
        let line = "web1 \(TestKeys.ed25519(2).line)\n"
        let outcome = try await check(key, .ask) { _ in
            try Data(line.utf8).write(to: URL(fileURLWithPath: path))
            return true
        }
        guard case .rejected(.changed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try directory.read("known_hosts") == Array(line.utf8))
    }

    @Test("with an unreadable standard file new keys are not trusted, but wrong keys are still rejected")
    func anUnreadableStandardFileForbids()
        async throws
    {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        await #expect(throws: SSHKnownHostsProblem.self) { try await check(key, .acceptNew) }
        await #expect(throws: SSHKnownHostsProblem.self) { try await check(key, .ask, ask: { _ in true }) }
        #expect(try await check(key, .strict) == .rejected(unknown))
    }

    /// The result of a check under files that cannot be written to.
    private func unwritable(
        _ policy: SSHHostKeyPolicy, user: [String], _ acceptsWithoutRemembering: Bool
    ) async throws -> SSHHostKeyOutcome {
        let files = SSHKnownHostsFiles(
            user: user, areExplicit: false, acceptsWithoutRemembering: acceptsWithoutRemembering)
        let trust = SSHHostKeyTrust(files: files, policy: policy, ask: { _ in true })
        return try await trust.check(key, host: "web1", port: 22, against: trust.load())
    }

    @Test("a key that cannot be stored is trusted only if a person or the program wants it")
    func aKeyThatCannotBeWritten()
        async throws
    {
        let path = directory.path("none/known_hosts")
        for user in [[path], []] {
            let refusal = try await #require(throws: SSHKnownHostsProblem.self) {
                try await unwritable(.acceptNew, user: user, false)
            }
            #expect(refusal.code == .unwritable && refusal.errno == ENOENT)
            if !user.isEmpty { #expect(refusal.path == path) }
            #expect(refusal.message.hasPrefix(user.isEmpty ? "There is no known hosts file" : "The known hosts file \(path)"))
            #expect(try await unwritable(.ask, user: user, false) == .acceptedOnce(refusal))
            #expect(try await unwritable(.acceptNew, user: user, true) == .acceptedOnce(refusal))
        }
    }
}
