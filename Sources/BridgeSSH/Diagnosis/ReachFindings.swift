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
