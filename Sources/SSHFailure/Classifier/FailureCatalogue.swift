import ErrorCore

/// Every failure code that this version can give. A code is in it because a rule gives it.
package enum FailureCatalogue {
    /// All codes, in the order of a run.
    package static let codes: [SSHError.Code] = {
        var seen: Set<SSHError.Code> = []
        let given = SSHFailureClassifier.allRules.map(\.code).filter { seen.insert($0).inserted }
        let byStage = Dictionary(grouping: given, by: \.stage)
        return SSHStage.allCases.flatMap { byStage[$0] ?? [] }
    }()

    private static let bySpelling = Dictionary(codes.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    /// What holds for a code; for one that this version does not know, what holds for an unclassified failure.
    package static func definition(of code: SSHError.Code) -> FailureDefinition {
        (code.written ?? bySpelling[code.rawValue]?.written)?() ?? unknownCode
    }

    /// What holds for a code of another version: nothing is known, so nothing is promised.
    private static let unknownCode = FailureDefinition(
        .internalError, .internal, retry: .never, exit: .unclassified,
        title: "SSH Failure", meaning: "An SSH failure that this version does not know.", remedy: "Update bridge-ssh.",
        example: "a code of a later version")
}

extension SSHError.Code {
    /// Every code that this version can give, in the order of a run.
    public static var known: [SSHError.Code] { FailureCatalogue.codes }
    /// One sentence that holds for every failure of this code.
    public var meaning: String { FailureCatalogue.definition(of: self).meaning }
    /// What a failure of this code is, in one to four words.
    public var title: String { FailureCatalogue.definition(of: self).title }
}

extension SSHError {
    /// What holds for every failure of its code.
    var definition: FailureDefinition { FailureCatalogue.definition(of: code) }
}
