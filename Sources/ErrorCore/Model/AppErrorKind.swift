extension AppError {
    /// A case of ``AppError`` without its values: the key of texts, codes and tables.
    ///
    /// The raw value is the stable error code.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// There is no usable network.
        case networkUnavailable = "network.unavailable"
        /// An operation took longer than its time limit.
        case timeout = "network.timeout"
        /// A server answered with a failure status (HTTP 5xx).
        case serverError = "network.server-error"
        /// TLS could not be set up or its certificate was refused.
        case sslError = "network.tls"
        /// A host name could not be resolved.
        case dnsError = "network.dns"
        /// A WebSocket could not be opened.
        case webSocketConnectionFailed = "websocket.connection-failed"
        /// An open WebSocket was closed; the close code is that of RFC 6455 section 7.4, if one came.
        case webSocketDisconnected = "websocket.disconnected"
        /// A WebSocket message is invalid.
        case webSocketMessageInvalid = "websocket.message-invalid"
        /// The peer did not answer a WebSocket ping in time.
        case webSocketPingTimeout = "websocket.ping-timeout"
        /// The endpoint does not exist (HTTP 404).
        case apiNotFound = "api.not-found"
        /// The request was refused as malformed (HTTP 400).
        case apiBadRequest = "api.bad-request"
        /// The request lacks valid credentials (HTTP 401).
        case apiUnauthorized = "api.unauthorized"
        /// Too many requests (HTTP 429); `retryAfter` is in seconds, if the server named a wait.
        case apiRateLimited = "api.rate-limited"
        /// A response could not be decoded as `type`.
        case apiDecodingError = "api.decoding"
        /// A response lacks a required field.
        case apiMissingField = "api.missing-field"
        /// The agent is busy.
        case agentBusy = "agent.busy"
        /// An agent could not be created.
        case agentCreationFailed = "agent.creation-failed"
        /// The agent was stopped before it finished.
        case agentAborted = "agent.aborted"
        /// The agent failed while it worked.
        case agentExecutionError = "agent.execution"
        /// The agent has no session with this identifier.
        case agentSessionNotFound = "agent.session-not-found"
        /// The requested model is not available.
        case agentModelUnavailable = "agent.model-unavailable"
        /// A tool was denied permission for an operation.
        case permissionDenied = "permission.denied"
        /// A tool's request for permission was not answered in time.
        case permissionTimeout = "permission.timeout"
        /// The permission system itself failed.
        case permissionSystemError = "permission.system"
        /// An SSH session could not be opened or kept.
        case sshConnectionFailed = "ssh.connection-failed"
        /// The server did not accept the user's credentials.
        case sshAuthenticationFailed = "ssh.authentication-failed"
        /// A remote command failed; `exitCode` is 128 + n if signal n ended it, and -1 if its outcome is unknown.
        case sshCommandFailed = "ssh.command-failed"
        /// An SSH operation took longer than its time limit.
        case sshTimeout = "ssh.timeout"
        /// A private key cannot be used.
        case sshKeyInvalid = "ssh.key-invalid"
        /// The server's host key differs from the trusted key, or no key is trusted.
        case sshHostKeyMismatch = "ssh.host-key-mismatch"
        /// The file does not exist.
        case fileNotFound = "file.not-found"
        /// The file could not be read.
        case fileReadError = "file.read"
        /// The file could not be written.
        case fileWriteError = "file.write"
        /// There is too little space, in bytes; 0 if a size is unknown.
        case insufficientDiskSpace = "file.insufficient-disk-space"
        /// Access to the file is denied.
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
        /// A path does not belong to a project.
        case invalidProjectPath = "validation.project-path"
        /// No session has this identifier.
        case sessionNotFound = "session.not-found"
        /// The session is archived and cannot be changed.
        case sessionArchived = "session.archived"
        /// A session could not be exported.
        case sessionExportFailed = "session.export-failed"
        /// A search in the sessions failed.
        case sessionSearchFailed = "session.search-failed"
        /// There is no project at this path.
        case projectNotFound = "project.not-found"
        /// A repository could not be cloned.
        case projectCloneFailed = "project.clone-failed"
        /// There is already a project at this path.
        case projectAlreadyExists = "project.already-exists"
        /// A person or a program cancelled the operation.
        case cancelled = "general.cancelled"
        /// Not classified.
        case unknown = "general.unknown"
        /// A bug in the application itself.
        case internalError = "general.internal"
        /// Not available, or not available yet.
        case featureUnavailable = "general.feature-unavailable"

        /// The name of the case in Swift and in JSON.
        public var caseName: String { Self.caseNames[self] ?? rawValue }

        /// The names are made once, by reflection.
        private static let caseNames = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "\($0)") })
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
