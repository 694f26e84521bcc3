extension AppError {
    /// A case of ``AppError`` without its values: what text, codes and tables are keyed by.
    ///
    /// The raw value is the stable error code.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// There is no usable network.
        case networkUnavailable = "network.unavailable"
        /// Something took longer than it was allowed to.
        case timeout = "network.timeout"
        /// A server answered with a failure status (HTTP 5xx).
        case serverError = "network.server-error"
        /// TLS could not be set up or its certificate was refused.
        case sslError = "network.tls"
        /// A host name could not be resolved.
        case dnsError = "network.dns"
        /// A WebSocket could not be opened.
        case webSocketConnectionFailed = "websocket.connection-failed"
        /// An open WebSocket was closed, with the close code of RFC 6455 section 7.4 if one came.
        case webSocketDisconnected = "websocket.disconnected"
        /// A WebSocket message could not be understood.
        case webSocketMessageInvalid = "websocket.message-invalid"
        /// The peer did not answer a WebSocket ping in time.
        case webSocketPingTimeout = "websocket.ping-timeout"
        /// The endpoint does not exist (HTTP 404).
        case apiNotFound = "api.not-found"
        /// The request was refused as malformed (HTTP 400).
        case apiBadRequest = "api.bad-request"
        /// The request lacks valid credentials (HTTP 401).
        case apiUnauthorized = "api.unauthorized"
        /// Too many requests (HTTP 429); `retryAfter` is in seconds where the server named a wait.
        case apiRateLimited = "api.rate-limited"
        /// A response could not be decoded as `type`.
        case apiDecodingError = "api.decoding"
        /// A response lacks a field that it must have.
        case apiMissingField = "api.missing-field"
        /// The agent is at work on something else.
        case agentBusy = "agent.busy"
        /// An agent could not be created.
        case agentCreationFailed = "agent.creation-failed"
        /// The agent was stopped before it finished.
        case agentAborted = "agent.aborted"
        /// The agent failed while it worked.
        case agentExecutionError = "agent.execution"
        /// The agent has no session of this identifier.
        case agentSessionNotFound = "agent.session-not-found"
        /// The model that was asked for is not available.
        case agentModelUnavailable = "agent.model-unavailable"
        /// A tool was not allowed to do what it was asked to.
        case permissionDenied = "permission.denied"
        /// A tool's request for permission was not answered in time.
        case permissionTimeout = "permission.timeout"
        /// The permission system itself failed.
        case permissionSystemError = "permission.system"
        /// An SSH session could not be opened or kept.
        case sshConnectionFailed = "ssh.connection-failed"
        /// The server did not accept the user's credentials.
        case sshAuthenticationFailed = "ssh.authentication-failed"
        /// A remote command failed; `exitCode` is 128 + n when signal n ended it and -1 when its outcome is unknown.
        case sshCommandFailed = "ssh.command-failed"
        /// An SSH operation took longer than it was allowed to.
        case sshTimeout = "ssh.timeout"
        /// A private key cannot be used.
        case sshKeyInvalid = "ssh.key-invalid"
        /// The server's host key is not the one that is trusted, or none is.
        case sshHostKeyMismatch = "ssh.host-key-mismatch"
        /// The file does not exist.
        case fileNotFound = "file.not-found"
        /// The file could not be read.
        case fileReadError = "file.read"
        /// The file could not be written.
        case fileWriteError = "file.write"
        /// There is too little space, in bytes; 0 where a size is not known.
        case insufficientDiskSpace = "file.insufficient-disk-space"
        /// The file may not be accessed.
        case filePermissionDenied = "file.permission-denied"
        /// A value of `type` could not be encoded.
        case encodingError = "persistence.encoding"
        /// A value of `type` could not be decoded.
        case decodingError = "persistence.decoding"
        /// A database operation failed.
        case databaseError = "persistence.database"
        /// Stored data could not be migrated between two schema versions.
        case migrationError = "persistence.migration"
        /// An input is not acceptable.
        case validationError = "validation.invalid"
        /// A string is not a URL.
        case invalidURL = "validation.url"
        /// A path is not a project's.
        case invalidProjectPath = "validation.project-path"
        /// There is no session of this identifier.
        case sessionNotFound = "session.not-found"
        /// The session is archived and cannot be changed.
        case sessionArchived = "session.archived"
        /// A session could not be exported.
        case sessionExportFailed = "session.export-failed"
        /// A search through the sessions failed.
        case sessionSearchFailed = "session.search-failed"
        /// There is no project at this path.
        case projectNotFound = "project.not-found"
        /// A repository could not be cloned.
        case projectCloneFailed = "project.clone-failed"
        /// There is already a project at this path.
        case projectAlreadyExists = "project.already-exists"
        /// A person or a program gave up waiting.
        case cancelled = "general.cancelled"
        /// Not classified.
        case unknown = "general.unknown"
        /// A defect of the application itself.
        case internalError = "general.internal"
        /// Not available here, or not yet.
        case featureUnavailable = "general.feature-unavailable"

        /// The name of the case in Swift, as JSON has it.
        public var caseName: String { "\(self)" }
    }

    /// The case without its values.
    public var kind: Kind {
        switch self {
        case .networkUnavailable: .networkUnavailable
        case .timeout: .timeout
        case .serverError: .serverError
        case .sslError: .sslError
        case .dnsError: .dnsError
        case .webSocketConnectionFailed: .webSocketConnectionFailed
        case .webSocketDisconnected: .webSocketDisconnected
        case .webSocketMessageInvalid: .webSocketMessageInvalid
        case .webSocketPingTimeout: .webSocketPingTimeout
        case .apiNotFound: .apiNotFound
        case .apiBadRequest: .apiBadRequest
        case .apiUnauthorized: .apiUnauthorized
        case .apiRateLimited: .apiRateLimited
        case .apiDecodingError: .apiDecodingError
        case .apiMissingField: .apiMissingField
        case .agentBusy: .agentBusy
        case .agentCreationFailed: .agentCreationFailed
        case .agentAborted: .agentAborted
        case .agentExecutionError: .agentExecutionError
        case .agentSessionNotFound: .agentSessionNotFound
        case .agentModelUnavailable: .agentModelUnavailable
        case .permissionDenied: .permissionDenied
        case .permissionTimeout: .permissionTimeout
        case .permissionSystemError: .permissionSystemError
        case .sshConnectionFailed: .sshConnectionFailed
        case .sshAuthenticationFailed: .sshAuthenticationFailed
        case .sshCommandFailed: .sshCommandFailed
        case .sshTimeout: .sshTimeout
        case .sshKeyInvalid: .sshKeyInvalid
        case .sshHostKeyMismatch: .sshHostKeyMismatch
        case .fileNotFound: .fileNotFound
        case .fileReadError: .fileReadError
        case .fileWriteError: .fileWriteError
        case .insufficientDiskSpace: .insufficientDiskSpace
        case .filePermissionDenied: .filePermissionDenied
        case .encodingError: .encodingError
        case .decodingError: .decodingError
        case .databaseError: .databaseError
        case .migrationError: .migrationError
        case .validationError: .validationError
        case .invalidURL: .invalidURL
        case .invalidProjectPath: .invalidProjectPath
        case .sessionNotFound: .sessionNotFound
        case .sessionArchived: .sessionArchived
        case .sessionExportFailed: .sessionExportFailed
        case .sessionSearchFailed: .sessionSearchFailed
        case .projectNotFound: .projectNotFound
        case .projectCloneFailed: .projectCloneFailed
        case .projectAlreadyExists: .projectAlreadyExists
        case .cancelled: .cancelled
        case .unknown: .unknown
        case .internalError: .internalError
        case .featureUnavailable: .featureUnavailable
        }
    }
}
