import ErrorCore

extension SSHEvidence.Event {
    /// `{"kind": …}` with the members of that kind.
    var json: JSONValue {
        switch self {
        case .connectionFailed, .libraryFailed, .streamEnded, .identificationUnreadable, .hostKeyRejected,
            .credentialsExhausted, .helperEnded, .commandEnded:
            .members(["kind": .string(kind)])
        case .hostNameInvalid(let problem), .closed(let problem), .internalFailure(let problem):
            .members(["kind": .string(kind), "problem": .string(problem)])
        case .resolutionFailed(let code, let name, let message):
            .members([
                "kind": .string(kind), "code": .integer(Int(code)), "name": .string(name.rawValue), "message": .text(message),
            ])
        case .protocolViolated(let violation): violation.json(kind: kind)
        case .deadlinePassed(let deadline):
            .members(["kind": .string(kind), "deadline": .string(deadline.kind.rawValue), "seconds": .seconds(deadline.seconds)])
        case .knownHostsUnreadable(let path, let number), .knownHostsUnwritable(let path, let number):
            .members(["kind": .string(kind), "path": .string(path), "errno": .integer(Int(number))])
        case .keyUnusable(let problem): .members(["kind": .string(kind), "key": problem.json])
        case .agentFailed(let problem): .members(["kind": .string(kind), "agent": problem.json])
        case .fileFailed(let problem): problem.json(kind: kind)
        case .promptUnanswerable(let prompt): .members(["kind": .string(kind), "prompt": .string(prompt)])
        case .channelRefused(let reason, let description):
            .members(["kind": .string(kind), "reason": reason.map { .integer(Int($0)) }, "description": .text(description)])
        case .requestRefused(let request): .members(["kind": .string(kind), "request": .string(request.rawValue)])
        case .keepaliveUnanswered(let count): .members(["kind": .string(kind), "count": .integer(count)])
        case .outputLimitExceeded(let stream, let limit), .lineTooLong(let stream, let limit):
            .members(["kind": .string(kind), "stream": .string(stream.rawValue), "limit": .integer(limit)])
        case .outputUnwritable(let number):
            .members(["kind": .string(kind), "errno": .integer(Int(number)), "problem": .string(SystemError.text(number))])
        case .cancelled(let signal): .members(["kind": .string(kind), "signal": .text(signal)])
        case .usage(let field, let problem):
            .members(["kind": .string(kind), "field": .string(field), "problem": .string(problem)])
        case .configurationInvalid(let file, let line, let problem):
            .members([
                "kind": .string(kind), "file": .string(file), "line": line.map { .integer($0) }, "problem": .string(problem),
            ])
        case .configurationRefuses(let file, let line, let reason):
            .members([
                "kind": .string(kind), "file": .string(file), "line": line.map { .integer($0) }, "problem": .string(reason),
            ])
        case .proxyFailed(let command, let status, let text):
            .members([
                "kind": .string(kind), "command": .string(command), "exitStatus": status.map { .integer($0) },
                "standardError": .text(text),
            ])
        }
    }

    /// The case's name.
    var kind: String {
        switch self {
        case .hostNameInvalid: "hostNameInvalid"
        case .resolutionFailed: "resolutionFailed"
        case .connectionFailed: "connectionFailed"
        case .deadlinePassed: "deadlinePassed"
        case .libraryFailed: "libraryFailed"
        case .protocolViolated: "protocolViolated"
        case .streamEnded: "streamEnded"
        case .identificationUnreadable: "identificationUnreadable"
        case .hostKeyRejected: "hostKeyRejected"
        case .knownHostsUnreadable: "knownHostsUnreadable"
        case .knownHostsUnwritable: "knownHostsUnwritable"
        case .keyUnusable: "keyUnusable"
        case .agentFailed: "agentFailed"
        case .credentialsExhausted: "credentialsExhausted"
        case .fileFailed: "fileFailed"
        case .promptUnanswerable: "promptUnanswerable"
        case .channelRefused: "channelRefused"
        case .requestRefused: "requestRefused"
        case .keepaliveUnanswered: "keepaliveUnanswered"
        case .helperEnded: "helperEnded"
        case .commandEnded: "commandEnded"
        case .outputLimitExceeded: "outputLimitExceeded"
        case .lineTooLong: "lineTooLong"
        case .outputUnwritable: "outputUnwritable"
        case .cancelled: "cancelled"
        case .usage: "usage"
        case .configurationInvalid: "configurationInvalid"
        case .configurationRefuses: "configurationRefuses"
        case .proxyFailed: "proxyFailed"
        case .closed: "closed"
        case .internalFailure: "internalFailure"
        }
    }
}

