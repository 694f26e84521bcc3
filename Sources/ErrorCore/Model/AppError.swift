/// An application's view of what went wrong: the coarse, app-wide cases.
///
/// The list of cases is frozen by design, so that apps can switch over it exhaustively. Domains have finer error types
/// (`SSHError` for SSH), which become one of these cases.
public enum AppError: Error, Sendable, Equatable, Hashable, Codable {
    // MARK: Network

    /// There is no usable network.
    case networkUnavailable
    /// An operation took longer than its time limit.
    case timeout(seconds: Int)
    /// A server answered with a failure status (HTTP 5xx).
    case serverError(status: Int, message: String?)
    /// TLS could not be set up or its certificate was refused.
    case sslError(description: String)
    /// A host name could not be resolved.
    case dnsError(host: String)

    // MARK: WebSocket

    /// A WebSocket could not be opened.
    case webSocketConnectionFailed(reason: String)
    /// An open WebSocket was closed; `code` is the close code (RFC 6455 section 7.4), if one came.
    case webSocketDisconnected(code: Int?, reason: String?)
    /// A WebSocket message is invalid.
    case webSocketMessageInvalid(detail: String)
    /// The peer did not answer a WebSocket ping in time.
    case webSocketPingTimeout

    // MARK: API

    /// The endpoint does not exist (HTTP 404).
    case apiNotFound(endpoint: String)
    /// The request was refused as malformed (HTTP 400).
    case apiBadRequest(message: String)
    /// The request lacks valid credentials (HTTP 401).
    case apiUnauthorized
    /// Too many requests (HTTP 429); `retryAfter` is in seconds, if the server named a wait.
    case apiRateLimited(retryAfter: Int?)
    /// A response could not be decoded as `type`.
    case apiDecodingError(type: String, detail: String)
    /// A response lacks a required field.
    case apiMissingField(field: String)

    // MARK: Agent

    /// The agent is busy.
    case agentBusy
    /// An agent could not be created.
    case agentCreationFailed(reason: String)
    /// The agent was stopped before it finished.
    case agentAborted
    /// The agent failed while it worked.
    case agentExecutionError(message: String)
    /// The agent has no session with this identifier.
    case agentSessionNotFound(sessionId: String)
    /// The requested model is not available.
    case agentModelUnavailable(model: String)

    // MARK: Permissions

    /// A tool was denied permission for an operation.
    case permissionDenied(tool: String)
    /// A tool's request for permission was not answered in time.
    case permissionTimeout(tool: String, seconds: Int)
    /// The permission system itself failed.
    case permissionSystemError(detail: String)

    // MARK: SSH

    /// An SSH session could not be opened or kept.
    case sshConnectionFailed(host: String, reason: String)
    /// The server did not accept the user's credentials.
    case sshAuthenticationFailed(method: String)
    /// A remote command failed; `exitCode` is 128 + n if signal n ended it, and -1 if its outcome is unknown.
    case sshCommandFailed(command: String, exitCode: Int, stderr: String?)
    /// An SSH operation took longer than its time limit.
    case sshTimeout(seconds: Int)
    /// A private key cannot be used.
    case sshKeyInvalid(reason: String)
    /// The server's host key differs from the trusted key, or no key is trusted.
    case sshHostKeyMismatch(host: String)

    // MARK: Files

    /// The file does not exist.
    case fileNotFound(path: String)
    /// The file could not be read.
    case fileReadError(path: String, reason: String)
    /// The file could not be written.
    case fileWriteError(path: String, reason: String)
    /// There is too little space, in bytes; 0 if a size is unknown.
    case insufficientDiskSpace(required: Int64, available: Int64)
    /// Access to the file is denied.
    case filePermissionDenied(path: String)

    // MARK: Persistence

    /// A value of `type` could not be encoded.
    case encodingError(type: String, detail: String)
    /// A value of `type` could not be decoded.
    case decodingError(type: String, detail: String)
    /// A database operation failed.
    case databaseError(operation: String, detail: String)
    /// Stored data could not be migrated between two schema versions.
    case migrationError(from: Int, to: Int, reason: String)

    // MARK: Validation

    /// An input is not acceptable.
    case validationError(field: String, message: String)
    /// A string is not a URL.
    case invalidURL(string: String)
    /// A path does not belong to a project.
    case invalidProjectPath(path: String)

    // MARK: Session

    /// No session has this identifier.
    case sessionNotFound(id: String)
    /// The session is archived and cannot be changed.
    case sessionArchived(id: String)
    /// A session could not be exported.
    case sessionExportFailed(reason: String)
    /// A search in the sessions failed.
    case sessionSearchFailed(query: String, reason: String)

    // MARK: Project

    /// There is no project at this path.
    case projectNotFound(path: String)
    /// A repository could not be cloned.
    case projectCloneFailed(url: String, reason: String)
    /// There is already a project at this path.
    case projectAlreadyExists(path: String)

    // MARK: General

    /// A person or a program cancelled the operation.
    case cancelled
    /// Not classified.
    case unknown(message: String)
    /// A bug in the application itself.
    case internalError(detail: String)
    /// A feature that is not available, or not yet.
    case featureUnavailable(feature: String)
}

/// An error of a feature or library that knows its app-wide case.
public protocol AppErrorConvertible: Error {
    /// The app-wide case for this error.
    var appError: AppError { get }
}
