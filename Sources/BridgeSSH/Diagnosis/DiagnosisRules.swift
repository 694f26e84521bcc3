/// Turns observations into findings. It is pure, and has one function per step.
enum DiagnosisRules {
    /// The findings of every step, in order.
    static func findings(_ seen: Observations) -> [SSHFinding] {
        SSHDiagnosisStep.allCases.flatMap { step -> [SSHFinding] in
            var found = findings(about: step, seen)
            if seen.failedStep == step, let error = seen.error { report(error, step, in: &found) }
            if found.isEmpty { return [notReached(step, seen)] }
            if let seconds = seconds(of: step, seen), found[0].durationSeconds == nil { found[0].durationSeconds = seconds }
            return found
        }
    }

    private static func findings(about step: SSHDiagnosisStep, _ seen: Observations) -> [SSHFinding] {
        switch step {
        case .route: RouteFindings.all(seen)
        case .resolve: ReachFindings.resolve(seen)
        case .connect: ReachFindings.connect(seen)
        case .identification: ReachFindings.identification(seen)
        case .algorithms: AlgorithmFindings.all(seen)
        case .hostKey: HostKeyFindings.all(seen)
        case .methods: CredentialFindings.methods(seen)
        case .credentials: CredentialFindings.all(seen)
        case .channel: ShellFindings.channel(seen)
        case .exec: ShellFindings.exec(seen)
        case .clock: ShellFindings.clock(seen)
        case .noise: ShellFindings.noise(seen)
        case .path: ShellFindings.path(seen)
        }
    }

    /// Puts the error into its step once: into the finding that was left without text, or the finding about the only address, or
    /// else into a new finding at the end.
    private static func report(_ error: SSHError, _ step: SSHDiagnosisStep, in found: inout [SSHFinding]) {
        var finding = SSHFinding(step, .failed, "")
        if let index = found.firstIndex(where: { $0.text.isEmpty }) {
            finding = found.remove(at: index)
        } else if step == .connect, found.count == 1, found[0].level == .failed {
            finding = found.removeFirst()
        }
        finding.text = error.message
        finding.remedyText = error.remedyText
        finding.details += [.init("code", .text(error.code.rawValue)), .init("title", .text(error.title))]
        found.append(finding)
    }

    private static func notReached(_ step: SSHDiagnosisStep, _ seen: Observations) -> SSHFinding {
        let why =
            RouteFindings.reason(step, seen)
            ?? (seen.error == nil ? "our command did not run" : "something else failed first")
        return SSHFinding(step, .notReached, "Not looked at: \(why).")
    }

    private static func seconds(of step: SSHDiagnosisStep, _ seen: Observations) -> Double? {
        let stage: SSHStage? =
            switch step {
            case .resolve: .resolve
            case .connect: .connect
            case .identification: .banner
            case .algorithms: .keyExchange
            case .hostKey: .hostKey
            case .credentials: .authentication
            case .channel: .channel
            case .exec: .command
            case .route, .methods, .clock, .noise, .path: nil
            }
        return stage.flatMap { seen.durations[$0] }
    }
}

/// Findings about the network path to the server.
enum ReachFindings {
    static func resolve(_ seen: Observations) -> [SSHFinding] {
        let addresses = seen.facts.addresses
        guard !addresses.isEmpty else { return [] }
        let host = seen.endpoint.host.oneLine(100)
        // An address resolves to itself: without the port it equals the host.
        let isAddress = addresses.count == 1 && addresses[0].filter { $0 != "[" && $0 != "]" }.hasPrefix(seen.endpoint.host)
        let text =
            isAddress
            ? "\(host) is an address; no name had to be looked up."
            : "\(host) has \(addresses.count == 1 ? "one address" : "\(addresses.count) addresses"): "
                + addresses.map { String($0[..<($0.lastIndex(of: ":") ?? $0.endIndex)]) }.listed() + "."
        return [SSHFinding(.resolve, .ok, text, details: [.init("addresses", .texts(addresses))])]
    }

    static func connect(_ seen: Observations) -> [SSHFinding] {
        if let hop = seen.hops.last, seen.facts.isTunnelled {
            return [
                SSHFinding(
                    .connect, .ok, "\(hop.endpoint.host.oneLine(100)) has connected to \(seen.endpoint.place.oneLine(120)).")
            ]
        }
        let outcomes = seen.addressOutcomes
        let someAnswer = outcomes.contains { $0.result == .open }
        return outcomes.map { outcome in
            var finding = SSHFinding(
                .connect, someAnswer ? .notice : .failed, "", remedy: "", durationSeconds: outcome.seconds,
                details: [.init("address", .text(outcome.address)), .init("outcome", .text(outcome.result.name))])
            switch outcome.result {
            case .open:
                finding.level = .ok
                finding.text = "\(outcome.address) is open."
            case .failed(let number):
                finding.text = "\(outcome.address): \(SystemError.text(number))."
                finding.details.append(.init("errno", .integer(Int(number))))
            case .unanswered:
                finding.text = "\(outcome.address) did not answer within \(outcome.seconds.inSeconds)."
            }
            if someAnswer, outcome.result != .open {
                finding.advice =
                    "Another address works, but clients that try this one first must wait or fail: let the server listen on it, or "
                    + "remove it from the name's addresses."
            }
            return finding
        }
    }