extension SSHProtocolViolation {
    fileprivate func json(kind: String) -> JSONValue {
        var message: Int?
        var limit: Int?
        switch self {
        case .malformedPacket, .clientOnlyMethod, .keyExchangeFailed, .hostKeyReplaced: break
        case .unexpectedMessage(let number): message = Int(number)
        case .unrequestedData(let count), .unreadAnswers(let count), .endlessQuestions(let count): limit = count
        }
        return .members([
            "kind": .string(kind), "violation": .string(name), "messageNumber": message.map { .integer($0) },
            "limit": limit.map { .integer($0) },
        ])
    }

    private var name: String {
        switch self {
        case .malformedPacket: "malformedPacket"
        case .unexpectedMessage: "unexpectedMessage"
        case .clientOnlyMethod: "clientOnlyMethod"
        case .unrequestedData: "unrequestedData"
        case .unreadAnswers: "unreadAnswers"
        case .endlessQuestions: "endlessQuestions"
        case .keyExchangeFailed: "keyExchangeFailed"
        case .hostKeyReplaced: "hostKeyReplaced"
        }
    }
}

extension SSHFileProblem {
    func json(kind: String) -> JSONValue {
        .members([
            "kind": .string(kind), "problem": .string(reason.rawValue), "side": .string(side.rawValue),
            "operation": .string(operation), "path": .text(path), "status": status.map { .integer(Int($0)) },
            "message": .text(detail), "errno": systemError.map { .integer(Int($0)) },
        ])
    }
}

extension SSHHopEvidence {
    /// Includes the host, because the report names only the destination.
    func json(host: String, port: Int, user: String) -> JSONValue {
        .members([
            "number": .integer(number), "count": .integer(count), "host": .string(host), "port": .integer(port),
            "user": .string(user), "via": .array(via.map { .string($0) }), "target": target.map { .string($0) },
        ])
    }
}

extension SSHProxyEvidence {
    var json: JSONValue {
        .members([
            "command": .string(command), "exitStatus": exitStatus.map { .integer($0) }, "standardError": .text(standardError),
        ])
    }
}

extension SSHError {
    /// The `error` object of docs/json-schema.json.
    package var json: JSONValue {
        let definition = definition
        return .members([
            "case": .string(definition.appCase.caseName),
            "code": .string(code.rawValue),
            "stage": .string(stage.rawValue),
            "category": .string(definition.category.rawValue),
            "severity": .string(definition.severity.rawValue),
            "title": .string(definition.title),
            "message": .string(message),
            "hint": .string(remedy),
            "remedies": remedyText.json,
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

extension RemedyText {
    /// The member `remedies` of a failure or a finding: an array of `{"command":"ssh-add","applicability":"as-is","place":"here"}`.
    ///
    /// A command is complete in itself, so that each is masked alone. Masking the sentences around it would be the largest cost
    /// of a log with many failures.
    package var json: JSONValue { .array(commandLineRemedies.map { $0.worded(Redactor.standard.text($0.text)).json }) }
}

extension SSHRemedy {
    fileprivate var json: JSONValue {
        .members([
            kind.rawValue: .string(text), "applicability": applicability.map { .string($0.rawValue) },
            "place": .string(place.rawValue), "file": .text(file),
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
