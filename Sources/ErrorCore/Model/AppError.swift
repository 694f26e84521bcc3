/// What went wrong, in the words of an application: the coarse, app-wide cases that an app switches over.
///
/// A frozen list by design: apps switch over it exhaustively. Finer verdicts live in the error types of the
/// domains (`SSHError` for SSH) and become one of these.
public enum AppError: Error, Sendable, Equatable, Hashable, Codable {
    // MARK: Network

    /// There is no usable network.
    case networkUnavailable
    /// Something took longer than it was allowed to.
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
    /// An open WebSocket was closed, with the close code of RFC 6455 section 7.4 if one came.
    case webSocketDisconnected(code: Int?, reason: String?)
    /// A WebSocket message could not be understood.
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
    /// Too many requests (HTTP 429); `retryAfter` is in seconds where the server named a wait.
    case apiRateLimited(retryAfter: Int?)
    /// A response could not be decoded as `type`.
    case apiDecodingError(type: String, detail: String)
    /// A response lacks a field that it must have.
    case apiMissingField(field: String)

    // MARK: Agent

    /// The agent is at work on something else.
    case agentBusy
    /// An agent could not be created.
    case agentCreationFailed(reason: String)
    /// The agent was stopped before it finished.
    case agentAborted
    /// The agent failed while it worked.
    case agentExecutionError(message: String)
    /// The agent has no session of this identifier.
    case agentSessionNotFound(sessionId: String)
    /// The model that was asked for is not available.
    case agentModelUnavailable(model: String)

    // MARK: Permissions

    /// A tool was not allowed to do what it was asked to.
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
    /// A remote command failed; `exitCode` is 128 + n when signal n ended it and -1 when its outcome is unknown.
    case sshCommandFailed(command: String, exitCode: Int, stderr: String?)
    /// An SSH operation took longer than it was allowed to.
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
    /// There is too little space, in bytes; 0 where a size is not known.
    case insufficientDiskSpace(required: Int64, available: Int64)
    /// The file may not be accessed.
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
    /// A path is not a project's.
    case invalidProjectPath(path: String)

    // MARK: Session

    /// No session has this identifier.
    case sessionNotFound(id: String)
    /// The session is archived and cannot be changed.
    case sessionArchived(id: String)
    /// A session could not be exported.
    case sessionExportFailed(reason: String)
    /// A search through the sessions failed.
    case sessionSearchFailed(query: String, reason: String)

    // MARK: Project

    /// There is no project at this path.
    case projectNotFound(path: String)
    /// A repository could not be cloned.
    case projectCloneFailed(url: String, reason: String)
    /// There is already a project at this path.
    case projectAlreadyExists(path: String)

    // MARK: General

    /// A person or a program gave up waiting.
    case cancelled
    /// Not classified.
    case unknown(message: String)
    /// A defect of the application itself.
    case internalError(detail: String)
    /// Not available here, or not yet.
    case featureUnavailable(feature: String)
}
