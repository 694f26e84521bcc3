internal import ErrorCore

extension SSHEvidence {
    /// Contains only known facts. Host, port and user are in the report itself. The algorithm lists are long, and included only
    /// where they matter.
    package func json(algorithms: Bool) -> JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("event", event.json)
        add("stage", .string(stage.rawValue))
        add("library", library?.json)
        add("stream", stream.json)
        add("identification", .text(identification))
        add("linesBeforeIdentification", .texts(linesBeforeIdentification))
        if identification == nil, !firstBytes.isEmpty { members.append(firstBytesMember) }
        add("bytesReceived", .integer(bytesReceived))
        add("keyExchangeBegun", .flag(keyExchangeBegun))
        add("keyExchangeAnswered", .flag(keyExchangeAnswered))
        add("hostKeyReceived", .flag(hostKeyReceived))
        if algorithms {
            add("serverAlgorithms", serverAlgorithms?.json)
            add("clientAlgorithms", clientAlgorithms?.json)
            add("chosenAlgorithms", chosenAlgorithms?.json)
        }
        add(
            "disconnect",
            disconnect.map { .members(["reason": .integer(Int($0.reason)), "description": .string($0.description)]) })
        add("hop", hop.map { $0.json(host: host, port: port, user: user) })
        add("proxy", proxy?.json)
        add("addresses", addresses.isEmpty ? nil : .array(addresses.map(\.json)))
        add("hostKey", hostKey?.json)
        add("authentication", authentication?.json)
        add("command", command?.json)
        add("setting", setting.map { .members(["keyword": .string($0.keyword), "place": .string($0.place)]) })
        add("elapsedSeconds", .seconds(elapsedSeconds))
        add("awaitedSeconds", awaitedSeconds.map { .seconds($0) })
        add("libraryVersion", .text(libraryVersion))
        add("notices", .texts(notices))
        return .object(members)
    }
}

extension SSHEvidence {
    /// As text only if it is harmless: many protocols use line ends and tabs.
    private var firstBytesMember: JSONValue.Member {
        let text = String(decoding: firstBytes, as: UTF8.self)
        let isHarmless = text.unicodeScalars.allSatisfy { TerminalText.isHarmless($0) || "\t\r\n".unicodeScalars.contains($0) }
        return isHarmless
            ? JSONValue.bytes("firstBytes", firstBytes) : .init(name: "firstBytesBase64", value: .base64(firstBytes))
    }
}

extension SSHLibraryCall {
    var json: JSONValue {
        .members(["function": .string(function), "code": .integer(Int(code)), "name": .string(name), "message": .text(message)])
    }
}

extension SSHStreamEnd {
    var json: JSONValue {
        switch self {
        case .open: .members(["end": .string("open")])
        case .closed: .members(["end": .string("closed")])
        case .reset: .members(["end": .string("reset")])
        case .failed(let number):
            .members(["end": .string("failed"), "errno": .integer(Int(number)), "problem": .string(SystemError.text(number))])
        }
    }
}

extension SSHAlgorithmLists {
    var json: JSONValue {
        .members([
            "keyExchange": .texts(keyExchange), "hostKey": .texts(hostKey), "cipherToServer": .texts(cipherToServer),
            "cipherToClient": .texts(cipherToClient), "macToServer": .texts(macToServer), "macToClient": .texts(macToClient),
            "compressionToServer": .texts(compressionToServer), "compressionToClient": .texts(compressionToClient),
        ])
    }
}

extension SSHChosenAlgorithms {
    var json: JSONValue {
        .members([
            "keyExchange": .string(keyExchange), "hostKey": .string(hostKey), "cipherToServer": .string(cipherToServer),
            "cipherToClient": .string(cipherToClient), "macToServer": .text(macToServer), "macToClient": .text(macToClient),
        ])
    }
}

extension SSHAddressFailure {
    var json: JSONValue {
        .members([
            "address": .string(address), "errno": systemError.map { .integer(Int($0)) },
            "problem": .string(systemError.map(SystemError.text) ?? "no answer in time"),
        ])
    }
}

extension SSHCommandEvidence {
    var json: JSONValue {
        .members([
            "progress": .string(progress.rawValue),
            "exitStatus": exitStatus.map { .integer($0) },
            "exitSignal": exitSignal.map {
                .members(["name": .string($0.bareName), "coreDumped": .flag($0.coreDumped), "message": .text($0.message)])
            },
            "endOfOutput": .flag(endOfOutput),
            "channelClosed": .flag(channelClosed),
            "hasPTY": .flag(hasPTY),
            "teardown": teardown.map { .string($0.rawValue) },
            "standardErrorTail": .text(standardErrorTail),
            "shell": shell?.json,
        ])
    }
}

extension SSHShellEvidence {
    /// Also reported by `run --shell` for a success.
    package var json: JSONValue {
        .members([
            "device": .text(device), "prompt": .text(prompt), "lastLine": promptReturned ? nil : .text(lastLine),
            "rejection": .text(rejection), "promptReturned": .bool(promptReturned), "echoSeen": echoSeen.map { .bool($0) },
            "exitStatus": .string("unknown"),
        ])
    }
}

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

    /// The verdict of known_hosts on the key.
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
