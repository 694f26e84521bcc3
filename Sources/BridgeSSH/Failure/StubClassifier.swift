enum FailureClassifier {
    static func classify(_ e: Evidence) -> SSHError {
        SSHError(code: .init(rawValue: "stub"), message: "\(e)", hint: "", confidence: .guess, retry: .never, evidence: e)
    }
}
