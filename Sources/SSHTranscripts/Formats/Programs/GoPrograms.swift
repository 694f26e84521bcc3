/// Programs in Go, and their own messages beside those of x/crypto/ssh. Sources: the named files.
enum GoPrograms {
    static let teleport: [TranscriptRow] = [
        .says("…access denied to {user} connecting to {host} on cluster", "teleport: lib/client", .known(.authAccountDenied)),
        .library("…access denied to {user} connecting to {host}", "teleport: lib/srv, of the node") { _, _ in
            .known(.authAccountDenied, .guess)
        },
        .says("…failed to dial target host", "teleport: lib/client", TranscriptReading.known(.connectFailed, .guess, .wrapper)),
        .says(
            "…offline or does not exist", "teleport: lib/reversetunnel",
            .known(.connectFailed, .guess, or: ["the name is not known"])),
        .library("ERROR: node \"{node}\" not found", "teleport: lib/client; 6") { found, facts in
            guard found["node"]?.mentions("Login:") == true else { return facts.decline() }
            return .known(.authAccountDenied, .guess, or: ["the name is not known"])
        },
        .says("…Dropping inbound ssh connection due to error", "teleport: lib/sshutils", .known(.channelProhibited, .guess)),
        .says("…Teleport proxy failed to connect to ", "teleport: lib/reversetunnel", .notReached()),
        .says("…no tunnel connection found", "teleport: lib/reversetunnel", .known(.connectFailed, .guess)),
        .says(
            "…direct dialing to nodes not found in inventory is not supported", "teleport: lib/srv/alpnproxy, lib/proxy",
            .known(.resolveHostNotFound, .guess, or: ["the node is offline"])),
        .library("ERROR: failed connecting to host {host}: ", "teleport: lib/client") { _, _ in .notReached() },
        .library("ERROR: failed connecting to node {host}. ", "teleport: lib/client; 10") { _, _ in .notReached() },
        .library("…Original Error: *net.OpError dial tcp {host}: {call}: {reason}", "teleport: trace, of a host's agent") {
            found, facts in
            [22, 3022, 3023, 3024].contains(facts.port) ? .unconnected(found["reason"] ?? "", .likely) : facts.decline()
        },
        .says("User Message: {cluster} is offline", "teleport: lib/reversetunnel", .known(.channelJumpTargetUnreachable, .guess)),
        .says("…Failed to launch: user: unknown user", "teleport: lib/srv", .known(.authAccountDenied)),
    ]

    static let terraform: [TranscriptRow] = [
        .library("…ailed to read key \"{name}\": no key found", "communicator/ssh/provisioner.go") { _, _ in .key(.formatInvalid)
        },
        .says(
            "…failed to initialize the SSH agent: failed to read directory", "openshift/installer: pkg/gather/ssh",
            .noCredentials(.guess)),
        .library("…SSH authentication failed ({account}", "internal/communicator/ssh/communicator.go") { found, facts in
            facts.note(account: found["account"] ?? "")
            return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .recovers("…): Connected!", "internal/communicator/ssh/communicator.go"),
        .says("…host for provisioner cannot be empty", "internal/communicator", .known(.localUsage)),
        .noting("…): Connecting to remote host via SSH...", "internal/communicator/ssh/communicator.go") { _, facts in
            facts.dialog = .terraform
        },
        .library("* {address}: timeout", "internal/communicator; 0.11 and before") { _, facts in gaveUp(&facts) },
        .library("* timeout", "internal/communicator; 0.11 and before") { _, facts in gaveUp(&facts) },
    ]

    /// Terraform gives no reason of the tries before.
    private static func gaveUp(_ facts: inout TranscriptFacts) -> TranscriptReading? {
        guard facts.dialog == .terraform else { return facts.decline() }
        return .timedOut(.connect, .guess, alternatives: ["the login was refused each time"]).ranked(.plain)
    }

    static let pulumi: [TranscriptRow] = [
        .library("…EOF: running \"{command}", "pulumi-command: provider/pkg/provider/remote") { _, _ in .lost(.closed, .guess) }
    ]

    static let packer: [TranscriptRow] = [
        .recovers("…[DEBUG] handshake complete!", "packer-plugin-sdk: sdk-internals/communicator/ssh"),
        .says("…dial tcp: unknown port tcp/", "packer-plugin-sdk: the port is no number", .known(.localUsage, .guess)),
        .library("{before}non-zero exit status: {status}", "packer-plugin-sdk: sdk-internals/communicator/ssh") { found, facts in
            guard found["before"]?.mentions("packer") == true, let status = Int(found["status"] ?? "") else {
                return facts.decline()
            }
            return .commandEnded(status: status)
        },
        .recovers("…Connected to SSH!", "packer-plugin-sdk: communicator/step_connect.go"),
        .says(
            "…Timeout waiting for SSH", "packer-plugin-sdk: communicator/step_connect_ssh.go",
            .timedOut(.connect, .guess, alternatives: ["the login was refused each time"]).ranked(.plain)),
        .says(
            "…Packer experienced an authentication error", "packer-plugin-sdk: communicator/step_connect_ssh.go",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)),
    ]

