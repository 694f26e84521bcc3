/// The result of diagnosing one connection: everything that was found, good or bad.
public struct SSHDiagnosis: Sendable, Hashable, Codable {
    /// The host of the connection.
    public var host: String
    /// The host as the user named it.
    public var name: String
    /// The TCP port.
    public var port: Int
    /// The user name at the server.
    public var user: String
    /// The findings, in the order of ``SSHDiagnosisStep``; at least one per step.
    public var findings: [SSHFinding]
    /// The error that ended the diagnosis early, as it would end a run; nil if all steps were reached.
    public var error: SSHError?
    package var durationSeconds: Double
    /// The duration of the diagnosis.
    public var duration: Duration {
        get { .bounded(seconds: durationSeconds) }
        set { durationSeconds = newValue.seconds }
    }

    /// A diagnosis.
    public init(endpoint: SSHEndpoint, findings: [SSHFinding], error: SSHError? = nil, duration: Duration = .zero) {
        self.init(endpoint: endpoint, findings: findings, error: error, durationSeconds: duration.seconds)
    }

    package init(endpoint: SSHEndpoint, findings: [SSHFinding], error: SSHError?, durationSeconds: Double) {
        host = endpoint.host
        name = endpoint.name
        port = endpoint.port
        user = endpoint.user
        self.findings = findings
        self.error = error
        self.durationSeconds = durationSeconds
    }

    /// The findings about one step.
    public func findings(about step: SSHDiagnosisStep) -> [SSHFinding] { findings.filter { $0.step == step } }

    /// The exit status of `bridge-ssh doctor`: 0, or that of `run` for the same error.
    public func exitStatus(_ convention: SSHExitStatus.Convention = .bridge) -> SSHExitStatus {
        error?.exitStatus(convention) ?? .success
    }
}

extension SSHDiagnosis {
    /// The object of docs/json-schema-doctor.json, `bridge-ssh-doctor/1`.
    ///
    /// - Parameters:
    ///   - destination: the destination as it was typed; nil for `user@host:port`.
    ///   - via: the SSH client that made the connection.
    package func json(
        _ convention: SSHExitStatus.Convention = .bridge, destination: String? = nil, via: String = "libssh2"
    ) -> JSONValue {
        .members([
            "schema": .string("bridge-ssh-doctor/1"),
            "destination": .string(destination ?? SSHEndpoint.text(host: host, port: port, user: user)),
            "host": .string(host),
            "user": .string(user),
            "port": .integer(port),
            "via": .string(via),
            "outcome": .string(error == nil ? "succeeded" : "failed"),
            "exitStatus": .integer(Int(exitStatus(convention).rawValue)),
            "durationSeconds": .seconds(durationSeconds),
            "findings": .array(findings.map(\.json)),
            "error": error?.json ?? .null,
        ])
    }
}

extension SSHFinding {
    var json: JSONValue {
        .members([
            "step": .string(step.rawValue),
            "level": .string(level.rawValue),
            "text": .string(text),
            "advice": .text(remedy),
            "remedies": remedyText.isEmpty ? nil : remedyText.json,
            "durationSeconds": durationSeconds.map { .seconds($0) },
            "details": details.isEmpty
                ? nil : .object(details.map { JSONValue.Member(name: $0.name, value: $0.value.json) }),
        ])
    }
}

extension SSHFinding.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map { .string($0) })
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .flag(let flag): .bool(flag)
        }
    }
}

/// The steps of a diagnosis, in order.
public enum SSHDiagnosisStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The route: jump hosts and ProxyCommand.
    case route
    /// Resolving the host name.
    case resolve
    /// A TCP connection to each address.
    case connect
    /// The identification exchange (RFC 4253 section 4.2).
    case identification
    /// The offered and negotiated algorithms (RFC 4253 section 7.1).
    case algorithms
    /// The server's host key against known_hosts.
    case hostKey
    /// The authentication methods that the server offers (RFC 4252 section 5.2).
    case methods
    /// Every available key and password.
    case credentials
    /// Opening a session channel (RFC 4254 section 6.1).
    case channel
    /// Running a command on it (RFC 4254 section 6.5).
    case exec
    /// The difference between the server's clock and the local one.
    case clock
    /// The text that the login shell prints before and after a command's output.
    case noise
    /// The directories in which the login shell searches for a command's programs.
    case path

    /// The step for a failure in a stage.
    ///
    /// - Parameter last: the last stage that was entered, for a local failure.
    init(of stage: SSHStage, last: SSHStage?) {
        switch stage {
        case .resolve: self = .resolve
        case .connect: self = .connect
        case .banner: self = .identification
        case .keyExchange: self = .algorithms
        case .hostKey: self = .hostKey
        case .key, .authentication: self = .credentials
        case .channel: self = .channel
        case .session, .sftp, .command: self = .exec
        case .local: self = last.flatMap { $0 == .local ? nil : SSHDiagnosisStep(of: $0, last: nil) } ?? .resolve
        }
    }
}

extension SSHClient {
    /// Goes all the way to a command, as a run does, and reports the findings for each step.
    ///
    /// It connects once, by the same code as ``withConnection(to:configuration:sharing:isolation:_:)-(SSHEndpoint,_,_,_,_)``: it
    /// offers only credentials that a run would offer, and none twice. Then it runs one harmless command, which prints the time
    /// and PATH. It also opens TCP connections to the unused addresses, without sending anything. With jump hosts, the steps
    /// concern the endpoint, except that ``SSHDiagnosisStep/route`` has a finding for each jump host. Behind jump hosts or a
    /// ProxyCommand, no address is probed.
    ///
    /// - Parameters:
    ///   - endpoint: the host, port and user to connect to.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - options: for the command. Its output limit is at most 256 KiB, and its timeout at most 30 s.
    /// - Returns: the findings, and the ``SSHError`` of the first failure, including a cancellation.
    /// - Throws: errors of an ``SSHInteraction``.
    public static func diagnose(
        _ endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        options: SSHCommandOptions = SSHCommandOptions()
    ) async throws -> SSHDiagnosis {
        try await DiagnosisRun(endpoint: endpoint, configuration: configuration, options: options).perform()
    }
}
