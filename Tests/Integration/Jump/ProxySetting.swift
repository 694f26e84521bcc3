import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A ProxyCommand to a sandbox; it first writes its process ID to a file.
struct ProxySetting {
    let box: SSHDSandbox
    let scratch: ScratchDirectory
    var connectTimeout = 60.0

    /// Carries the bytes like nc(1), with a program that every test machine has.
    func relay() async throws -> String {
        let known = try await box.knownHosts()
        return "ssh -F none -i \(box.clientKeyFile) -o UserKnownHostsFile=\(known) -o StrictHostKeyChecking=yes "
            + "-o IdentityAgent=none -p \(box.port) -W %h:%p alice@\(box.host)"
    }

    private var mark: String { scratch.url.appendingPathComponent("pid").path }

    /// The command as ssh's configuration has it: a script of bash.
    func command(_ script: String) throws -> String {
        let file = try scratch.write(
            "echo $$ >\(mark)\n" + script.replacing("%h", with: "$1").replacing("%p", with: "$2") + "\n", to: "proxy")
        return "bash \(file) %h %p"
    }

    /// The processes that it started: none of them may be there afterwards.
    func processes() -> [Int32] {
        ((try? String(contentsOfFile: mark, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    func forget() { try? FileManager.default.removeItem(atPath: mark) }

    func configurationFile(_ command: String, more: String = "") async throws -> String {
        try scratch.write(
            """
            Host web1
              HostName \(box.host)
              Port \(box.port)
              User alice
              IdentityFile \(box.clientKeyFile)
              IdentityAgent none
              UserKnownHostsFile \(try await box.knownHosts())
              GlobalKnownHostsFile none
              StrictHostKeyChecking yes
              BatchMode yes
              ProxyCommand \(command)
            \(more)

            """, to: "config")
    }

    func byExecutable(
        _ command: String, _ options: [String] = [], run: String = "echo done", more: String = "",
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        let file = try await configurationFile(command, more: more)
        return try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"),
            ["run", "-F", file, "--connect-timeout", "\(connectTimeout)"] + options + ["web1", "--", run],
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]), body: body)
    }

    func byDoctor(_ command: String, _ options: [String] = []) async throws -> ProcessResult {
        let file = try await configurationFile(command)
        return try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"),
            ["doctor", "-F", file, "--connect-timeout", "\(connectTimeout)"] + options + ["web1"],
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]))
    }

    func byLibrary(_ command: String, shell: String = "/bin/sh", run: String = "echo done") async throws -> SSHError? {
        var configuration = try await box.configuration()
        let expanded = command.replacing("%h", with: box.host).replacing("%p", with: "\(box.port)")
        configuration.proxyCommand = SSHProxyCommand(expanded, shell: shell, environment: ["PATH=/usr/bin:/bin"])
        configuration.timeouts.connect = .seconds(connectTimeout)
        do {
            let result = try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
                try await $0.run(run, check: true)
            }
            #expect(result.standardOutputText == "done\n")
            return nil
        } catch let error as SSHError {
            return error
        }
    }

    /// Runs on a sandbox that accepts the login, and looks for processes left behind.
    static func with(_ body: (ProxySetting) async throws -> Void) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await ScratchDirectory.with { scratch in
                let setting = ProxySetting(box: box, scratch: scratch)
                try await body(setting)
                for process in setting.processes() {
                    #expect(kill(process, 0) == -1 && errno == ESRCH, "process \(process) is left behind")
                }
            }
        }
    }
}
