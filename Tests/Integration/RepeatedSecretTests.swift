import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A password that the server repeats appears in no output of bridge-ssh, except the command's own output: in no message, evidence,
/// JSON field, notice or log.
@Suite("A server that repeats the password")
struct RepeatedSecretTests {
    static let password = "Xq7-unmistakable"
    private static let login = ServerScript().asking(for: "password").on(.login("password"), .accept)

    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: ServerScript
        /// A part of the server's text that is shown.
        let shown: String
        var copies = false

        init(_ name: String, shown: String, copies: Bool = false, _ script: ServerScript) {
            testDescription = name
            self.script = script
            self.shown = shown
            self.copies = copies
        }
    }

    static let places: [Place] = [
        Place(
            "banner", shown: "your account has expired",
            ServerScript().asking(for: "password")
                .on(.login("password"), .banner("\(password): your account has expired\n"), .finish)),
        Place("identification", shown: "ssh.auth.password-rejected", identified),
        Place(
            "prompt", shown: "ssh.auth.interaction-required",
            ServerScript().asking(for: "keyboard-interactive")
                .on(.login("keyboard-interactive"), .ask(instruction: "", [("Password: ", false)]))
                .on(.answers, .ask(instruction: "You said \(password)", [("Is it \(password)? ", true), ("Sure? ", true)]))
                .on(.answers, .refuseLogin([], partialSuccess: false))),
        Place(
            "disconnect", shown: "you came with",
            login.on(.channel, .disconnect(reason: 2, text: "you came with \(password)"))),
        Place(
            "debug message", shown: "it was",
            ServerScript().asking(for: "password")
                .on(.login("password"), .debug("it was \(password)"), .refuseLogin(["publickey"], partialSuccess: false))),
        Place(
            "method names", shown: "ssh.auth",
            ServerScript().asking(for: "password").on(.login("password"), .refuseLogin([password], partialSuccess: true))),
        Place(
            "refused channel", shown: "no room for",
            login.on(.channel, .refuseChannel(reason: 4, text: "no room for \(password)"))),
        Place(
            "exit signal", shown: "it ate",
            login.on(
                .request("exec"), .accept, .exitSignal("SEGV", message: "it ate \(password)"), .endOfOutput, .closeChannel)),
        Place(
            "exit signal's name", shown: "killed-by-signal",
            login.on(.request("exec"), .accept, .exitSignal(password, message: ""), .endOfOutput, .closeChannel)),
        Place(
            "standard error", shown: "exit-nonzero",
            login.on(
                .request("exec"), .accept, .errorOutput("cat: \(password): No such file or directory\n"), .exitStatus(1),
                .endOfOutput, .closeChannel)),
        Place(
            "SFTP status", shown: "not for", copies: true,
            login.on(.request("subsystem"), .accept)
                .on(.data, .output(packet(2, "\0\0\0\u{3}"))).on(.data, .output(status(1))).on(.data, .output(status(2)))
                .on(.data, .output(status(3)))),
    ]

    /// The server shows the password even before it was sent on this connection.
    private static var identified: ServerScript {
        var script = ServerScript().asking(for: "password")
        script.identification = "SSH-2.0-\(password)"
        return script
    }

    /// All bytes of these messages are ASCII, so that they can be written as text (draft-ietf-secsh-filexfer-02).
    private static func packet(_ type: UInt8, _ content: String) -> String {
        let length = Unicode.Scalar(UInt8(content.utf8.count + 1))
        return "\0\0\0\(length)\(Unicode.Scalar(type))\(content)"
    }

    private static func status(_ id: UInt8) -> String {
        let words = "not for \(password)"
        let length = Unicode.Scalar(UInt8(words.utf8.count))
        return packet(101, "\0\0\0\(Unicode.Scalar(id))\0\0\0\u{4}\0\0\0\(length)\(words)\0\0\0\0")
    }

    @Test("the password is masked", arguments: places)
    func masked(_ place: Place) async throws {
        try await ScriptedServer.run(place.script) { server in
            try await ScratchDirectory.with { scratch in
                let (log, errors) = (scratch.path("log"), scratch.path("errors"))
                let file = try scratch.write(Self.password, to: "password")
                for form in ["-vv", "--json"] {
                    let options = [
                        "--batch", "--agent", "none", place.copies ? "-P" : "-p", "\(server.port)", "-l", "alice",
                        "--password-file", file,
                        "--known-hosts", server.knownHosts, "--log-file", log, "--error-log", errors, form,
                    ]
                    let arguments =
                        place.copies
                        ? ["copy"] + options + ["127.0.0.1:x", scratch.path("y")]
                        : ["run"] + options + ["127.0.0.1", "--", "true"]
                    let result = try await ProcessRun.run(
                        try BuiltExecutable.path("bridge-ssh"), arguments,
                        environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.path("home"), "LANG": "C.UTF-8"]))
                    #expect(result.exitStatus != 0)
                    let said = result.output + result.errorOutput
                    #expect(said.contains(place.shown), "\(said)")
                    #expect(try words(result, form).allSatisfy { !$0.contains(Self.password) }, "\(said)")
                }
                for path in [log, errors] {
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    #expect(!text.isEmpty && !text.contains(Self.password), "\(path): \(text)")
                }
            }
        }
    }

    @Test("the password is masked in what ssh reports", arguments: places.filter { !$0.copies })
    func viaSSH(_ place: Place) async throws {
        try await ScriptedServer.run(place.script) { server in
            try await ScratchDirectory.with { scratch in
                let options = [
                    "--via", "ssh", "--batch", "--agent", "none", "--config", "none", "-p", "\(server.port)", "-l", "alice",
                    "--password-file", try scratch.write(Self.password, to: "password"), "--known-hosts", server.knownHosts,
                    "--json",
                ]
                let result = try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh"), ["run"] + options + ["127.0.0.1", "--", "true"],
                    environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.path("home"), "LANG": "C.UTF-8"]))
                #expect(result.output.contains("\"code\":\"ssh."), "\(result)")
                #expect(try words(result, "--json").allSatisfy { !$0.contains(Self.password) }, "\(result)")
            }
        }
    }

    @Test("the password is masked in the errors of every run over a connection that several share") func shared() async throws {
        let failing: [ServerAction] = [
            .accept, .errorOutput("cat: \(Self.password): No such file or directory\n"), .exitStatus(1), .endOfOutput,
            .closeChannel,
        ]
        try await ScriptedServer.run(Self.login.on(.request("exec"), failing)) { server in
            var configuration = server.testRun().configuration
            configuration.credentials.password = SSHSecret(Self.password)
            let endpoint = SSHEndpoint(unchecked: server.host, port: server.port, user: "alice")
            try await SSHConnectionPool.withPool { [configuration] pool in
                for _ in 0..<2 {
                    let error = try await #require(throws: SSHError.self) {
                        try await pool.withConnection(to: endpoint, configuration: configuration) {
                            try await $0.run("true", check: true)
                        }
                    }
                    #expect(error.code == .commandExitNonzero)
                    let said = "\(error.message) \(error.cause?.message ?? "") \(error.evidence)"
                    #expect(said.contains("No such file") && !said.contains(Self.password), "\(said)")
                }
            }
            #expect(server.connectionCount == 1)
        }
    }

    /// All texts of bridge-ssh; the command's output is not included.
    private func words(_ result: ProcessResult, _ form: String) throws -> [String] {
        guard form == "--json" else {
            // The command's standard error is passed on.
            return result.errorOutput.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("cat: ") }
        }
        var object = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        object["stdout"] = nil
        object["stderr"] = nil
        return [String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self), result.errorOutput]
    }
}
