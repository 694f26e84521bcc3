/// What the clouds' wrappers say around ssh. Sources: aws-cli and session-manager-plugin; gcloud, command_lib/compute/iap_tunnel.py and
/// command_lib/util/ssh/ssh.py; the az ssh extension.
enum CloudFormat {
    static let rows: [TranscriptRow] = [
        proxied("…(TargetNotConnected) when calling the StartSession operation", "aws-cli"),
        proxied("…An error occurred ({code}) when calling the StartSession operation", "aws-cli"),
        proxied("…An error occurred ({code}) when calling the SendSSHPublicKey operation", "aws-cli"),
        proxied("…SessionManagerPlugin is not found", "aws-cli"),
        proxied("…Error while connecting [4003: ", "gcloud"), proxied("…Error while connecting [4033: ", "gcloud"),
        proxied("…Error while connecting [", "gcloud"),
        .says(
            "…Could not SSH into the instance.", "gcloud",
            .known(.connectFailed, .guess, .plain, or: ["the key has not reached the instance yet", "a firewall drops the packets"])),
        .says(
            "…exited with return code [255].", "gcloud",
            .known(.connectFailed, .guess, .consequence, or: ["the login was refused", "the remote command exited with 255"])),
    ]

    /// The tunnel under ssh did not come about: what ssh says of its end follows from that.
    private static func proxied(_ text: String, _ source: String) -> TranscriptRow {
        TranscriptRow(text, source) { found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: source, exitStatus: nil, standardError: found["code"] ?? "the tunnel failed"),
                at: .connect, .likely)
        }
    }
}
