import BridgeSSH

/// Precision and recall over the whole corpus.
struct Measurement: Sendable, CustomStringConvertible {
    let judgements: [Judgement]

    /// The number of different outputs, including the status.
    var distinctOutputs: Int { Set(judgements.map(\.outcome)).count }

    /// Entries that have a cause.
    var withCause: [Judgement] { judgements.filter { if case .cause = $0.entry.expectation { true } else { false } } }

    /// Precision: the share of right causes among those found with this confidence, or among all found causes.
    func precision(_ confidences: Set<SSHError.Confidence>) -> Double {
        let found = found(confidences)
        return found.isEmpty ? 1 : Double(found.count { $0.verdict == .right }) / Double(found.count)
    }

    /// Recall: the share of the expected causes that are found correctly.
    var recall: Double { Double(withCause.count { $0.verdict == .right }) / Double(max(1, withCause.count)) }

    /// The same, counting only causes found as `likely` or better.
    var firmRecall: Double {
        let firm = withCause.count { $0.verdict == .right && $0.found?.confidence != .guess }
        return Double(firm) / Double(max(1, withCause.count))
    }

    func found(_ confidences: Set<SSHError.Confidence>) -> [Judgement] {
        judgements.filter { $0.found.map { confidences.contains($0.confidence) } ?? false }
    }

    var description: String {
        func line(_ name: String, _ confidences: Set<SSHError.Confidence>) -> String {
            let found = found(confidences)
            return
                "  \(name): \(found.count { $0.verdict == .right }) of \(found.count) right (\(Self.percent(precision(confidences))))"
        }
        return """
            \(judgements.count) commands run, \(distinctOutputs) distinct outputs, \(withCause.count) with a cause, \
            \(judgements.count - withCause.count) without
            precision of the causes found:
            \(line("exact", [.exact]))
            \(line("likely", [.likely]))
            \(line("guess", [.guess]))
            recall: \(withCause.count { $0.verdict == .right }) of \(withCause.count) (\(Self.percent(recall))), \
            found as exact or likely \(Self.percent(firmRecall))
            """
    }

    private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
}
