/// Perl's Net::OpenSSH, which runs ssh, and Rex and smokeping with it. Source: Net::OpenSSH 0.6–0.84, OpenSSH.pm.
enum PerlFormat {
    static let all = [TranscriptFormat("net::openssh", openSSH)]

    private static let openSSH: [TranscriptRow] = [
        .library("…unable to establish master SSH connection: {reason}", "_master_fail, _master_wait") { found, _ in
            unestablished(found["reason"] ?? "")
        },
        .says("…master SSH connection broken", "_master_check", .lost(.closed, .guess)),
        .says("…ssh slave failed: ", "_waitpid", TranscriptReading.lost(.closed, .guess).ranked(.wrapper)),
        .says(
            "…unable to create SFTP client", "sftp",
            TranscriptReading.request(.subsystem, .guess, or: ["the connection was lost"]).ranked(.plain)),
    ]

    private static func unestablished(_ reason: String) -> TranscriptReading {
        if reason.mentions("doesn't match the one stored locally") { return .known(.hostKeyChanged) }
        if reason.mentions("the authenticity of the target host") { return .hostKeyUnknown(.likely) }
        if reason.hasPrefix("password authentication failed") { return .refused("password", .likely) }
        if reason.hasPrefix("login timeout") {
            return .timedOut(
                .connect, .guess, alternatives: ["the login stalled", "the password's prompt is not the known one"])
        }
        if reason.hasPrefix("bad passphrase or ") {
            return .key(.passphraseWrong, nil, "", .guess, alternatives: ["the host was not reached"])
        }
        if reason.hasPrefix("bad password or ") {
            // The program does not know, because ssh's own messages went elsewhere.
            return .notReached(.guess, .wrapper, or: ["the password was refused", "the host key is not known"])
        }
        if reason.hasPrefix("ctl_") || reason.mentions("ctl_path") || reason.hasPrefix("bad ssh master at ") {
            return .direct(.telling, .localConfigInvalid, .guess) { _ in
                VerdictText(
                    "Net::OpenSSH could not use its control socket: \(reason.oneLine(120))",
                    hint: "Set ctl_dir to a directory that only this user may write to, with a short path.")
            }
        }
        return .notReached(.guess, .wrapper, or: ["the login was refused"])
    }
}
