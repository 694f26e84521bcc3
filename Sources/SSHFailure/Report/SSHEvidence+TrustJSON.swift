extension SSHHostKeyEvidence {
    var json: JSONValue {
        guard case .object(let verdict) = verdictJSON else { return .null }
        let facts = JSONValue.members([
            "algorithm": .string(algorithm),
            "fingerprint": .string(fingerprint),
            "bits": bits.map { .integer($0) },
            "policy": .string(policy.rawValue),
            "declined": .flag(declined),
            "expected": .texts(expected),
        ])
        guard case .object(let members) = facts else { return .null }
        return .object(members + verdict)
    }

    /// What known_hosts says of the key.
    package var verdictJSON: JSONValue {
        var location: SSHKnownHostsLocation?
        var known: [SSHKnownHostKey] = []
        var skippedLines = 0
        var certificateAuthority: SSHKnownHostsLocation?
        let name: String
        switch verdict {
        case .trusted(let place): (name, location) = ("trusted", place)
        case .changed(_, let keys): (name, known) = ("changed", keys)
        case .revoked(let place): (name, location) = ("revoked", place)
        case .otherTypeKnown(let keys): (name, known) = ("otherTypeKnown", keys)
        case .unknown(let lines, let authority):
            (name, skippedLines, certificateAuthority) = ("unknown", lines, authority)
        }
        return .members([
            "verdict": .string(name),
            "location": .text(location?.description),
            "known": known.isEmpty ? nil : .array(known.map(\.json)),
            "skippedLines": skippedLines == 0 ? nil : .integer(skippedLines),
            "certificateAuthority": .text(certificateAuthority?.description),
        ])
    }
}

extension SSHKnownHostKey {
    var json: JSONValue {
        .members([
            "algorithm": .string(algorithm), "fingerprint": .string(fingerprint), "location": .string(location.description),
        ])
    }
}

extension SSHAuthenticationEvidence {
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

extension SSHAuthenticationAttempt {
    var json: JSONValue {
        .members([
            "method": .string(method), "credential": .string(credential), "fingerprint": .text(fingerprint),
            "keyType": .text(keyType), "signatureAlgorithm": .text(signatureAlgorithm), "keyAccepted": .flag(keyAccepted),
            "certificateDefect": certificateDefect.map { .string($0.reason.rawValue) },
            "outcome": .string(outcome.rawValue),
        ])
    }
}

extension SSHKeyProblem {
    var json: JSONValue {
        .members([
            "reason": .string(reason.rawValue), "path": .string(path), "detail": .text(detail),
            "errno": systemError.map { .integer(Int($0)) },
        ])
    }
}

extension SSHAgentProblem {
    var json: JSONValue {
        .members(["reason": .string(reason.rawValue), "detail": .text(detail), "errno": systemError.map { .integer(Int($0)) }])
    }
}
