import BridgeSSH
import Foundation
import SSHTestSupport

extension TestRun {
    /// Makes the run with `bridge-ssh run`, in a separate home directory.
    ///
    /// - Parameters:
    ///   - options: options of bridge-ssh before the host.
    ///   - body: runs concurrently; its standard input is then a pipe.
    func byExecutable(
        _ options: [String] = [], home: ScratchDirectory? = nil,
        body: (@Sendable (RunningProcess) async throws -> Void)? = nil
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let arguments = try ["run"] + options + arguments(secretsIn: scratch)
            let environment = ProcessEnvironment.exactly([
                "PATH": "/usr/bin:/bin", "HOME": (home ?? scratch).url.path, "LANG": "C.UTF-8",
            ])
            return try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), arguments, environment: environment,
                input: body == nil ? .bytes(input) : .pipe, body: body ?? { _ in })
        }
    }

    /// Lets `bridge-ssh doctor` examine the same route.
    func byDoctor(
        _ options: [String] = [], body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let arguments = try ["doctor"] + options + access(secretsIn: scratch) + [host]
            let environment = ProcessEnvironment.exactly([
                "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8",
            ])
            return try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), arguments, environment: environment, body: body)
        }
    }

    /// Makes the run as a person at a terminal would, without `--batch`.
    func onTerminal(
        _ options: [String] = [], body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let arguments = try ["run"] + options + arguments(secretsIn: scratch).filter { $0 != "--batch" }
            let environment = ProcessEnvironment.exactly([
                "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8", "TERM": "xterm",
            ])
            return try await TerminalRun.run(
                try BuiltExecutable.path("bridge-ssh"), arguments, environment: environment, body: body)
        }
    }

    /// Host, host keys and credentials.
    func access(secretsIn scratch: ScratchDirectory) throws -> [String] {
        var arguments = ["-p", "\(port)", "-l", user, "--host-key-policy", policy.rawValue, "-F", "none", "--batch"]
        arguments += ["--connect-timeout", "\(connectTimeout)", "--agent", agent ?? "none"]
        arguments += knownHosts.flatMap { ["--known-hosts", $0] } + identities.flatMap { ["-i", $0] }
        if identitiesOnly { arguments.append("--identities-only") }
        if let password { arguments += ["--password-file", try scratch.write(password + "\n", to: "password")] }
        if let passphrase { arguments += ["--passphrase-file", try scratch.write(passphrase + "\n", to: "passphrase")] }
        switch family {
        case .any: break
        case .ipv4: arguments.append("-4")
        case .ipv6: arguments.append("-6")
        }
        if let keepalive { arguments += ["--keepalive", "\(keepalive)"] }
        return arguments
    }

    private func arguments(secretsIn scratch: ScratchDirectory) throws -> [String] {
        var arguments = try access(secretsIn: scratch)
        let times = [("--timeout", timeout), ("--idle-timeout", idleTimeout), ("--drain", drain)]
        for case (let option, let seconds?) in times { arguments += [option, "\(seconds)"] }
        if tty { arguments.append("--tty") }
        if let outputLimit { arguments += ["--output-limit", "\(outputLimit)"] }
        return arguments + [host, "--", command]
    }
}
