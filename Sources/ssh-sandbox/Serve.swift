import ArgumentParser
import Foundation
import SSHTestSupport

/// `ssh-sandbox serve`: a very cheap server that simulates thousands of hosts.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start a small SSH server that accepts every user by key, and ends every command at once with status 0.",
        discussion: """
            For measuring clients with thousands of hosts. It runs no commands, and verifies no signatures. Prints shell assignments, one
            per line: SANDBOX_HOST, SANDBOX_PORT, SANDBOX_USER, SANDBOX_IDENTITY (a private key) and SANDBOX_KNOWN_HOSTS. Stops when
            standard input ends or a signal comes.

            With --listen 0.0.0.0 every address of 127.0.0.0/8 is a separate host. Do that in a network namespace only.
            """)

    @Option(help: "The port; 0 finds a free one.")
    var port = 0

    @Option(help: "The address to listen on.")
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("Delay of each direction.", valueName: "milliseconds"))
    var delay = 0

    @Option(help: ArgumentHelp("Output of every command; a line feed is added.", valueName: "text"))
    var output: String?

    private static let algorithms = ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256", "ecdsa-sha2-nistp256"]

    func run() async throws {
        var script = ServerScript().asking(for: "publickey")
        for algorithm in Self.algorithms {
            script = script.on(.keyOffer(algorithm), .accept).on(.signature(algorithm), .accept)
        }
        if let output {
            script = script.on(.request("exec"), .accept, .output(output + "\n"), .exitStatus(0), .endOfOutput, .closeChannel)
        }
        var place = ScriptedServerOptions()
        (place.address, place.port, place.delay, place.names) = (listen, port, .milliseconds(delay), "*")
        let stopRequest = StopRequest(watchingInput: true)
        try await ScriptedServer.run(script, at: place) { server in
            try await ScratchDirectory.with { scratch in
                let key = try await TestKey.make(.ed25519).write(to: scratch, as: "id_ed25519")
                let values = [
                    ("HOST", server.host), ("PORT", "\(server.port)"), ("USER", "alice"), ("IDENTITY", key),
                    ("KNOWN_HOSTS", server.knownHosts),
                ]
                for (name, value) in values { print("SANDBOX_\(name)='\(value)'") }
                Report.flush()
                await stopRequest.wait()
            }
        }
    }

    func validate() throws {
        guard delay >= 0 else { throw ValidationError("--delay must be 0 or more.") }
    }
}
