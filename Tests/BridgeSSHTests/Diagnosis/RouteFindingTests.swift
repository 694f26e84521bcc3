import Testing

@testable import BridgeSSH

/// What is told of the way to a host, by what was seen on it.
@Suite struct RouteFindingTests {
    private static let gate = Endpoint(unchecked: "gate", port: 22, user: "ann")

    private func seen(
        hosts: [Endpoint] = [], proxy: String? = nil, _ change: (inout Observations) -> Void = { _ in }
    ) -> Observations {
        var configuration = Configuration()
        configuration.jumpHosts = hosts.map { JumpHost($0, configuration: Configuration()) }
        if let proxy {
            if hosts.isEmpty {
                configuration.proxyCommand = ProxyCommand(proxy)
            } else {
                configuration.jumpHosts[0].configuration.proxyCommand = ProxyCommand(proxy)
            }
        }
        var seen = Observations(endpoint: Endpoint(unchecked: "web1", port: 22, user: "bob"), configuration: configuration)
        change(&seen)
        return seen
    }

    private func failure(_ event: Evidence.Event, at stage: Stage, hop: Int?, of count: Int) -> SSHError {
        var evidence = Evidence(event: event, stage: stage, host: "gate", port: 22, user: "ann")
        evidence.hop = hop.map { HopEvidence(number: $0, count: count, via: []) }
        return FailureClassifier.classify(evidence)
    }

    private func login() -> AuthenticationEvidence {
        var login = AuthenticationEvidence()
        let attempt = AuthenticationAttempt(method: "publickey", credential: "/id", outcome: .accepted)
        login.attempts = [attempt]
        return login
    }

    private func route(_ seen: Observations) -> [Finding] {
        DiagnosisRules.findings(seen).filter { $0.step == .route }
    }

    @Test func withoutAnyItIsDirect() {
        #expect(route(seen()) == [Finding(.route, .ok, "Directly, without jump host or ProxyCommand.")])
    }

    @Test func aNewHostKeyOfAJumpHostIsANotice() throws {
        let finding = try #require(
            route(
                seen(hosts: [Self.gate]) {
                    $0.hops[0].facts.login = login()
                    $0.hops[0].facts.hostKey = HostKeyEvidence(
                        algorithm: "ssh-ed25519", fingerprint: "SHA256:x",
                        verdict: .unknown(skippedLines: 0, certificateAuthority: nil), policy: .acceptNew)
                    $0.hops[0].facts.hostKeyWasNew = true
                    $0.hops[0].facts.seconds = 0.25
                }
            ).first)
        #expect(finding.level == .notice && finding.durationSeconds == 0.25)
        #expect(finding.text.hasPrefix("Through gate: reached, logged in as ann by publickey. Its host key SHA256:x"))
        #expect(finding["credential"] == .text("/id") && finding["endpoint"] == .text("ann@gate:22"))
    }

    @Test func theHostAtFaultHasTheWordsAndThoseBehindItAreNotReached() {
        let findings = route(
            seen(hosts: [Self.gate, Endpoint(unchecked: "inner", port: 22, user: "ann")]) {
                $0.hops[0].facts.seconds = 1
                $0.error = failure(.hostKeyRejected, at: .hostKey, hop: 1, of: 3)
            })
        #expect(findings.map(\.level) == [.notReached, .failed])
        #expect(findings[1].text.hasPrefix("Jump host 1 of 2 (gate port 22): ") && findings[1].durationSeconds == 1)
        #expect(findings[1]["hop"] == .integer(1) && findings[0]["outcome"] == .text("not-reached"))
    }

    /// A host that had let us in and then failed has both findings.
    @Test func aHostThatFailsLaterWasReached() {
        let findings = route(
            seen(hosts: [Self.gate]) {
                $0.hops[0].facts.login = login()
                $0.error = failure(.streamEnded, at: .session, hop: 1, of: 2)
            })
        #expect(findings.map(\.level) == [.ok, .failed])
    }

    @Test(arguments: [false, true]) func aProxyCommandThatFails(isBeforeAJumpHost: Bool) {
        let findings = route(
            seen(hosts: isBeforeAJumpHost ? [Self.gate] : [], proxy: "nc %h") {
                $0.error = failure(
                    .proxyFailed(command: "nc %h", exitStatus: 1, standardError: "no"), at: .connect,
                    hop: isBeforeAJumpHost ? 1 : nil, of: 2)
            })
        #expect(findings.map(\.level) == (isBeforeAJumpHost ? [.notReached, .failed] : [.failed]))
        #expect(findings.last?["proxyCommand"] == .text("nc %h"))
    }

    @Test func aProxyCommandThatRunsHasItsTime() {
        let findings = route(seen(proxy: "nc %h") { $0.facts.proxyStart = 0.5 })
        #expect(findings.map(\.level) == [.ok] && findings[0].durationSeconds == 0.5)
        #expect(route(seen(proxy: "nc %h")).map(\.level) == [.notReached])
    }

    /// What a jump host showed is told of nobody else.
    @Test func theStepsOfTheDestinationAreNotReachedThen() {
        let findings = DiagnosisRules.findings(
            seen(hosts: [Self.gate]) { $0.error = failure(.hostKeyRejected, at: .hostKey, hop: 1, of: 2) })
        #expect(findings.filter { $0.step != .route }.allSatisfy { $0.level == .notReached && $0.durationSeconds == nil })
        #expect(findings.first { $0.step == .resolve }?.text == "Not looked at: the last jump host looks the name up.")
    }
}
