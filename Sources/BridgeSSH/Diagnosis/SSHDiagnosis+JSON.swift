extension SSHDiagnosis {
    /// The object of docs/json-schema-doctor.json, `bridge-ssh-doctor/1`.
    ///
    /// - Parameter destination: the destination as it was typed; nil for `user@host:port`.
    package func json(_ convention: ExitStatus.Convention = .bridge, destination: String? = nil) -> JSONValue {
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
