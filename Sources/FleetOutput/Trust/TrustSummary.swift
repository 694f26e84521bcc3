package import BridgeSSHFleet
internal import ErrorCore
internal import SSHRun

/// The result of examining many servers' host keys, as a text and as an exit status.
package struct TrustSummary: Sendable {
    private let entries: [TrustReview.Entry]
    private let folded: @Sendable ([String]) -> String

    package init(_ reviews: [TrustReview], folded: @escaping @Sendable ([String]) -> String) {
        entries = reviews.flatMap(\.entries)
        self.folded = folded
    }

    /// The hosts as results of a run.
    private var results: [FleetHostResult] {
        entries.flatMap { entry in
            entry.target.hosts.map {
                FleetHostResult(
                    host: $0, outcome: entry.outcome.error == nil ? .ok : .error, attempts: 1, error: entry.outcome.error)
            }
        }
    }

    /// 0 if all hosts are known now.
    package func exitStatus(_ convention: SSHExitStatus.Convention) -> SSHExitStatus {
        var tally = FleetTally(convention: convention)
        for result in results { tally.add(result) }
        return SSHExitStatus(rawValue: Int32(tally.summary(run: "", duration: .zero, folded: folded).exitStatus))
    }

    /// The hosts that did not answer in time.
    package var silent: [String] {
        entries.filter { $0.outcome.error?.exitStatus == .timedOut }.flatMap(\.target.hosts)
    }

    /// The written keys, by file.
    package var written: String {
        var files: [String: (keys: Int, hosts: [String])] = [:]
        for entry in entries {
            for case .added(let place) in entry.outcome.actions {
                files[place.file, default: (0, [])].keys += 1
                if files[place.file]?.hosts.last != entry.target.hosts.last { files[place.file]?.hosts += entry.target.hosts }
            }
        }
        return files.sorted { $0.key < $1.key }.map { file, content in
            let keys = content.keys == 1 ? "1 key" : "\(content.keys) keys"
            return "Now known: \(keys) of \(VisibleText.names(folded(content.hosts))) in \(TerminalText.escape(file))\n"
        }.joined()
    }

    /// The failures by cause, each remedy once, and the totals.
    package func closing(_ form: OutputForm) -> String {
        var failures = FailureGroups()
        for result in results { failures.add(result) }
        let counts = [
            ("known", count { $0.state == .known && $0.outcome.error == nil }),
            ("now known", count { $0.state == .new && $0.outcome.error == nil }),
            ("new and not remembered", count { $0.state == .new && $0.outcome.error != nil }),
            ("changed", count { $0.state == .changed }), ("revoked", count { $0.state == .revoked }),
            ("unreachable", count { $0.state == .unreachable }),
        ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        let sum = "\(Formatted.hosts(results.count)): " + counts.joined(separator: ", ")
        return form.own((failures.lines(form, folded: folded) + [sum]).joined(separator: "\n") + "\n")
    }

    private func count(_ isCounted: (TrustReview.Entry) -> Bool) -> Int {
        entries.reduce(0) { $0 + (isCounted($1) ? $1.target.hosts.count : 0) }
    }
}
