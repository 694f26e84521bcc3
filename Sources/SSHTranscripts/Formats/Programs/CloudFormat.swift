/// Messages of the clouds' wrappers of ssh. Sources: aws-cli and session-manager-plugin; gcloud,
/// command_lib/compute/iap_tunnel.py and command_lib/util/ssh/ssh.py; the az ssh extension.
enum CloudFormat {
    /// curl, which has the same messages for other protocols. Source: curl, lib/strerror.c and lib/vssh/libssh2.c.
    static let curl: [TranscriptRow] = [
        overSSH("…SSH authentication methods available: "), overSSH("…SSH MD5 fingerprint: "),
        overSSH("…SSH MD5 public key: "), overSSH("…SSH host check: "), overSSH("…sftp://"), overSSH("…scp://"),
        .library("…SSH public key authentication failed: {reason}", "libssh2.c, -v") { found, _ in
            LibSSHRows.reading(ofLibSSH2: found["reason"] ?? "")
                ?? .refused("publickey", .guess, alternatives: ["the key cannot be read"])
        },
        .says("…Denied establishing ssh session: mismatch ", "libssh2.c", .known(.hostKeyChanged)),
        .says("…Denied establishing ssh session: ", "libssh2.c", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .library("…Failure establishing ssh session: {n},{reason}", "libssh2.c") { found, _ in
            let reason = (found["reason"] ?? "").trimming(" ")
            if reason.isEmpty, ["-4", "-12"].contains(found["n"]) { return .protocolBroken(at: .keyExchange) }
            return LibSSHRows.reading(ofLibSSH2: "\(reason) (\(found["n"] ?? ""))")
                ?? LibSSHTexts.reading(ofLibSSH2: Int(found["n"] ?? "") ?? 0, reason) ?? .cut(at: .keyExchange, .plain)
        },
        .says("…Failure establishing ssh session", "libssh2.c before 7.70", .cut(at: .keyExchange, .plain)),
        .says("…Failure initialising ssh session", "libssh2.c", .known(.localLibraryFailure, .guess)),
        .says("curl: (79) Error in the SSH layer", "strerror.c", .cut(at: .keyExchange, .plain)),
        .library("curl: (79) {text}", "libssh2.c: an operation on a file") { found, facts in
            let text = (found["text"] ?? "").lowercased()
            if text.mentions("permission denied") { return .known(.sftpPermissionDenied, .guess) }
            return text.mentions("no such file") ? .known(.sftpNoSuchFile, .guess) : facts.decline()
        },
        .library("curl: (1) Protocol {name} not supported{rest}", "url.c") { found, facts in
            ["\"sftp\"", "\"scp\"", "sftp", "scp"].contains(found["name"] ?? "") ? .known(.localUnsupported) : facts.decline()
        },
        .says("curl: (78) Unknown error in libssh2", "libssh2.c", .known(.sftpNoSuchFile, .guess)),
        .says("…Unknown error in libssh2", "libssh2.c", .known(.sftpWriteFailed, .guess, .plain)),
        .says("…Failure initializing sftp session: ", "libssh2.c", .request(.subsystem, .guess, or: ["it was lost"])),
        .says("curl: (67) Could not load private key file", "libssh.c", .key(.unreadable, nil, "", .guess)),
        .says("curl: (2) Failure connecting to agent", "libssh2.c", .agent(.unavailable, "it could not be connected to")),
        // FTP has other messages for a refused login.
        .says(
            "curl: (67) Authentication failure", "libssh2.c, libssh.c",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .library("curl: (7) Failed to connect to {host} port 22{rest}", "connect.c") { found, facts in
            let rest = found["rest"] ?? ""
            // 22 or 2222, and no longer number with the same beginning.
            guard [":", " ", "22:", "22 "].contains(where: { rest.hasPrefix($0) }) else { return facts.decline() }
            let number = SystemErrorTexts.systemError(rest)
            return number == SystemErrorTexts.systemError("") ? .notReached(.guess, .plain) : .unconnected(number, .likely)
        },
        .library("{before}Could not open {what} for reading: {text}", "libcurl: vssh, libssh2.c and libssh.c") { found, facts in
            let isCurl = found["what"] == "remote file" || found["before"]?.mentions("curl") == true || facts.isOverSSH
            return isCurl ? SFTPTexts.reading(of: found["text"] ?? "") ?? facts.decline() : facts.decline()
        },
        .library("…pload failed: {text} ({status}/-31)", "curl: vssh/libssh2.c, with SFTP's status") { found, facts in
            found["status"].flatMap { Int($0) }.flatMap(SFTPTexts.reading(ofStatus:)) ?? facts.decline()
        },
        curl("curl: (67) ", .refused("password", .guess, alternatives: SharedAlternatives.login)),
        curl("curl: (60) ", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        curl("curl: (51) ", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        curl("curl: (28) ", .timedOut(.connect, .guess)), curl("curl: (7) ", .notReached(.guess)),
        curl("curl: (6) ", .unresolved("not known", .likely)), curl("curl: (9) ", .known(.sftpPermissionDenied, .guess)),
        curl("curl: (78) ", .known(.sftpNoSuchFile, .guess)), curl("curl: (79) ", .cut(at: .keyExchange, .plain)),
    ]

    private static func overSSH(_ words: String) -> TranscriptRow {
        .noting(words, "curl, and the addresses of programs that run it") { _, facts in facts.isOverSSH = true }
    }

    private static func curl(_ words: String, _ reading: @autoclosure @escaping @Sendable () -> TranscriptReading)
        -> TranscriptRow
    {
        .library("\(words){text}", "curl: CURLcode, with an address of sftp:// or scp://") { _, facts in
            facts.isOverSSH ? reading() : facts.decline()
        }
    }

    static let all = [TranscriptFormat("aws", aws), TranscriptFormat("gcloud", gcloud), TranscriptFormat("az", az)]

    private static let aws: [TranscriptRow] = [
        // The operation is that of every session, and not of ssh's alone.
        proxied("…({code}) when calling the StartSession operation", "aws-cli", .guess),
        proxied("…An error occurred ({code}) when calling the SendSSHPublicKey operation", "aws-cli"),
        proxied("…SessionManagerPlugin is not found", "aws-cli"),
        .says("…EB CLI cannot find your SSH key file", "awsebcli: ssh.notfound", .key(.notFound, nil, "")),
    ]

    private static let gcloud: [TranscriptRow] = [
        proxied("…Error while connecting [4003: ", "gcloud"), proxied("…Error while connecting [4033: ", "gcloud"),
        proxied("…Error while connecting [", "gcloud"),
        .says("…ssh) Your platform does not support SSH", "gcloud", .missingProgram("ssh")),
        .says(
            "…Could not SSH into the instance.", "gcloud",
            .notReached(.guess, .wrapper, or: ["the key has not reached the instance yet", "a firewall drops the packets"])),
        .says(
            "…exited with return code [255].", "gcloud",
            .notReached(.guess, .wrapper, or: ["the login was refused", "the remote command exited with 255"])),
    ]

    private static let az: [TranscriptRow] = [
        .says("…Could not parse public key. Error: ", "az: azext_ssh", .key(.formatInvalid, nil, "", .guess))
    ]

    /// The tunnel below ssh failed. ssh's message about the end of its connection is a consequence.
    private static func proxied(_ text: String, _ source: String, _ confidence: SSHError.Confidence = .likely) -> TranscriptRow {
        TranscriptRow(text, source) { found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: "", exitStatus: nil, standardError: found["code"] ?? ""), at: .connect, confidence
            ) { $0.stream = .closed }
        }
    }
}
