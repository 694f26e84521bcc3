import BridgeSSH
import Foundation
import Testing

/// The verdicts of ssh(1) on a real server, which it reaches through a pipe, and those of bridge-ssh.
@Suite struct RealSSHVerdictTests {
    /// What `ssh -o StrictHostKeyChecking=yes` can say; it calls a key of a type that is not known "changed".
    enum Answer: String { case accepted, changed, revoked, unknown, unclear }

    /// Lines with `KEY` for the server's key, `OTHER` for another of its type, `RSA` for one of another type.
    private static let files: [(lines: String, host: String, port: Int)] = [
        ("web1 KEY", "web1", 22), ("WEB1 KEY", "Web1", 22), ("web1 OTHER", "web1", 22), ("web1 RSA", "web1", 22),
        ("web1 RSA\nweb1 KEY", "web1", 22), ("web1 OTHER\nw* KEY", "web1", 22), ("web2 KEY", "web1", 22), ("", "web1", 22),
        ("@revoked web1 KEY\nweb1 KEY", "web1", 22), ("web1 KEY\n@revoked * KEY", "web1", 22), ("@revoked * OTHER", "web1", 22),
        ("@cert-authority * KEY", "web1", 22), ("*,!web1 KEY", "web1", 22), ("web1 KEY\r\n", "web1", 22),
        ("web1 ssh-rsa AAAA\nnonsense\nweb1 KEY", "web1", 22), ("[web1]:22 KEY", "web1", 22),
        ("[web1]:2222 KEY", "web1", 2222), ("[web1]:2222 OTHER", "web1", 2222), ("web1 KEY", "web1", 2222),
        ("web1 OTHER", "web1", 2222), ("web1 RSA", "web1", 2222), ("web1 KEY\n[web1]:2222 OTHER", "web1", 2222),
        ("@revoked [web1]:2222 KEY\nweb1 KEY", "web1", 2222), ("[web1]:2222 KEY", "web1", 22), ("[*]:2222 KEY", "web1", 2222),
    ]

    @Test("a key gets the same verdict as from ssh") func verdictsOnAKey() throws {
        let directory = try TemporaryDirectory()
        let (key, _) = try Oracle.makeKey(type: "ed25519", in: directory, name: "host-key")
        let (other, _) = try Oracle.makeKey(type: "ed25519", in: directory, name: "other")
        let (rsa, _) = try Oracle.makeKey(type: "rsa", in: directory, name: "rsa")
        try directory.write("sshd_config", "HostKey \(directory.path("host-key"))\nUsePAM no\n")
        for (lines, host, port) in Self.files {
            let text = [("KEY", key), ("OTHER", other), ("RSA", rsa)].reduce(lines) { text, pair in
                text.replacingOccurrences(of: " \(pair.0)", with: " \(pair.1.line)")
            }
            let file = try directory.write("known_hosts", text)
            let known = try SSHKnownHostsFiles(user: [file]).load(policy: .strict)
            let ours = Answer(known.verdict(on: key, host: host, port: port))
            let theirs = try Self.askSSH(host, port, directory)
            #expect(ours == theirs, "\(lines), \(host) port \(port)")
        }
    }

    /// Lists of revoked keys, with a known_hosts file that has the key.
    private static let lists = ["", "KEY", "OTHER", "RSA\nKEY comment", "# KEY", " KEY", "nonsense\nKEY", "web1 KEY", "KEY\r"]

    @Test("a list of revoked keys gives the same verdict as ssh") func verdictsOnAList() throws {
        let directory = try TemporaryDirectory()
        let (key, _) = try Oracle.makeKey(type: "ed25519", in: directory, name: "host-key")
        let (other, _) = try Oracle.makeKey(type: "ed25519", in: directory, name: "other")
        let (rsa, _) = try Oracle.makeKey(type: "rsa", in: directory, name: "rsa")
        try directory.write("sshd_config", "HostKey \(directory.path("host-key"))\nUsePAM no\n")
        let known = try directory.write("known_hosts", "web1 \(key.line)\n")
        for list in Self.lists {
            let text = [("KEY", key), ("OTHER", other), ("RSA", rsa)].reduce(list) { text, pair in
                text.replacingOccurrences(of: pair.0, with: pair.1.line)
            }
            var files = SSHKnownHostsFiles(user: [known])
            files.revoked = [try directory.write("revoked", text + "\n")]
            // A list that cannot be read refuses every key.
            let ours = (try? files.load(policy: .strict)).map { Answer($0.verdict(on: key, host: "web1", port: 22)) } ?? .unclear
            let theirs = try Self.askSSH("web1", 22, directory, options: ["RevokedHostKeys=\(directory.path("revoked"))"])
            #expect(ours == theirs, "\(list)")
        }
    }

    private static func askSSH(
        _ host: String, _ port: Int, _ directory: TemporaryDirectory, options more: [String] = []
    ) throws -> Answer {
        // sshd wants /run/sshd if it runs as root; the sandbox has one.
        let server = "bwrap --dev-bind / / --tmpfs /run --dir /run/sshd /usr/sbin/sshd -i -f \(directory.path("sshd_config"))"
        let options =
            [
                "ProxyCommand=\(server)", "UserKnownHostsFile=\(directory.path("known_hosts"))", "GlobalKnownHostsFile=none",
                "StrictHostKeyChecking=yes", "BatchMode=yes", "PreferredAuthentications=none", "IdentityFile=none",
            ] + more
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh")
        process.arguments = ["-F", "none", "-v", "-p", "\(port)"] + options.flatMap { ["-o", $0] } + [host, "true"]
        let errors = Pipe()
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try errors.fileHandleForReading.close()
        process.waitUntilExit()
        if text.contains("Authentications that can continue") { return .accepted }
        if text.contains("HOST IDENTIFICATION HAS CHANGED") { return .changed }
        if text.contains("REVOKED HOST KEY") || text.contains("revoked by file") { return .revoked }
        return text.contains("host key is known for") ? .unknown : .unclear
    }
}

extension RealSSHVerdictTests.Answer {
    fileprivate init(_ verdict: SSHHostKeyVerdict) {
        self =
            switch verdict {
            case .trusted: .accepted
            case .changed, .otherTypeKnown: .changed
            case .revoked: .revoked
            case .unknown: .unknown
            }
    }
}
