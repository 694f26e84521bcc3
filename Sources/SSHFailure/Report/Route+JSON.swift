extension SSHHopEvidence {
    /// With the host itself: the report names only the destination.
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
