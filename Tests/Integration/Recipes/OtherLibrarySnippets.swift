import BridgeSSH

// The programs of docs/guides/other-libraries.md, as printed there, without their imports: OtherLibrariesTests compares.

func signIn(
    to host: SSHEndpoint, privateKey: String, passphrase: SSHSecret?, knownHosts: String
) async throws -> String {
    var configuration = SSHConnectionConfiguration()
    configuration.credentials.identities = [try SSHIdentity(privateKey: privateKey, passphrase: passphrase)]
    configuration.knownHosts = SSHKnownHostsFiles(user: [knownHosts])
    return try await SSHClient.withConnection(to: host, configuration: configuration) { connection in
        try await connection.run("id -un", check: true).standardOutputText
    }
}

func explanation(of failure: any Error) -> String {
    guard let error = failure as? SSHError else { return "\(failure)" }
    return "[\(error.code)] \(error.message) \(error.hint)"
}

func afterTheEnd(of host: SSHEndpoint, _ configuration: SSHConnectionConfiguration) async throws -> String {
    let connection = try await SSHClient.connect(to: host, configuration: configuration)
    await connection.close()
    do {
        return try await connection.run("uptime").standardOutputText
    } catch SSHError.localClosed {
        return "it was closed"
    }
}

func atOnce(_ commands: [String], on connection: SSHConnection) async throws -> [String: String] {
    try await withThrowingTaskGroup(of: (String, String).self) { group in
        for command in commands {
            group.addTask { (command, try await connection.run(command, check: true).standardOutputText) }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
}