    /// Docker's messages. These texts count only if the line has no text of ssh.
    static let docker: [TranscriptRow] = [
        .says(
            "…Too many retries waiting for SSH to be available", "docker/machine: libmachine/drivers",
            .timedOut(.connect, .guess, alternatives: ["the login was refused each time"]).ranked(.wrapper)),
        .says("…Error detecting the OS: ", "docker/machine", .notReached()),
        .says(
            "…ssh tunneled socket never became available", "lazydocker: pkg/commands/ssh",
            .timedOut(.connect, .guess, alternatives: ["the login was refused", "the server does not forward sockets"])),
        // The report of a command: its lines begin with `command : `, `err     : ` and `output  : `.
        .library("err{blanks}: exit status {status}", "docker/machine: drivers/utils.go") { found, facts in
            guard facts.otherLines.last(3).contains(where: { $0.hasPrefix("SSH cmd err") }) else { return facts.decline() }
            return Int(found["status"] ?? "").map { .commandEnded(status: $0) }
        },
        .library("…output  : {text}: command not found", "docker/machine: drivers/utils.go") { _, _ in
            .known(.commandNotFound, .guess)
        },
        .library("…output : {text}: command not found", "docker/machine, in JSON without its blanks") { _, _ in
            .known(.commandNotFound, .guess)
        },
        .library("…docker system dial-stdio] has exited with signal: {name},", "docker/cli: connhelper/commandconn") { found, _ in
            .interrupted(
                by: found["name"] == "killed" ? 9 : 15, .guess,
                alternatives: ["ssh could not connect in time", "the connection was lost"])
        },
        .says(
            "…docker system dial-stdio] has exited with exit status 127", "docker/cli: connhelper/commandconn",
            .known(.commandNotFound)),
        .library("…docker system dial-stdio] has exited with exit status {status},", "docker/cli: connhelper/commandconn") {
            found, facts in
            // Messages of ssh and of the shell have separate rows.
            guard let status = Int(found["status"] ?? ""), status != 255, status != 127 else { return facts.decline() }
            return TranscriptReading.known(
                .commandExitNonzero, .guess, .consequence, or: ["docker there is too old, or not allowed"])
        },
        .says("…Invalid bind address protocol: ssh://", "docker-py before 3.6", .known(.localUnsupported)),
        .says("…Install paramiko package to enable ssh:// support", "docker-py", .known(.localUsage)),
        .says(
            "…docker system dial-stdio] has exited with exit status 255", "docker/cli: connhelper/commandconn",
            .notReached(or: ["ssh itself failed: its words are missing"])),
    ]
}
