import BridgeSSH
import BridgeSSHTesting
import ErrorCore
import NIOCore

// The programs of docs/guides/library.md, as printed there, without their imports: LibraryGuideTests compares.

func limits() throws -> (SSHEndpoint, SSHConnectionConfiguration, SSHCommandOptions) {
    let endpoint = try SSHEndpoint(host: "web1", port: 2222, user: "deploy")
    var configuration = SSHConnectionConfiguration.standard(home: "/home/deploy")
    configuration.timeouts.connect = .seconds(5)
    configuration.keepalive = SSHKeepaliveOptions(interval: .seconds(30))
    let options = SSHCommandOptions(timeout: .seconds(60), environment: ["LANG": "C"], outputLimit: 1 << 20)
    return (endpoint, configuration, options)
}

func inputs(to connection: SSHConnection, from file: String, _ pieces: AsyncStream<ByteBuffer>) async throws {
    try await connection.run("psql", standardInput: "select 1;\n", check: true)
    try await connection.run("tar x", standardInput: .file(file), check: true)
    try await connection.run("cat > upload", standardInput: .sequence(pieces), check: true)
}

func firstLine(on connection: SSHConnection) async throws -> String? {
    try await connection.execute("journalctl -f") { try await $0.standardOutput.lines.first { _ in true } }.value
}

func converse(with connection: SSHConnection) async throws {
    try await connection.execute("bc -q") { execution, input in
        var answers = execution.standardOutput.lines.makeAsyncIterator()
        try await input.write("6 * 7\n")
        print(try await answers.next() ?? "no answer")
    }.checked()
    try await connection.open(to: "127.0.0.1", port: 6379) { stream in
        try await stream.outbound.write("PING\r\n")
        print(try await stream.inbound.lines.first { _ in true } ?? "no answer")
    }
}

func uptime(of host: String) async throws -> SSHCommandResult {
    let (endpoint, configuration) = try SSHConfigFile(context: .process()).resolve(host)
    do {
        return try await SSHClient.run("uptime", on: endpoint, configuration: configuration, retry: .default)
    } catch let error where error.isCancellation {
        print("Given up.")
        throw error
    }
}

func isActive(_ service: String, on server: some SSHCommandRunning) async throws -> Bool {
    try await server.run("systemctl is-active \(service)").termination.isSuccess
}

func testIsActive() async throws -> Bool {
    let server = ScriptedCommands()
    server.on("systemctl is-active web", answer: "inactive\n", exits: 3)
    return try await isActive("web", on: server)
}

func firstFailure(on server: some SSHCommandStreaming) async throws -> String? {
    try await server.execute("journalctl -f") { command in
        try await command.standardOutput.lines.first { $0.contains("failed") }
    }.value
}

func publish(_ version: String, to server: some SFTPProviding) async throws {
    try await server.withSFTP { sftp in
        try await sftp.write(Array(version.utf8), to: "/srv/app/version", createParents: true)
    }
}

func testFirstFailure() async throws -> String? {
    let server = ScriptedCommands()
    server.on("journalctl -f") { command in
        while true { try await command.write("web started\nweb failed\n") }
    }
    return try await firstFailure(on: server)
}

func testPublish() async throws -> String? {
    let files = InMemoryFiles()
    try await publish("2.1", to: files)
    return files.text(of: "/srv/app/version")
}