    static func identification(_ seen: Observations) -> [SSHFinding] {
        guard let evidence = seen.evidence, let line = evidence.identification else { return [] }
        var findings = [
            SSHFinding(.identification, .ok, line.oneLine(), details: [.init("identification", .text(line))])
        ]
        if line.hasPrefix("SSH-1.99-") {
            findings.append(
                SSHFinding(
                    .identification, .weak, "The server still speaks SSH-1 too, which is broken (RFC 4253 section 5.1).",
                    advice: "Turn version 1 off there, or update the server."))
        }
        let before = evidence.linesBeforeIdentification
        if !before.isEmpty {
            findings.append(
                SSHFinding(
                    .identification, .notice,
                    "\(before.count == 1 ? "A line comes" : "\(before.count) lines come") before the identification: "
                        + "\"\(before[0].oneLine(80))\". Some clients cannot read that (RFC 4253 section 4.2).",
                    remedy: "A text for people belongs into the file that \(setting: "Banner") in sshd_config names.",
                    details: [.init("linesBefore", .texts(before))]))
        }
        return findings
    }
}

extension AddressOutcome.ConnectResult {
    /// `open`, `refused`, `timed-out` or `failed`.
    var name: String {
        switch self {
        case .open: "open"
        case .unanswered: "timed-out"
        case .failed(let number):
            switch SystemError.connectFailure(number) {
            case .refused: "refused"
            case .timedOut: "timed-out"
            default: "failed"
            }
        }
    }
}

/// Findings about the jump hosts or the ProxyCommand on the route.
enum RouteFindings {
    static func all(_ seen: Observations) -> [SSHFinding] {
        if seen.proxyCommand == nil, seen.hops.isEmpty {
            return [SSHFinding(.route, .ok, "Directly, without jump host or ProxyCommand.")]
        }
        return (seen.proxyCommand.map { [proxy($0, seen)] } ?? []) + seen.hops.map { hop($0, seen) }
    }

    /// Why this client cannot examine a step; nil if it can.
    static func reason(_ step: SSHDiagnosisStep, _ seen: Observations) -> String? {
        switch step {
        case .resolve where !seen.hops.isEmpty: "the last jump host looks the name up"
        case .resolve where seen.proxyCommand != nil: "the ProxyCommand knows the way"
        case .connect where seen.hops.isEmpty && seen.proxyCommand != nil: "the ProxyCommand carries the connection"
        default: nil
        }
    }

    private static func proxy(_ command: String, _ seen: Observations) -> SSHFinding {
        let details: [SSHFinding.Detail] = [.init("proxyCommand", .text(command))]
        if case .proxyFailed? = seen.error?.evidence.event { return SSHFinding(.route, .failed, "", details: details) }
        let name = "the ProxyCommand \"\(command.oneLine(200))\""
        guard let seconds = seen.nearest.proxyStart else {
            return SSHFinding(.route, .notReached, "Through \(name): not started.", details: details)
        }
        return SSHFinding(.route, .ok, "Through \(name): started.", remedy: "", durationSeconds: seconds, details: details)
    }

    // MARK: Jump hosts

    private static func hop(_ hop: ObservedHop, _ seen: Observations) -> SSHFinding {
        var finding = SSHFinding(
            .route, .notReached, "Through \(hop.endpoint.host.oneLine(100)): not reached.", remedy: "",
            durationSeconds: hop.facts.seconds,
            details: [.init("hop", .integer(hop.number)), .init("endpoint", .text(hop.endpoint.description))])
        if let login = hop.facts.login {
            passed(hop, login, &finding)
        } else if isAtFault(hop, seen) {
            // The error supplies the text.
            (finding.level, finding.text) = (.failed, "")
            finding.details.append(.init("outcome", .text("failed")))
        } else {
            finding.durationSeconds = nil
            finding.details.append(.init("outcome", .text("not-reached")))
        }
        return finding
    }

    private static func passed(_ hop: ObservedHop, _ login: SSHAuthenticationEvidence, _ finding: inout SSHFinding) {
        finding.level = .ok
        finding.text =
            "Through \(hop.endpoint.host.oneLine(100)): reached, logged in as \(hop.endpoint.user.oneLine(40))"
        if let accepted = login.attempts.last(where: { $0.outcome == .accepted }) {
            finding.text += " by \(accepted.method.oneLine(40))"
            finding.details.append(.init("credential", .text(accepted.credential)))
        }
        finding.text += "."
        finding.details.append(.init("outcome", .text("logged-in")))
        guard let key = hop.facts.hostKey else { return }
        finding.details.append(.init("fingerprint", .text(key.fingerprint)))
        guard hop.facts.hostKeyWasNew else { return }
        finding.level = .notice
        finding.text += " Its host key \(key.fingerprint) was not known before."
        finding.advice = "Compare it with what that host's administrator tells you."
    }

    /// Whether this host failed, before authentication succeeded.
    private static func isAtFault(_ hop: ObservedHop, _ seen: Observations) -> Bool {
        guard let error = seen.error, let place = error.evidence.hop, place.number == hop.number else { return false }
        if case .proxyFailed = error.evidence.event { return false }
        return true
    }
}
