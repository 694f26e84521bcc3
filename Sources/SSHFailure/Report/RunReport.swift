internal import ErrorCore

/// The report on one run that `--json` writes: the object of docs/json-schema.json, `bridge-ssh/1`.
package struct RunReport: Sendable {
    /// The destination as it was typed.
    package var destination: String
    /// The host of the connection.
    package var host: String
    /// The user name at the server.
    package var user: String
    /// The TCP port.
    package var port: Int
    /// What carried the connection: `libssh2`, or `ssh` for OpenSSH's ssh.
    package var via = "libssh2"
    /// The command line, as sent to the remote shell.
    package var command: String
    /// The exit status, if one came.
    package var exitStatus: Int?
    /// The exit signal without SIG, if one came.
    package var exitSignal: String?
    /// The command's standard output.
    package var standardOutput: [UInt8] = []
    /// The command's standard error.
    package var standardError: [UInt8] = []
    /// The duration of the run in seconds, including all attempts and the waits between them.
    package var durationSeconds: Double = 0
    /// The number of attempts.
    package var attempts = 1
    /// The time that the last attempt spent in each stage.
    package var timings = SSHStageTimings()
    /// The device's shell that the command was typed into; nil for an exec request.
    package var shell: SSHShellEvidence?
    /// What became of the host keys that the server announced; nil if known_hosts had them all.
    package var hostKeyUpdate: HostKeyUpdate?
    /// The server's offer of post-quantum key exchange; nil if it is not known.
    package var postQuantum: PostQuantumOffer?
    /// The failure; nil for a success.
    package var error: SSHError?

    /// A report on a run that has not started.
    ///
    /// - Parameter destination: nil for `user@host:port`.
    package init(host: String, port: Int, user: String, command: String, destination: String? = nil) {
        self.host = host
        self.port = port
        self.user = user
        self.command = command
        self.destination = destination ?? SSHEndpoint.text(host: host, port: port, user: user)
    }

    /// Adds an error, with its facts about the command's end. The error's texts are safe to print, so they take precedence.
    package mutating func take(_ error: SSHError) {
        self.error = error
        exitStatus = error.evidence.command?.exitStatus
        exitSignal = error.evidence.command?.exitSignal?.bareName
        shell = error.evidence.command?.shell
        postQuantum = PostQuantumOffer(error.evidence)
        // A shell's exit status is not the command's.
        if shell != nil { (exitStatus, exitSignal) = (nil, nil) }
        if let result = error.result { take(result) }
    }

    /// Adds a result.
    package mutating func take(_ result: SSHCommandResult) {
        standardOutput = result.standardOutput
        standardError = result.standardError
        take(result.termination)
    }

    /// Adds how the command ended, unless an error gave it already.
    package mutating func take(_ termination: SSHTermination) {
        switch termination {
        case .exited(let status): exitStatus = exitStatus ?? status
        case .signalled(let signal):
            exitSignal = exitSignal ?? TerminalText.inert(signal.bareName, limit: TextExtent.name.limit)
        case .unknown: break
        }
    }

    /// The JSON object.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "schema", value: .string("bridge-ssh/1")),
            .init(name: "destination", value: .string(destination)),
            .init(name: "host", value: .string(host)),
            .init(name: "user", value: .string(user)),
            .init(name: "port", value: .integer(port)),
            .init(name: "via", value: .string(via)),
            // Mask the command: reports are stored in other systems' logs.
            .init(name: "command", value: .string(Redactor.standard.command(command))),
            .init(name: "outcome", value: .string(error == nil ? "succeeded" : "failed")),
            .init(name: "exitStatus", value: exitStatus.map { .integer($0) } ?? .null),
            .init(name: "exitSignal", value: exitSignal.map { .string($0) } ?? .null),
            JSONValue.bytes("stdout", standardOutput),
            JSONValue.bytes("stderr", standardError),
            .init(name: "durationSeconds", value: .seconds(durationSeconds)),
            .init(name: "attempts", value: .integer(attempts)),
            .init(name: "timings", value: timings.json),
            .init(name: "error", value: error?.json ?? .null),
        ]
        if let shell { members.append(.init(name: "shell", value: shell.json)) }
        if let postQuantum { members.append(.init(name: "postQuantum", value: postQuantum.json)) }
        if let hostKeyUpdate { members.append(.init(name: "hostKeyUpdate", value: hostKeyUpdate.json)) }
        return .object(members)
    }
}

extension PostQuantumOffer {
    /// The value of the member `postQuantum`. The names come from the server.
    var json: JSONValue {
        .members([
            "offered": .array(names.map { .string(TerminalText.inert($0, limit: TextExtent.name.limit)) }), "used": .bool(isUsed),
        ])
    }
}

extension HostKeyUpdate {
    /// The value of the member `hostKeyUpdate`.
    var json: JSONValue {
        let reason = reason.isEmpty ? JSONValue.null : .string(TerminalText.inert(reason, limit: TextExtent.sentence.limit))
        return .members(["announced": .array(announced.map(key)), "reason": reason])
    }

    private func key(_ key: SSHHostKey) -> JSONValue {
        let location = learned.first { $0.key == key }?.location
        return .members([
            "algorithm": .string(key.algorithm), "fingerprint": .string(key.fingerprint),
            "location": location.map { .string($0.description) } ?? .null,
        ])
    }
}

extension SSHStageTimings {
    /// The value of the member `timings`.
    package var json: JSONValue {
        .members([
            "resolve": .seconds(seconds.resolve), "connect": .seconds(seconds.connect), "banner": .seconds(seconds.banner),
            "keyExchange": .seconds(seconds.keyExchange), "authentication": .seconds(seconds.authentication),
            "channel": .seconds(seconds.channel),
            "command": .seconds(seconds.command),
        ])
    }
}

extension SSHExitSignal {
    /// The name without SIG, which some servers send.
    var bareName: String { name.hasPrefix("SIG") && number != nil ? String(name.dropFirst(3)) : name }
}
