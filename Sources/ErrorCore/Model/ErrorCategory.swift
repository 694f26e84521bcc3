/// What an error is about: the bounded name that logs, metrics and JSON group by.
///
/// Not an enum, so that an app can add a category of its own:
/// ```swift
/// extension ErrorCategory { static let payment: ErrorCategory = "payment" }
/// ```
public struct ErrorCategory: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible,
    CaseIterable
{
    /// The name as it is logged, in lower case.
    public let rawValue: String

    /// A category of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A category of this name.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The name.
    public var description: String { rawValue }
}

extension ErrorCategory {
    /// Reaching something over a network.
    public static let network: ErrorCategory = "network"
    /// The identity of a user.
    public static let authentication: ErrorCategory = "authentication"
    /// The identity of the other side: host keys, certificates.
    public static let trust: ErrorCategory = "trust"
    /// A message that does not follow the protocol.
    public static let `protocol`: ErrorCategory = "protocol"
    /// The other side failed or refused.
    public static let server: ErrorCategory = "server"
    /// A program that was run.
    public static let command: ErrorCategory = "command"
    /// Files and the space for them.
    public static let file: ErrorCategory = "file"
    /// Input that is not acceptable.
    public static let validation: ErrorCategory = "validation"
    /// A person or a program gave up.
    public static let cancelled: ErrorCategory = "cancelled"
    /// A defect of the app, or an error without a category.
    public static let `internal`: ErrorCategory = "internal"
    /// What a person or a program is allowed to do.
    public static let permission: ErrorCategory = "permission"
    /// An agent and its models.
    public static let agent: ErrorCategory = "agent"
    /// Stored data: its coding, its database, its schema.
    public static let persistence: ErrorCategory = "persistence"
    /// The sessions that an app keeps.
    public static let session: ErrorCategory = "session"
    /// The projects that an app keeps.
    public static let project: ErrorCategory = "project"
}

extension ErrorCategory {
    /// The categories that ship. An app's own are not among them.
    public static let allCases: [ErrorCategory] = [
        .network, .authentication, .trust, .protocol, .server, .command, .file, .validation, .cancelled, .internal, .permission,
        .agent, .persistence, .session, .project,
    ]
}
