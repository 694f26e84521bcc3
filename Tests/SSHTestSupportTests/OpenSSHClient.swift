import SSHTestSupport

/// The arguments of OpenSSH's client for a sandbox, up to the command.
func sshArguments(
    _ box: SSHDSandbox, _ user: SandboxUser, _ known: String, identity: String? = nil, options: [String] = []
) -> [String] {
    ["-F", "none", "-i", identity ?? box.clientKeyFile, "-o", "UserKnownHostsFile=\(known)", "-o", "GlobalKnownHostsFile=none"]
        + ["-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=yes"] + options
        + ["-p", "\(box.port)", "\(user.name)@\(box.host)"]
}

/// Runs OpenSSH's client on a sandbox, without prompts.
func ssh(
    _ box: SSHDSandbox, _ user: SandboxUser, _ command: String, identity: String? = nil, known: String? = nil,
    options: [String] = []
) async throws -> ProcessResult {
    let file: String
    if let known { file = known } else { file = try await box.knownHosts() }
    let arguments = sshArguments(box, user, file, identity: identity, options: ["-o", "BatchMode=yes"] + options)
    return try await ProcessRun.run("ssh", arguments + [command], environment: .exactly(["PATH": "/usr/bin:/bin"]))
}

/// Runs it as alice on a terminal and types `password` at the first prompt.
func sshTyping(_ box: SSHDSandbox, _ password: String, methods: String, _ command: String) async throws -> ProcessResult {
    let options = [
        "-o", "PreferredAuthentications=\(methods)", "-o", "NumberOfPasswordPrompts=1", "-o", "PubkeyAuthentication=no",
    ]
    let arguments = sshArguments(box, .alice, try await box.knownHosts(), options: options)
    return try await TerminalRun.run("ssh", arguments + [command], environment: .exactly(["PATH": "/usr/bin:/bin"])) { terminal in
        try await terminal.standardOutput.wait(for: "assword: ")
        try await terminal.write(password + "\r")
    }
}
