extension SSHError.Code {
    /// Every code that this version can give, in the order of a run.
    public static var known: [SSHError.Code] { FailureCatalogue.rows.map(\.code) }
    /// One sentence that holds for every failure of this code.
    public var meaning: String { FailureCatalogue.row(self).meaning }
    /// What a failure of this code is, in one to four words.
    public var title: String { FailureCatalogue.row(self).title }
}
