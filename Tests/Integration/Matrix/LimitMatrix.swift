import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The limits of libssh2, and of this machine.
@Suite("Matrix: limits") struct LimitMatrix {
    private static func identified(_ length: Int) -> ServerScript {
        var script = ServerScript()
        script.identification += String(repeating: "x", count: length - script.identification.utf8.count)
        return script
    }

    /// libssh2 reads 253 bytes before 1.11, and 8190 since.
    private static let readsLongLines = !Library.version.hasPrefix("1.10")
    private static let tooLong = Expected.failure(.bannerLibraryLimit, saying: "bytes")

    static let greetings: [ScriptedCase] = [
        ScriptedCase("253 bytes", .success, identified(253)),
        ScriptedCase("254 bytes", readsLongLines ? .success : tooLong, identified(254)),
        ScriptedCase("8190 bytes", readsLongLines ? .success : tooLong, identified(8190)),
        ScriptedCase("8191 bytes", tooLong, identified(8191)),
        ScriptedCase("100000 bytes", tooLong, identified(100_000)),
    ]

    @Test("a long identification line", arguments: greetings)
    func greeting(_ test: ScriptedCase) async throws { try await test.check() }

    /// A command that was not sent has not run.
    private static let unsendable = Expected.failure(.localUsage, saying: "libssh2 can send 34725")

    @Test("a long command", arguments: [(34_725, Expected.success), (34_726, unsendable)])
    func command(length: Int, expected: Expected) async throws {
        try await Gate.shared.pass {
            try await ScriptedServer.run(ServerScript()) { server in
                var testRun = server.testRun()
                testRun.command = String(repeating: "x", count: length)
                try await testRun.check(expected)
                #expect(server.count(of: .request("exec")) == (expected.code == nil ? 3 : 0))
            }
        }
    }

    @Test("a long environment variable and a long name of a terminal") func environment() async throws {
        try await ScriptedServer.run(ServerScript()) { server in
            var long = SSHCommandOptions()
            long.environment = ["LONG": String(repeating: "x", count: 40_000)].map { ($0.key, $0.value) }
            var odd = SSHCommandOptions()
            odd.pty = SSHPTYOptions(terminal: String(repeating: "x", count: 300))
            let testRun = server.testRun()
            try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: testRun.host, port: testRun.port, user: testRun.user),
                configuration: testRun.configuration
            ) { connection in
                for options in [long, odd] {
                    let error = await #expect(throws: SSHError.self) { try await connection.run("true", options: options) }
                    #expect(error?.code == .localUsage)
                    #expect(error?.commandMayHaveRun == .no)
                }
                // The connection is still usable.
                let result = try await connection.run("true")
                #expect(result.termination == .exited(0))
            }
        }
    }

    static let noDescriptor = Expected.failure(.connectLocalResources)

    @Test("no descriptor is left for the connection") func descriptors() async throws {
        // The known hosts come through a pipe: their writer knows the progress of the run.
        let script = """
            mkfifo "$2/known" || exit 99
            "$1" run "${@:4}" --known-hosts /dev/fd/0 127.0.0.1 -- true < "$2/known" & run=$!
            exec 3> "$2/known"
            # It has opened its standard input once more, by the name that it was given.
            until [ "$(ls -l /proc/$run/fd | grep -c known)" -ge 2 ]; do kill -0 $run || exit 97; sleep 0.02; done
            prlimit --pid $run --nofile=0: || exit 98
            cat "$3" >&3
            exec 3>&-
            wait $run
            """
        try await Gate.shared.pass {
            try await ScriptedServer.run(ServerScript()) { server in
                for json in [true, false] {
                    let result = try await ScratchDirectory.with { scratch in
                        let program = try BuiltExecutable.path("bridge-ssh")
                        let arguments = ["--batch", "--agent", "none", "-F", "none", "-p", "\(server.port)", "-l", "alice"]
                        return try await ProcessRun.run(
                            "bash",
                            ["-c", script, "bash", program, scratch.url.path, server.knownHosts] + (json ? ["--json"] : [])
                                + arguments,
                            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]))
                    }
                    if json { try result.checkJSON(Self.noDescriptor) } else { result.checkBanner(Self.noDescriptor) }
                }
                #expect(server.connectionCount == 0)
            }
        }
    }

    static let noCipher = Expected.failure(.localLibraryFailure)

    @Test("an OpenSSL whose functions fail") func emptyOpenSSL() async throws {
        let configuration = """
            openssl_conf = all
            [all]
            providers = providers
            [providers]
            null = null
            [null]
            activate = 1

            """
        try await Gate.shared.pass {
            try await ScriptedServer.run(ServerScript()) { server in
                for json in [true, false] {
                    let result = try await ScratchDirectory.with { scratch in
                        let file = try scratch.write(configuration, to: "openssl.cnf")
                        let arguments = [
                            "--batch", "--agent", "none", "-F", "none", "-p", "\(server.port)", "-l", "alice", "--known-hosts",
                            server.knownHosts, server.host, "--", "true",
                        ]
                        return try await ProcessRun.run(
                            try BuiltExecutable.path("bridge-ssh"), ["run"] + (json ? ["--json"] : []) + arguments,
                            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "OPENSSL_CONF": file]))
                    }
                    if json { try result.checkJSON(Self.noCipher) } else { result.checkBanner(Self.noCipher) }
                    #expect("\(result.output)\(result.errorOutput)".contains("OpenSSL"))
                }
            }
        }
    }
}
