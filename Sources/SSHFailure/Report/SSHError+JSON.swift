import ErrorCore

extension SSHError {
    /// The `error` object of docs/json-schema.json.
    package var json: JSONValue {
        .members([
            "case": .string(appError.caseName),
            "code": .string(code.rawValue),
            "stage": .string(stage.rawValue),
            "category": .string(category.rawValue),
            "severity": .string(severity.rawValue),
            "title": .string(definition.title),
            "message": .string(message),
            "hint": .string(remedy),
            "recovery": .array(recoveryOptions.map { .string($0.title) }),
            "retry": .string(retry.name),
            "retryAfterSeconds": retryAfterSeconds.map { .seconds($0) },
            "commandMayHaveRun": .string(commandMayHaveRun.rawValue),
            "confidence": .string(confidence.rawValue),
            "alternatives": .array(alternatives.map { .string($0) }),
            "cause": cause?.json ?? .null,
            "evidence": evidence.json(algorithms: stage == .keyExchange),
        ])
    }
}

extension SSHRemoteCause {
    var json: JSONValue {
        .members([
            "case": .string(appError.caseName), "code": .string(code), "message": .string(message),
            "confidence": .string(confidence.rawValue),
        ])
    }
}
