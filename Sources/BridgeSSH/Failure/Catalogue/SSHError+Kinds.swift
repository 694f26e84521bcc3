extension SSHError {
    /// How bad a failure is.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing to do.
        case info
        /// It passes by itself, or a person only has to decide something.
        case warning
        /// Something has to be changed.
        case error
        /// Somebody may be listening in.
        case critical
    }

    /// What a failure is about.
    public enum Category: String, Sendable, Hashable, Codable, CaseIterable {
        /// Names, routes, connections.
        case network
        /// Who we say we are.
        case authentication
        /// Who the server says it is.
        case trust
        /// What is said on the wire.
        case `protocol`
        /// The server's load or rules.
        case server
        /// The remote command.
        case command
        /// A file on this machine.
        case file
        /// What the caller asked for.
        case validation
        /// The caller gave up.
        case cancelled
        /// A defect or a lack of resources here.
        case `internal`
    }

    /// What the failure is about.
    public var category: Category { FailureCatalogue.row(code).category }
    /// How bad it is.
    public var severity: Severity { FailureCatalogue.row(code).severity }
    /// What it is, in one to four words.
    public var title: String { FailureCatalogue.row(code).title }
}

extension SSHError.Code {
    /// Every code that this version can give, in the order of a run.
    public static var known: [SSHError.Code] { FailureCatalogue.rows.map(\.code) }
    /// One sentence that holds for every failure of this code.
    public var meaning: String { FailureCatalogue.row(self).meaning }
    /// What a failure of this code is, in one to four words.
    public var title: String { FailureCatalogue.row(self).title }
}
