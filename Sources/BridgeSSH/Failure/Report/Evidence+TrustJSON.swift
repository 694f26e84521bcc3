extension HostKeyEvidence {
    var json: JSONValue {
        let (name, location, known, details) = verdict.parts
        return .members([
            "algorithm": .string(algorithm),
            "fingerprint": .string(fingerprint),
            "verdict": .string(name),
            "policy": .string(policy.rawValue),
            "declined": .flag(declined),
            "location": location.map { .string($0.description) },
            "known": known.isEmpty ? nil : .array(known.map(\.json)),
            "skippedLines": .texts(details?.skippedLines.map(\.description)),
            "certificateAuthority": .text(details?.certificateAuthority?.description),
            "files": .texts(details?.files),
        ])
    }
}

extension HostKeyVerdict {
    fileprivate var parts: (String, KnownHostsLocation?, [KnownHostKey], UnknownHostDetails?) {
        switch self {
        case .trusted(let location): ("trusted", location, [], nil)
        case .changed(let known): ("changed", nil, known, nil)
        case .revoked(let location): ("revoked", location, [], nil)
        case .unknown(let details): ("unknown", nil, [], details)
        case .otherTypeKnown(let known): ("otherTypeKnown", nil, known, nil)
        }
    }
}

extension KnownHostKey {
    var json: JSONValue {
        .members([
            "algorithm": .string(algorithm), "fingerprint": .string(fingerprint), "location": .string(location.description),
        ])
    }
}

extension AuthenticationEvidence {
    var json: JSONValue {
        .members([
            "methodsOffered": .texts(methodsOffered),
            "methodsRemaining": .texts(methodsRemaining),
            "methodsHeld": .texts(methodsHeld),
            "partialSuccess": .flag(partialSuccess),
            "attempts": attempts.isEmpty ? nil : .array(attempts.map(\.json)),
            "banner": .text(banner),
            "bannerAfterAttempt": .text(bannerAfterAttempt),
            "debugMessages": .texts(debugMessages),
            "agentProblem": agentProblem?.json,
            "keyProblems": keyProblems.isEmpty ? nil : .array(keyProblems.map(\.json)),
            "passwordChangeRequested": .flag(passwordChangeRequested),
            "prompts": .texts(prompts),
        ])
    }
}

extension AuthenticationAttempt {
    var json: JSONValue {
        .members([
            "method": .string(method), "credential": .string(credential), "fingerprint": .text(fingerprint),
            "keyType": .text(keyType), "signatureAlgorithm": .text(signatureAlgorithm), "keyAccepted": .flag(keyAccepted),
            "outcome": .string(outcome.rawValue),
        ])
    }
}

extension KeyProblem {
    var json: JSONValue {
        .members([
            "reason": .string(reason.rawValue), "path": .string(path), "detail": .text(detail),
            "errno": systemError.map { .integer(Int($0)) },
        ])
    }
}

extension AgentProblem {
    var json: JSONValue {
        .members(["reason": .string(reason.rawValue), "detail": .text(detail), "errno": systemError.map { .integer(Int($0)) }])
    }
}
