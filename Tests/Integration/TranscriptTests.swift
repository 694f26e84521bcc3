import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Verdicts on the output of this machine's real clients: every client with every fault.
@Suite("Real transcripts")
struct RealTranscriptTests {
    enum Client: String, CaseIterable, Sendable {
        case ssh, scp, sftp, rsync, git
    }

    /// The fault, as options of the client or another port.
    struct Fault: Sendable {
        let codes: Set<SSHError.Code>
        let options: [String]
        var host = "127.0.0.1"
        var script: FaultScript?
        /// Whether the text allows only a guess.
        var isGuess = false

        init(
            _ codes: SSHError.Code..., options: [String] = [], host: String = "127.0.0.1", script: FaultScript? = nil,
            isGuess: Bool = false
        ) {
            self.codes = Set(codes)
            self.options = options
            self.host = host
            self.script = script
            self.isGuess = isGuess
        }
    }

    private static func faults(_ box: SSHDSandbox) async throws -> [Fault] {
        let wrong = try await TestKey.make(name: "wrong")
        let wrongFile = try box.identityFile(wrong)
        let locked = try box.identityFile(try await TestKey.make(passphrase: "secret", name: "locked"))
        // Its public half is offered first, so it must be a key that the server accepts.
        let open = try box.directory.write(box.clientKey.privateKey, to: "open", mode: 0o644)
        let garbage = try box.directory.write("no key\n", to: "garbage")
        let changed = try await box.knownHosts(keys: [wrong.publicKey])
        let revoked = try await box.knownHosts(marker: "@revoked")
        let empty = try box.directory.write("", to: "empty")
        let config = try box.directory.write("Frobnicate yes\n", to: "config")
        return [
            Fault(.connectRefused, options: ["-o", "Port=1"]),
            Fault(.resolveHostNotFound, .resolveTemporaryFailure, host: "no-such-host.invalid"),
            Fault(.bannerClosed, script: .finishesAtOnce),
            // If the reset comes before ssh has written its own line, it reports nothing more.
            Fault(.bannerClosed, .authConnectionDropped, script: .resetsAtOnce),
            Fault(.bannerUnsupportedVersion, script: .ssh1),
            Fault(.bannerTimedOut, options: ["-o", "ConnectTimeout=1"], script: .silent),
            Fault(.kexDisconnected, script: .disconnects(reason: 12, text: "Too many connections"), isGuess: true),
            Fault(.authConnectionDropped, .kexClosed, script: .identifies(then: .finishes), isGuess: true),
            Fault(.kexNoCommonKex, options: ["-o", "KexAlgorithms=diffie-hellman-group1-sha1"]),
            Fault(.kexNoCommonHostKeyAlgorithm, options: ["-o", "HostKeyAlgorithms=ssh-dss"]),
            Fault(.kexNoCommonCipher, options: ["-o", "Ciphers=3des-cbc"]),
            Fault(.kexNoCommonMAC, options: ["-o", "Ciphers=aes128-ctr", "-o", "MACs=hmac-md5"]),
            Fault(.hostKeyUnknown, options: ["-o", "UserKnownHostsFile=\(empty)"]),
            Fault(.hostKeyChanged, options: ["-o", "UserKnownHostsFile=\(changed)"]),
            Fault(.hostKeyRevoked, options: ["-o", "UserKnownHostsFile=\(revoked)"]),
            Fault(.authKeyRejected, options: ["-i", wrongFile]),
            Fault(.keyNotFound, options: ["-i", "/missing/key"]),
            Fault(.keyPermissionsTooOpen, options: ["-i", open]),
            Fault(.keyFormatInvalid, options: ["-i", garbage]),
            Fault(.authKeyRejected, options: ["-i", locked], isGuess: false),
            Fault(.connectProxyFailed, options: ["-o", "ProxyCommand=/bin/sh -c 'echo broken >&2; exit 1'"]),
            Fault(.localConfigInvalid, options: ["-F", config]),
            Fault(.localUsage, options: ["-o", "Frobnicate=yes"]),
        ]
    }

    @Test("each fault has its code, with each client", arguments: Client.allCases)
    func everyFault(_ client: Client) async throws {
        try await SSHDSandbox.run { box in
            for fault in try await Self.faults(box) {
                if let script = fault.script {
                    try await FaultServer.run(script) { server in try await judge(client, fault, box, port: server.port) }
                } else {
                    try await judge(client, fault, box, port: box.port)
                }
            }
        }
    }

    private func judge(_ client: Client, _ fault: Fault, _ box: SSHDSandbox, port: Int) async throws {
        // ssh uses the first value of an option, so the fault's options come first.
        var options = fault.options
        if !options.contains("-F") { options += ["-F", "none"] }
        if !options.contains("-i") { options += ["-i", box.clientKeyFile] }
        options += [
            "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
            "-o", "UserKnownHostsFile=\(try await box.knownHosts(port: port))", "-o", "GlobalKnownHostsFile=none",
            "-o", "ConnectTimeout=20", "-o", "Port=\(port)",
        ]
        let quoted = (["ssh"] + options).map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
        let place = "alice@\(fault.host)"
        let arguments: [String] =
            switch client {
            case .ssh: options + [place, "true"]
            case .scp: options + ["/etc/hostname", "\(place):x"]
            case .sftp: options + [place]
            case .rsync: ["-e", quoted, "/etc/hostname", "\(place):x"]
            case .git: ["ls-remote", "\(place):repository"]
            }
        let result = try await ProcessRun.run(
            client.rawValue, arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": box.directory.url.path, "GIT_SSH_COMMAND": quoted]))
        let command = client == .ssh ? "ssh \(place) true" : client.rawValue
        let transcript = SSHTranscript(
            standardError: result.errorOutput, exitStatus: result.exitStatus.map { Int($0) }, command: command)
        let verdict = SSHTranscriptClassifier.classify(transcript)
        #expect(
            verdict.map { fault.codes.contains($0.code) } == true,
            "\(client) \(fault.options) \(fault.codes) ended with \(result.termination): \(verdict?.code.rawValue ?? "nil")\n\(result.errorOutput)"
        )
        if fault.isGuess { #expect(verdict?.confidence == .guess) }
        // A log knows neither status nor command.
        let blind = SSHTranscriptClassifier.classify(SSHTranscript(standardError: result.errorOutput))
        #expect(blind.map { fault.codes.contains($0.code) } == true, "without its status: \(result.errorOutput)")
        #expect(blind?.confidence != .exact)
    }
}
