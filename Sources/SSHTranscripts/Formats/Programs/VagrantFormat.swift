/// Vagrant's own messages. Source: vagrant, templates/locales/en.yml.
enum VagrantFormat {
    static let all = [TranscriptFormat("vagrant", vagrant)]

    private static let warnings: [(String, @Sendable () -> TranscriptReading)] = [
        ("Connection timeout", { .timedOut(.connect, .guess) }),
        ("Connection refused", { .unconnected("connection refused", .guess) }),
        ("Host unreachable", { .unconnected("no route to host", .guess) }),
        ("Authentication failure", { .refused("publickey", .guess) }),
        ("Remote connection disconnect", { .ended(.telling, .closed, at: .banner, .guess) }),
        ("Connection reset", { .ended(.telling, .reset, at: .banner, .guess) }),
    ]

    /// Vagrant retries, and each warning is the state of one attempt.
    private static let vagrant: [TranscriptRow] =
        warnings.flatMap { text, read in
            ["Warning", "Error"].map {
                TranscriptRow("…\($0): \(text). Retrying...", "locales/en.yml; Error in 1.5") { _, _ in read().ranked(.ending) }
            }
        } + [
            TranscriptRow("Timed out while waiting for the machine to boot", "locales/en.yml", ends: true) { _, _ in
                .timedOut(.connect, .guess, alternatives: ["the login was refused each time"]).ranked(.consequence)
            },
            .recovers("…Machine booted and ready!", "locales/en.yml"),
            .says(
                "…SSH authentication failed! This is typically caused by", "locales/en.yml: ssh_authentication_failed",
                .refused("publickey", .likely)),
            .says(
                "…SSH connection was refused! This usually happens", "locales/en.yml: ssh_connection_refused",
                .unconnected("connection refused", .likely)),
            .library("{before}The SSH connection was unexpectedly closed by the remote end", "locales/en.yml: ssh_disconnected") {
                found, _ in
                // It waits for the machine, and has sent no command.
                found["before"]?.mentions("SSH not ready") == true
                    ? .cut(.closed, at: .banner, .ending) : .lost(.closed, .guess).ranked(.ending)
            },
            // With VAGRANT_LOG, net-ssh logs what the server says before the login.
            .library("…net.ssh.authentication.session[{id}]: \"{words}", "net-ssh: authentication/session.rb, USERAUTH_BANNER") {
                found, facts in
                let words = found["words"] ?? ""
                return AccountTexts.speaks(AccountTexts.closed, in: [words]) ? .accountDenied(words) : facts.decline()
            },
            .library("…INFO retryable: Retryable exception raised: #<{class}: {reason}", "util/retryable.rb") { found, facts in
                CommonReasons.reading(of: "\(found["class"] ?? ""): \(found["reason"] ?? "")")?.ranked(.ending) ?? facts.decline()
            },
            .says(
                "…SSH is getting permission denied errors when attempting to connect", "locales/en.yml: ssh_connect_eacces",
                .known(.connectBlockedLocally)),
            .says(
                "…Vagrant timed out while attempting to connect via SSH", "locales/en.yml: ssh_connection_timeout",
                .timedOut(.connect, .likely)),
            .says("…Failed to connect to VM via SSH", "locales/en.yml; 1.1", .notReached(.guess, .plain)),
            .says(
                "…SSH command responded with a non-zero exit status", "locales/en.yml: ssh_bad_exit_status",
                .known(.commandExitNonzero, .likely)),
            .says("…The host path of the SSH key is not readable", "locales/en.yml", .key(.unreadable)),
            .says(
                "…The private key you're attempting to use with this Vagrant box uses",
                "locales/en.yml: ssh_key_type_not_supported", .key(.typeUnsupported)),
            .says(
                "…The private key to connect to the machine via SSH must be owned", "locales/en.yml: ssh_key_bad_owner",
                .key(.permissionsTooOpen)),
            .says(
                "…The private key to connect to this box via SSH has invalid permissions",
                "locales/en.yml: ssh_key_bad_permissions", .key(.permissionsTooOpen)),
            .says(
                "…`ssh` executable not found in any directories", "locales/en.yml: ssh_unavailable", .known(.localUsage, .guess)),
            .says(
                "…Failed to upload a file to the guest VM via SCP due to a permissions", "locales/en.yml: scp_permission_denied",
                .known(.sftpPermissionDenied)),
            .says(
                "…SSH server on the guest doesn't support SCP", "locales/en.yml: scp_unavailable",
                .known(.commandNotFound, .guess)),
            .says(
                "…Failed to open an SSH channel on the remote end!", "locales/en.yml: ssh_channel_open_fail",
                .known(.channelSessionLimit, .guess, or: ["the server allows no session"])),
            .says("…SSH connection was aborted! This usually happens", "locales/en.yml: ssh_connection_aborted", .cut()),
            .says("…SSH connection was reset! This usually happens", "locales/en.yml: ssh_connection_reset", .cut(.reset)),
            .says(
                "…The SSH command completed, but Vagrant did not receive an exit", "locales/en.yml: ssh_no_exit_status",
                .known(.commandOutcomeUnknown)),
            .says(
                "…While attempting to connect with SSH, a \"no route to host\"", "locales/en.yml: ssh_no_route",
                .unconnected("no route to host", .likely)),
            .says(
                "…While attempting to connect with SSH, a \"host is down\"", "locales/en.yml: ssh_host_down",
                .unconnected("host is down", .likely)),
            .says(
                "…The configured shell (config.ssh.shell) is invalid and unable", "locales/en.yml: ssh_invalid_shell",
                .known(.localConfigInvalid, .guess, or: ["the shell is missing on the server", "the connection was lost"])),
            .says(
                "…executable found in the PATH is a PuTTY Link SSH", "locales/en.yml: ssh_is_putty_link", .known(.localUsage)),
            .says("…Using `vagrant ssh -c` requires key-based SSH authentication", "locales/en.yml", .known(.localUsage)),
            .says("…`ssh` binary could not be found", "locales/en.yml: ssh_unavailable", .missingProgram("ssh")),
            .says(
                "…An error occurred in the underlying SSH library that Vagrant uses", "locales/en.yml: net_ssh_exception",
                .notReached(.guess, .wrapper, or: ["the login was refused", "the agent holds a key that it cannot use"])),
            .library("…`private_key_path` file must exist: {path}", "locales/en.yml: private_key_missing") { found, _ in
                .key(.notFound, found["path"])
            },
            .says(
                "…Guest communication could not be established! This is usually because", "locales/en.yml: guest_not_ready",
                .notReached(.guess, .plain)),
            .says(
                "…\"rsync\" could not be found on your PATH. Make sure that rsync", "locales/en.yml: rsync_not_found",
                .missingProgram("rsync")),
            .says(
                "…\"rsync\" was not detected as installed in your guest machine", "locales/en.yml",
                .known(.commandNotFound, .guess)),
            .says("…An SSH connection is not available", "locales/en.yml", .notReached()),
            .says("…VM must be running to open SSH connection", "locales/en.yml: vm_not_running", .notReached(.guess, .plain)),
            .says(
                "…is reporting that it is not yet ready for SSH", "locales/en.yml: ssh_not_ready", .notReached(.guess, .plain)),
        ]
}
