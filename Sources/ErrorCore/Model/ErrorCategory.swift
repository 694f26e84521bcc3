/// The subject of an error: a bounded name for grouping in logs, metrics and JSON.
///
/// It is not an enum, so that an app can add categories of its own:
/// ```swift
/// extension ErrorCategory { static let payment: ErrorCategory = "payment" }
/// ```
public struct ErrorCategory: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible,
    CaseIterable
{
    /// The name as it is logged, in lower case.
    public let rawValue: String

    /// A category with this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A category with this name.
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
    /// A program that was executed.
    public static let command: ErrorCategory = "command"
    /// Files and disk space.
    public static let file: ErrorCategory = "file"
    /// Invalid input.
    public static let validation: ErrorCategory = "validation"
    /// A person or a program cancelled the operation.
    public static let cancelled: ErrorCategory = "cancelled"
    /// A bug in the app, or an error without a category.
    public static let `internal`: ErrorCategory = "internal"
    /// Permissions of a person or a program.
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
    /// The built-in categories, without an app's own.
    public static let allCases: [ErrorCategory] = [
        .network, .authentication, .trust, .protocol, .server, .command, .file, .validation, .cancelled, .internal, .permission,
        .agent, .persistence, .session, .project,
    ]
}
