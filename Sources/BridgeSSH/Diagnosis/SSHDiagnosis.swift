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
    /// Seconds that it took.
    public var durationSeconds: Double

    /// A diagnosis.
    public init(
        endpoint: SSHEndpoint, findings: [SSHFinding], error: SSHError? = nil, durationSeconds: Double = 0
    ) {
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
    public func exitStatus(_ convention: ExitStatus.Convention = .bridge) -> ExitStatus {
        error?.exitStatus(convention) ?? .success
    }
}
