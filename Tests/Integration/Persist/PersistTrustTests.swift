import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A kept connection serves only who would have accepted its host key.
@Suite("Kept connections and host keys")
struct PersistTrustTests {
    /// Options without the known hosts of the fixture: the last of these counts.
    private static func known(_ path: String) -> [String] { ["-o", "UserKnownHostsFile=\(path)"] }

    private static func without(_ option: String, _ options: [String]) -> [String] {
        var options = options
        if let index = options.firstIndex(of: option) { options.removeSubrange(index...(index + 1)) }
        return options
    }

    private func run(
        _ fixture: PersistFixture, _ more: [String], known path: String, keep: String? = "10m"
    ) async throws -> ProcessResult {
        let fixture = PersistFixture(
            box: fixture.box, runtime: fixture.runtime,
            options: Self.without("--known-hosts", fixture.options) + Self.known(path), executable: fixture.executable)
        return try await fixture.run("echo here", more, keep: keep)
    }

    private static let lax = ["-o", "StrictHostKeyChecking=no"]
    private static let strict = ["-v", "-o", "StrictHostKeyChecking=yes"]

    @Test("a connection whose host key could not be stored serves runs with its own policy, and none with a stricter one")
    func stricter() async throws {
        try await PersistFixture.run { fixture in
            // Nothing can be created there.
            let path = fixture.runtime.path("missing/known")
            for _ in 0..<2 { #expect(try await run(fixture, Self.lax, known: path).output == "here\n") }
            #expect(fixture.box.connectionCount == 1)
            let strict = try await run(fixture, Self.strict, known: path)
            #expect(strict.exitStatus == 196 && strict.output.isEmpty, "\(strict.errorOutput)")
            #expect(strict.errorOutput.contains("this run would not accept the host key of"), "\(strict.errorOutput)")
            #expect(fixture.box.connectionCount == 2)
            #expect(try await run(fixture, Self.lax, known: path).output == "here\n")
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("a host key removed from known_hosts meanwhile is unknown")
    func removed() async throws {
        try await PersistFixture.run { fixture in
            let path = try fixture.runtime.write("", to: "known")
            #expect(try await run(fixture, Self.lax, known: path).output == "here\n")
            #expect(try await run(fixture, Self.strict, known: path).output == "here\n")
            #expect(fixture.box.connectionCount == 1)
            try fixture.runtime.write("", to: "known")
            #expect(try await run(fixture, Self.strict, known: path).exitStatus == 196)
            // It is written again, by a separate connection.
            #expect(try await run(fixture, Self.lax, known: path).output == "here\n")
            #expect(fixture.box.connectionCount == 3)
            #expect(try await run(fixture, Self.strict, known: path).output == "here\n")
            #expect(fixture.box.connectionCount == 3)
        }
    }

    @Test("a host key revoked meanwhile is noticed", arguments: [true, false])
    func revoked(inKnownHosts: Bool) async throws {
        try await PersistFixture.run { fixture in
            let known = try String(contentsOfFile: try await fixture.box.knownHosts(), encoding: .utf8)
            let path = try fixture.runtime.write(known, to: "known")
            let list = try fixture.runtime.write("", to: "revoked")
            let options = ["-o", "RevokedHostKeys=\(list)"]
            #expect(try await run(fixture, Self.lax + options, known: path).output == "here\n")
            let keys = known.split(separator: "\n").map { $0.split(separator: " ").dropFirst().joined(separator: " ") + "\n" }
            if inKnownHosts {
                try fixture.runtime.write(keys.map { "@revoked * \($0)" }.joined() + known, to: "known")
            } else {
                try fixture.runtime.write(keys.joined(), to: "revoked")
            }
            for policy in [Self.lax, Self.strict] {
                let result = try await run(fixture, policy + options, known: path)
                #expect(result.exitStatus == 196, "\(result.errorOutput)")
                #expect(result.errorOutput.contains("ssh.host-key.revoked"), "\(result.errorOutput)")
            }
        }
    }

    @Test("a copy follows the same rules")
    func copy() async throws {
        try await PersistFixture.run { fixture in
            let path = try fixture.runtime.write("", to: "known")
            let file = try fixture.runtime.write("content", to: "file")
            let other = PersistFixture(
                box: fixture.box, runtime: fixture.runtime,
                options: Self.without("--known-hosts", fixture.options) + Self.known(path), executable: fixture.executable)
            #expect(try await other.copy([file, "H:"], Self.lax).exitStatus == 0)
            try fixture.runtime.write("", to: "known")
            #expect(try await other.copy([file, "H:"], ["-o", "StrictHostKeyChecking=yes"]).exitStatus == 196)
        }
    }
}
