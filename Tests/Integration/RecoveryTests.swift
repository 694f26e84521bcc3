import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// The library's retry, and ErrorCore's strategies for failures that a person must resolve, on real servers.
@Suite("Recovery")
struct RecoveryTests {
    /// The arguments of every run: trust, identity and command.
    struct Request: Sendable {
        var configuration: SSHConnectionConfiguration
        var endpoint: SSHEndpoint
        var command = "echo hi"

        func send() async throws -> SSHCommandResult {
            try await SSHClient.withConnection(to: endpoint, configuration: configuration) { try await $0.run(command) }
        }
    }

    @Test("the library retries a command that cannot have run")
    func library() async throws {
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port, fault: .init(.reset, afterServerBytes: 700), onFirst: 2) { proxy in
                let failures = Mutex<[String]>([])
                let result = try await SSHClient.run(
                    "cat", on: box.endpoint(port: proxy.port), configuration: try await box.configuration(port: proxy.port),
                    standardInput: "again", retry: .aggressive
                ) { event in
                    if case .succeeded(let failed) = event {
                        failures.withLock { $0 = failed.map { ErrorProfile($0.error).category.rawValue } }
                    }
                }
                #expect(result.standardOutput == Array("again".utf8))
                #expect(failures.withLock { $0.count } == 2)
                #expect(proxy.statistics.connections == 3)
            }
        }
    }

    @Test("the library does not run a command twice", arguments: [false, true])
    func libraryLost(isIdempotent: Bool) async throws {
        try await SSHDSandbox.run { box in
            // Kills the process that serves it, as a crash would.
            let command = "echo x >> /tmp/marks; test $(wc -l < /tmp/marks) -ge 2 || kill -9 $PPID"
            var policy = RetryPolicy.default
            policy.isIdempotent = isIdempotent
            do {
                let result = try await SSHClient.run(
                    command, on: box.endpoint(), configuration: try await box.configuration(), retry: policy)
                #expect(isIdempotent && result.termination == .exited(0))
            } catch let error as SSHError {
                #expect(!isIdempotent)
                #expect(error.code == .sessionConnectionLost)
                #expect(error.mayHaveTakenEffect)
            }
            #expect(box.marks() == (isIdempotent ? 2 : 1))
        }
    }

    @Test("recovery handles an unknown host key and a missing passphrase, and the run continues")
    func strategies() async throws {
        let key = try await TestKey.make(passphrase: "correct horse")
        var options = SSHDSandbox.Options()
        options.authorize(key, for: .alice)
        try await SSHDSandbox.run(options) { box in
            let asked = Mutex<[String]>([])
            @Sendable func ask(_ error: any Error) { asked.withLock { $0.append(ErrorProfile(error).code) } }
            let trusted = try await box.knownHosts()
            let trust = RecoverOnce<Request>(where: { SSHError.hostKeyUnknown ~= $0 }) { failed in
                ask(failed.error)
                var request = failed.request
                request.configuration.knownHosts = SSHKnownHostsFiles(user: [trusted])
                return request
            }
            let unlock = RecoverOnce<Request>(where: { SSHError.keyPassphraseRequired ~= $0 }) { failed in
                ask(failed.error)
                var request = failed.request
                request.configuration.credentials.passphrase = SSHSecret("correct horse")
                return request
            }
            var configuration = SSHConnectionConfiguration()
            configuration.credentials.identities = [SSHIdentity(path: try box.identityFile(key))]
            configuration.knownHosts = SSHKnownHostsFiles(user: [try box.directory.write("", to: "nothing")])
            let request = Request(configuration: configuration, endpoint: box.endpoint())
            let result = try await withRecovery(of: request, by: trust.otherwise(unlock).otherwise(RecoverByWaiting())) {
                try await $0.send()
            }
            #expect(result.standardOutput == Array("hi\n".utf8))
            #expect(Set(asked.withLock { $0 }) == ["ssh.host-key.unknown", "ssh.key.passphrase-required"])
        }
    }
}
