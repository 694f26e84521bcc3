package import BridgeSSHFleet
internal import ErrorCore
internal import SSHRun

/// The host keys of many servers as one table. Hosts that share a key, or a state without a key, share a row.
package struct TrustTable: Sendable {
    private struct Row: Hashable {
        var state: String
        var key = ""
        var fingerprint = ""
        /// The known keys that the row's key contradicts, each on a line of its own.
        var known: [String] = []
    }

    private let review: TrustReview
    private let folded: @Sendable ([String]) -> String

    /// Names longer than this get a line of their own.
    private static let maximumNameWidth = 32

    /// - Parameter folded: folds names into one expression.
    package init(_ review: TrustReview, folded: @escaping @Sendable ([String]) -> String) {
        self.review = review
        self.folded = folded
    }

    /// The lines, with a heading. The keys to confirm come last.
    ///
    /// - Parameter width: the number of columns; nil for no limit. If a row is wider, its fingerprint gets a line of its own,
    ///   because a broken fingerprint cannot be compared.
    package func text(width: Int? = nil) -> String {
        var rows: [(row: Row, hosts: [String])] = []
        var places: [Row: Int] = [:]
        for state: TrustReview.State in [.known, .unreachable, .revoked, .changed, .new] {
            for entry in review.entries where entry.state == state {
                for row in self.rows(of: entry) {
                    if let place = places[row] {
                        rows[place].hosts += entry.target.hosts
                    } else {
                        places[row] = rows.count
                        rows.append((row, entry.target.hosts))
                    }
                }
            }
        }
        let lines = rows.flatMap { row, hosts in
            [[VisibleText.names(folded(hosts)), row.state, row.key, row.fingerprint]]
                + row.known.map { ["", "  known is", "", $0] }
        }
        return Self.aligned([["HOSTS", "STATE", "KEY", "FINGERPRINT"]] + lines, width)
    }

    private func rows(of entry: TrustReview.Entry) -> [Row] {
        let offers = entry.outcome.scan?.offers ?? []
        switch entry.state {
        case .known: return [Row(state: "known")]
        case .unreachable: return [Row(state: "unreachable", key: entry.outcome.error?.code.rawValue ?? "")]
        case .new: return offers.map { row("new", $0) }
        case .revoked:
            return offers.filter { if case .revoked = $0.verdict { true } else { false } }.map { row("REVOKED", $0) }
        case .changed:
            return offers.compactMap { offer in
                guard case .changed(_, let known) = offer.verdict else { return nil }
                var row = row("CHANGED", offer)
                row.known = known.map { TerminalText.escape("\($0.fingerprint) in \($0.location)") }
                return row
            }
        }
    }

    private func row(_ state: String, _ offer: SSHHostKeyScan.Offer) -> Row {
        let size = offer.key.bits.map { " \($0)" } ?? ""
        return Row(
            state: state, key: TerminalText.escape(offer.key.displayName) + size,
            fingerprint: TerminalText.escape(offer.key.fingerprint))
    }

    private static func aligned(_ rows: [[String]], _ width: Int?) -> String {
        let widths = (0..<3).map { column in
            rows.map { TerminalText.columns($0[column]) }.filter { column > 0 || $0 <= maximumNameWidth }.max() ?? 0
        }
        let most = widths.reduce(0) { $0 + $1 + 2 } + (rows.map { TerminalText.columns($0[3]) }.max() ?? 0)
        let isNarrow = width.map { $0 < most } ?? false
        func padded(_ text: String, _ column: Int) -> String {
            text + String(repeating: " ", count: max(0, widths[column] - TerminalText.columns(text)) + 2)
        }
        return rows.map { row in
            let isLong = TerminalText.columns(row[0]) > maximumNameWidth
            let start = isLong ? row[0] + "\n" + padded("", 0) : padded(row[0], 0)
            func trimmed(_ line: String) -> String { String(line.reversed().drop { $0 == " " }.reversed()) + "\n" }
            guard isNarrow, !row[3].isEmpty, row[0] != "HOSTS" else {
                return trimmed(start + padded(row[1], 1) + padded(row[2], 2) + (isNarrow ? "" : row[3]))
            }
            return trimmed(start + padded(row[1], 1) + padded(row[2], 2)) + "    " + row[3] + "\n"
        }.joined()
    }
}
