import Testing

@testable import BridgeSSH

/// Findings about the route to a host.
@Suite struct RouteFindingTests {
    private static let gate = SSHEndpoint(unchecked: "gate", port: 22, user: "ann")

    private func seen(
        hosts: [SSHEndpoint] = [], proxy: String? = nil, _ change: (inout Observations) -> Void = { _ in }
    ) -> Observations {
        var configuration = SSHConnectionConfiguration()
        configuration.jumpHosts = hosts.map { SSHJumpHost($0, configuration: SSHConnectionConfiguration()) }
        if let proxy {
            if hosts.isEmpty {
                configuration.proxyCommand = SSHProxyCommand(proxy)
            } else {
                configuration.jumpHosts[0].configuration.proxyCommand = SSHProxyCommand(proxy)
            }
        }
        var seen = Observations(endpoint: SSHEndpoint(unchecked: "web1", port: 22, user: "bob"), configuration: configuration)
        change(&seen)
        return seen
    }

    private func failure(_ event: SSHEvidence.Event, at stage: SSHStage, hop: Int?, of count: Int) -> SSHError {
        var evidence = SSHEvidence(event: event, stage: stage, host: "gate", port: 22, user: "ann")
        evidence.hop = hop.map { SSHHopEvidence(number: $0, count: count, via: []) }
        return SSHFailureClassifier.classify(evidence)
    }

    private func login() -> SSHAuthenticationEvidence {
        var login = SSHAuthenticationEvidence()
        let attempt = SSHAuthenticationAttempt(method: "publickey", credential: "/id", outcome: .accepted)
        login.attempts = [attempt]
        return login
    }

    private func route(_ seen: Observations) -> [SSHFinding] {
        DiagnosisRules.findings(seen).filter { $0.step == .route }
    }

    @Test("without a jump host the route is direct") func withoutAnyItIsDirect() {
        #expect(route(seen()) == [SSHFinding(.route, .ok, "Directly, without jump host or ProxyCommand.")])
    }

    @Test("a new host key of a jump host is a notice") func aNewHostKeyOfAJumpHostIsANotice() throws {
        let finding = try #require(
            route(
                seen(hosts: [Self.gate]) {
                    $0.hops[0].facts.login = login()
                    $0.hops[0].facts.hostKey = SSHHostKeyEvidence(
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

    @Test("the host at fault has the message, and hosts behind it are not reached")
    func theHostAtFaultHasTheWordsAndThoseBehindItAreNotReached() {
        let findings = route(
            seen(hosts: [Self.gate, SSHEndpoint(unchecked: "inner", port: 22, user: "ann")]) {
                $0.hops[0].facts.seconds = 1
                $0.error = failure(.hostKeyRejected, at: .hostKey, hop: 1, of: 3)
            })
        #expect(findings.map(\.level) == [.notReached, .failed])
        #expect(findings[1].text.hasPrefix("Jump host 1 of 2: The host key of gate port 22 ") && findings[1].durationSeconds == 1)
        #expect(findings[1]["hop"] == .integer(1) && findings[0]["outcome"] == .text("not-reached"))
    }

    /// A host that accepted the login and then failed has both findings.
    @Test("a host that fails later was reached") func aHostThatFailsLaterWasReached() {
        let findings = route(
            seen(hosts: [Self.gate]) {
                $0.hops[0].facts.login = login()
                $0.error = failure(.streamEnded, at: .session, hop: 1, of: 2)
            })
        #expect(findings.map(\.level) == [.ok, .failed])
    }

    @Test("a proxy command that fails", arguments: [false, true]) func aProxyCommandThatFails(isBeforeAJumpHost: Bool) {
        let findings = route(
            seen(hosts: isBeforeAJumpHost ? [Self.gate] : [], proxy: "nc %h") {
                $0.error = failure(
                    .proxyFailed(command: "nc %h", exitStatus: 1, standardError: "no"), at: .connect,
                    hop: isBeforeAJumpHost ? 1 : nil, of: 2)
            })
        #expect(findings.map(\.level) == (isBeforeAJumpHost ? [.notReached, .failed] : [.failed]))
        #expect(findings.last?["proxyCommand"] == .text("nc %h"))
    }

    @Test("a proxy command that runs has its time") func aProxyCommandThatRunsHasItsTime() {
        let findings = route(seen(proxy: "nc %h") { $0.facts.proxyStart = 0.5 })
        #expect(findings.map(\.level) == [.ok] && findings[0].durationSeconds == 0.5)
        #expect(route(seen(proxy: "nc %h")).map(\.level) == [.notReached])
    }

    /// A jump host's facts are not reported for another host.
    @Test("after a failed jump host the destination's steps are not reached") func theStepsOfTheDestinationAreNotReachedThen() {
        let findings = DiagnosisRules.findings(
            seen(hosts: [Self.gate]) { $0.error = failure(.hostKeyRejected, at: .hostKey, hop: 1, of: 2) })
        #expect(findings.filter { $0.step != .route }.allSatisfy { $0.level == .notReached && $0.durationSeconds == nil })
        #expect(findings.first { $0.step == .resolve }?.text == "Not looked at: the last jump host looks the name up.")
    }
}
