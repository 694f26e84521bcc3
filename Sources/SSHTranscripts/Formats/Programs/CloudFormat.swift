/// Messages of the clouds' wrappers of ssh. Sources: aws-cli and session-manager-plugin; gcloud,
/// command_lib/compute/iap_tunnel.py and command_lib/util/ssh/ssh.py; the az ssh extension.
enum CloudFormat {
    /// curl, which has the same messages for other protocols.
    static let curl: [TranscriptRow] = [
        curl("curl: (67) ", .refused("password", .guess, alternatives: SharedAlternatives.login)),
        curl("curl: (60) ", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        curl("curl: (28) ", .timedOut(.connect, .guess)), curl("curl: (7) ", .notReached(.guess)),
        curl("curl: (6) ", .unresolved("not known", .likely)), curl("curl: (9) ", .known(.sftpPermissionDenied, .guess)),
        curl("curl: (78) ", .known(.sftpNoSuchFile, .guess)),
    ]

    private static func curl(_ words: String, _ reading: @autoclosure @escaping @Sendable () -> TranscriptReading)
        -> TranscriptRow
    {
        .library("\(words){text}", "curl: CURLcode, with an address of sftp:// or scp://") { _, facts in
            facts.isOverSSH ? reading() : facts.decline()
        }
    }

    static let rows: [TranscriptRow] = [
        // The operation is that of every session, and not of ssh's alone.
        proxied("…(TargetNotConnected) when calling the StartSession operation", "aws-cli", .guess),
        proxied("…An error occurred ({code}) when calling the StartSession operation", "aws-cli", .guess),
        proxied("…An error occurred ({code}) when calling the SendSSHPublicKey operation", "aws-cli"),
        proxied("…SessionManagerPlugin is not found", "aws-cli"),
        proxied("…Error while connecting [4003: ", "gcloud"), proxied("…Error while connecting [4033: ", "gcloud"),
        proxied("…Error while connecting [", "gcloud"),
        .says(
            "…Could not SSH into the instance.", "gcloud",
            .notReached(.guess, .wrapper, or: ["the key has not reached the instance yet", "a firewall drops the packets"])),
        .says("…Could not parse public key. Error: ", "az: azext_ssh", .key(.formatInvalid, nil, "", .guess)),
        .says(
            "…exited with return code [255].", "gcloud",
            .notReached(.guess, .wrapper, or: ["the login was refused", "the remote command exited with 255"])),
    ]

    /// The tunnel below ssh failed. ssh's message about the end of its connection is a consequence.
    private static func proxied(_ text: String, _ source: String, _ confidence: SSHError.Confidence = .likely) -> TranscriptRow {
        TranscriptRow(text, source) { found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: source, exitStatus: nil, standardError: found["code"] ?? "the tunnel failed"),
                at: .connect, confidence)
        }
    }
}
