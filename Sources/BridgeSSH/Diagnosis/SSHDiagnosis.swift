/// Everything found out about one connection: what is wrong with it, or that nothing is.
public struct SSHDiagnosis: Sendable, Hashable, Codable {
    /// The host that was dialled.
    public var host: String
    /// The host as the user named it.
    public var name: String
    /// The TCP port.
    public var port: Int
    /// The user name at the server.
    public var user: String
    /// What was found, in the order of ``SSHDiagnosisStep``; at least one finding for each step.
    public var findings: [SSHFinding]
    /// Why it ended early: the error that a run would have had; nil if it got through.
    public var error: SSHError?
    package var durationSeconds: Double
    /// How long it took.
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
    /// - Parameter destination: the destination as it was typed; nil for `user@host:port`.
    package func json(_ convention: SSHExitStatus.Convention = .bridge, destination: String? = nil) -> JSONValue {
        .members([
            "schema": .string("bridge-ssh-doctor/1"),
            "destination": .string(destination ?? SSHEndpoint.text(host: host, port: port, user: user)),
            "host": .string(host),
            "user": .string(user),
            "port": .integer(port),
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

/// The steps of a diagnosis, in this order.
public enum SSHDiagnosisStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The jump hosts and the ProxyCommand through which the host is reached.
    case route
    /// Resolving the host name.
    case resolve
    /// A TCP connection to each address.
    case connect
    /// The identification exchange (RFC 4253 section 4.2).
    case identification
    /// The algorithms offered and chosen (RFC 4253 section 7.1).
    case algorithms
    /// The server's host key against known_hosts.
    case hostKey
    /// The authentication methods that the server offers (RFC 4252 section 5.2).
    case methods
    /// Every key and password that is held.
    case credentials
    /// Opening a session channel (RFC 4254 section 6.1).
    case channel
    /// Running a command on it (RFC 4254 section 6.5).
    case exec
    /// The server's clock compared with the local one.
    case clock
    /// What the login shell writes before and after a command's output.
    case noise
    /// Where the login shell looks for programs when it runs a command.
    case path

    /// The step to which a failure of a stage belongs.
    ///
    /// - Parameter last: the stage that was entered last, for a local failure.
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
    /// Goes the whole way to a command, as a run does, and reports the findings of each step.
    ///
    /// It connects once, by the same code as ``withConnection(to:configuration:sharing:isolation:_:)-(SSHEndpoint,_,_,_,_)``:
    /// no credential is offered that a run would not offer, and none twice. Then it runs one harmless command (the time and
    /// PATH), and opens TCP connections, on which it sends nothing, to the addresses that were not needed. Through jump hosts
    /// the steps are the endpoint's, except for ``SSHDiagnosisStep/route``, which has a finding for each of them; behind those
    /// or a ProxyCommand no address is connected to.
    ///
    /// - Parameters:
    ///   - endpoint: the host, port and user to connect to.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - options: of the one command; its output limit and its timeout are 256 KiB and 30 s unless these are less.
    /// - Returns: the findings, and the ``SSHError`` of the first failure, a cancellation included.
    /// - Throws: what an ``SSHInteraction`` throws.
    public static func diagnose(
        _ endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        options: SSHCommandOptions = SSHCommandOptions()
    ) async throws -> SSHDiagnosis {
        try await Examination(endpoint: endpoint, configuration: configuration, options: options).perform()
    }
}
