import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A route through several hosts; the last one is the destination.
struct Chain: Sendable {
    struct Hop: Sendable {
        var host = "127.0.0.1"
        var port: Int
        var user = SandboxUser.alice.name
        var identity: String
        var knownHosts: String
        /// The time limit in its own Host block, in seconds.
        var connectTimeout: Int?
    }

    var hops: [Hop]
    var connectTimeout = 60.0
    var command = "true"
    var input: [UInt8] = []

    /// Every hop has its own sandbox and accepts the login.
    static func plain(_ count: Int = 3) async throws -> Chain {
        var hops: [Hop] = []
        for box in try await SharedChain.shared.boxes(count) { hops.append(try await box.hop()) }
        return Chain(hops: hops)
    }

    var endpoint: SSHEndpoint { endpoint(hops.count - 1) }

    private func endpoint(_ index: Int) -> SSHEndpoint {
        SSHEndpoint(unchecked: hops[index].host, port: hops[index].port, user: hops[index].user)
    }

    var configuration: SSHConnectionConfiguration {
        var configuration = configuration(hops.count - 1)
        configuration.jumpHosts = hops.indices.dropLast().map {
            SSHJumpHost(
                endpoint($0), configuration: self.configuration($0), connectTimeout: hops[$0].connectTimeout.map { .seconds($0) })
        }
        configuration.timeouts.connect = .seconds(connectTimeout)
        return configuration
    }

    private func configuration(_ index: Int) -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = [SSHIdentity(path: hops[index].identity)]
        configuration.knownHosts = SSHKnownHostsFiles(user: [hops[index].knownHosts])
        return configuration
    }

    /// ssh's configuration of all hosts, under the names `hop1`, `hop2`, …
    var sshConfiguration: String {
        hops.enumerated().map { index, hop in
            """
            Host hop\(index + 1)
              HostName \(hop.host)
              Port \(hop.port)
              User \(hop.user)
              IdentityFile \(hop.identity)
              UserKnownHostsFile \(hop.knownHosts)
            \(hop.connectTimeout.map { "  ConnectTimeout \($0)\n" } ?? "")
            """
        }.joined()
            + """
            Host *
              GlobalKnownHostsFile none
              IdentityAgent none
              IdentitiesOnly yes
              StrictHostKeyChecking yes
              BatchMode yes

            """
    }

    /// The option for all hops except the last, and the destination's name.
    var words: [String] {
        let names = hops.indices.map { "hop\($0 + 1)" }
        let jump = hops.count > 1 ? ["-J", names.dropLast().joined(separator: ",")] : []
        return jump + [names.last ?? ""]
    }

    // MARK: Running

    func byLibrary() async throws -> (error: SSHError?, output: [UInt8]) {
        do {
            let result = try await SSHClient.withConnection(to: endpoint, configuration: configuration) {
                try await $0.run(command, standardInput: .bytes(input), check: true)
            }
            return (nil, result.standardOutput)
        } catch let error as SSHError {
            return (error, error.result?.standardOutput ?? [])
        }
    }

    func byExecutable(
        _ options: [String] = [], body: (@Sendable (RunningProcess) async throws -> Void)? = nil
    ) async throws -> ProcessResult {
        try await call("run", options, ["--", command], input: body == nil ? .bytes(input) : .pipe, body ?? { _ in })
    }

    func byDoctor(_ options: [String] = []) async throws -> ProcessResult { try await call("doctor", options) }

    private func call(
        _ subcommand: String, _ options: [String], _ command: [String] = [], input: ProcessRun.Input = .none,
        _ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write(sshConfiguration, to: "config")
            let arguments = [subcommand, "-F", file, "--batch", "--connect-timeout", "\(connectTimeout)"] + options + words
            return try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), arguments + command,
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]), input: input,
                body: body)
        }
    }
}

extension SSHDSandbox {
    /// A hop that accepts the login.
    func hop(through port: Int? = nil) async throws -> Chain.Hop {
        Chain.Hop(
            host: host, port: port ?? self.port, identity: clientKeyFile, knownHosts: try await knownHosts(port: port))
    }
}

/// Three sandboxes that many cases share, because none of them changes them. They end with the test process.
actor SharedChain {
    static let shared = SharedChain()
    private let sandboxes = (1...3).map { number in
        var options = SSHDSandbox.Options()
        options.hostName = "hop\(number)"
        options.hostKeyName = "hop\(number)"
        return SharedSandbox(options)
    }

    func boxes(_ count: Int) async throws -> [SSHDSandbox] {
        var boxes: [SSHDSandbox] = []
        for sandbox in sandboxes.suffix(count) { boxes.append(try await sandbox.box()) }
        return boxes
    }
}
