import BridgeSSH
import Foundation
import SSHTestSupport

/// Commands, copies and this side.
extension RemedyTable {
    static let commands: [Remedy] = [
        Remedy(
            .localUsage, .shows("bridge-ssh run --help", words: "USAGE"), extra: { _ in ["--no-such-option"] },
            act: { _, words in words.removeAll { $0 == "--no-such-option" } }
        ) { _, _ in },
        Remedy(
            .localConfigInvalid, .options("--config none"),
            extra: { ["-F", try $0.home.write("Host *\nPort none\n", to: "config")] }
        ) { _, _ in },
        Remedy(.channelPTYDenied, .without(["--tty"]), server: sandbox("PermitTTY no\n")) { _, testRun in testRun.tty = true },
        Remedy(
            .commandExitNonzero, .options("--shell"), name: "a device's words", server: DeviceShell.sandbox(DeviceShell.ios),
            extra: { _ in ["--json"] }
        ) { _, testRun in testRun.command = "show version" },
        Remedy(
            .channelPromptMissing, .options("--prompt"), server: DeviceShell.sandbox(DeviceShell.strange),
            extra: { _ in ["--shell"] },
            act: { _, words in
                // The expression is quoted for a shell, which removes the quotes.
                if let place = words.lastIndex(of: "--prompt") { words.insert("^what now\\?$", at: place + 1) }
            }
        ) { _, testRun in (testRun.connectTimeout, testRun.command) = (5, "hello") },
        Remedy(.commandTimedOut, .raised("--timeout", "60")) { _, testRun in
            (testRun.timeout, testRun.command) = (1, "sleep 2")
        },
        Remedy(.commandIdleTimedOut, .raised("--idle-timeout", "60"), extra: { _ in ["--idle-timeout", "1"] }) { _, testRun in
            testRun.command = "sleep 2"
        },
        Remedy(
            .commandOutputLimitExceeded, .raised("--output-limit", "1K"), extra: { _ in ["--json", "--output-limit", "10"] }
        ) { _, testRun in testRun.command = "echo 12345678901234567890" },
        // If the command's own output shows why it failed, only --json has the remedy.
        Remedy(.commandNotExecutable, .server("chmod +x"), extra: { _ in ["--json"] }) {
            try $0.box.put("#!/bin/sh\necho ok\n", at: "/tmp/script")
            $1.command = "/tmp/script"
        },
        Remedy(
            .commandLoginShellDenied, .shows("bridge-ssh copy", status: 199, words: "bridge-ssh copy --help"), as: .sftponly,
            extra: { _ in ["--json"] },
            act: { fixture, words in
                let file = try fixture.home.write("content\n", to: "file")
                let options = words.dropFirst().dropLast(3).filter { $0 != "--json" }.map { $0 == "-p" ? "-P" : $0 }
                words = ["copy"] + options + [file, "\(words[words.count - 3]):"]
            }
        ) { _, _ in },
    ]

    /// A server whose first SFTP session is cut off when a file of it has begun to arrive.
    private static var cutOnce: SSHDSandbox.Options {
        var options = SSHDSandbox.Options("ForceCommand /bin/sh /opt/cut-once")
        options.files["/opt/cut-once"] = SandboxFile(
            """
            session=$PPID
            if mkdir /tmp/was-cut 2>/dev/null; then
                (until [ "$(cat /tmp/.*.bridge-partial 2>/dev/null | wc -c)" -gt 50000 ]; do sleep 0.1; done; kill -9 $session) &
            fi
            exec /usr/lib/openssh/sftp-server

            """)
        return options
    }

    static let files: [Remedy] = [
        Remedy(
            .sessionConnectionLost, .options("--resume"), name: "a copy that can be continued", server: cutOnce,
            copying: ["~/file", "127.0.0.1:/tmp/file"], extra: { _ in ["--resume", "--limit-rate", "100K"] }
        ) { fixture, _ in try fixture.home.write(String(repeating: "x", count: 300_000), to: "file") },
        Remedy(
            .sftpPermissionDenied, .shows("ls -ld", on: .account, words: "-rw------- "),
            copying: ["127.0.0.1:/tmp/secret", "~/got"],
            act: { fixture, _ in
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644], ofItemAtPath: fixture.box.url(of: "/tmp/secret").path)
            }
        ) { fixture, _ in
            try fixture.box.put("content\n", at: "/tmp/secret")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: fixture.box.url(of: "/tmp/secret").path)
        },
        Remedy(
            .sftpDiskFull, .shows("df -h", on: .account, words: "/small"), copying: ["~/big", "127.0.0.1:/small/big"],
            act: { _, words in words[words.count - 1] = "127.0.0.1:/tmp/big" }
        ) { fixture, _ in try fixture.home.write(String(repeating: "x", count: 3 << 20), to: "big") },
        Remedy(.sftpIsADirectory, .options("--recursive"), copying: ["127.0.0.1:folder", "~/got"]) { fixture, _ in
            _ = try fixture.box.folder("folder")
        },
        Remedy(.sftpNoSuchFile, .options("--mkpath"), copying: ["~/file", "127.0.0.1:/tmp/not/there/"]) { fixture, _ in
            try fixture.home.write("content\n", to: "file")
        },
        Remedy(
            .channelSubsystemMissing, .serverLine("Subsystem sftp"), server: sandbox("Subsystem other /bin/false\n"),
            copying: ["~/file", "127.0.0.1:/tmp/file"]
        ) { fixture, _ in try fixture.home.write("content\n", to: "file") },
    ]
}
