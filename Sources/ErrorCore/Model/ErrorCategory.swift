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

/// A colour by name, which a view turns into its platform's own.
public enum ErrorTint: String, Sendable, Hashable, Codable, CaseIterable {
    case blue, brown, gray, green, indigo, orange, pink, purple, red, teal, yellow
}

extension ErrorSeverity {
    /// The colour of the severity.
    public var tint: ErrorTint {
        switch self {
        case .info: .blue
        case .warning: .yellow
        case .error, .critical: .red
        }
    }
}

/// How bad an error is for the person it happens to.
///
/// Ordered: `info < warning < error < critical`. The raw values are the ones of logs and JSON.
public enum ErrorSeverity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Nothing is wrong; something has to wait or is worth knowing.
    case info
    /// It will probably pass, or a small change helps.
    case warning
    /// What was asked for did not happen.
    case error
    /// Data, trust or the app itself is at stake.
    case critical

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        case .critical: 3
        }
    }

    /// Whether the left one is the less severe.
    public static func < (left: ErrorSeverity, right: ErrorSeverity) -> Bool {
        left.rank < right.rank
    }
}
