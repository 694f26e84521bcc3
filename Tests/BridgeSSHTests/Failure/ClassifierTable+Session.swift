import BridgeSSH

extension ClassifierTable {
    static let everything = all + login + brokenLogin + channel + session + command + files + local

    static let login: [Row] = [
        Row(.authKeyRejected, "a key", Seen.login(.credentialsExhausted, [("publickey", .refused)])),
        Row(
            .authPasswordRejected, "a password last",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("password", .refused)])),
        Row(.authKeyboardInteractiveRejected, "answers", Seen.login(.credentialsExhausted, [("keyboard-interactive", .refused)])),
        Row(
            .authKeyRejected, "the last refused, not the last tried",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("password", .unusable)])),
        Row(
            .authRSASHA1Rejected, .likely, "RSA with SHA-1",
            Seen.login(.credentialsExhausted, [("publickey", .refused)]) {
                $0.attempts[0].keyType = "ssh-rsa"
                $0.attempts[0].signatureAlgorithm = "ssh-rsa"
            }),
        Row(
            .authKeyRejected, "RSA with SHA-2, then with SHA-1",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("publickey", .refused)]) {
                for index in 0...1 {
                    $0.attempts[index].keyType = "ssh-rsa"
                    $0.attempts[index].signatureAlgorithm = ["rsa-sha2-512", "ssh-rsa"][index]
                }
            }),
        Row(
            .authRSASHA1Rejected, .likely, "RSA with SHA-2, then with SHA-1, whose signature was refused",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("publickey", .refused)]) {
                for index in 0...1 {
                    $0.attempts[index].keyType = "ssh-rsa"
                    $0.attempts[index].signatureAlgorithm = ["rsa-sha2-512", "ssh-rsa"][index]
                }
                $0.attempts[1].keyAccepted = true
            }),
        Row(
            .authKeyRejected, "a certificate",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("publickey", .refused)]) {
                $0.attempts[1].keyType = "ssh-ed25519-cert-v01@openssh.com"
            }),
        Row(
            .authKeyRejected, .likely, "an expired certificate, and a key after it",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("publickey", .refused)]) {
                $0.attempts[0].keyType = "ssh-ed25519-cert-v01@openssh.com"
                $0.attempts[0].certificateDefect = SSHCertificateDefect(reason: .expired, detail: "it was valid until then")
            }),
        Row(
            .authKeyRejected, "RSA with SHA-2",
            Seen.login(.credentialsExhausted, [("publickey", .refused)]) {
                $0.attempts[0].keyType = "ssh-rsa"
                $0.attempts[0].signatureAlgorithm = "rsa-sha2-512"
            }),
        Row(
            .authKeyRejected, "RSA with SHA-1 at a server that takes it",
            Seen.login(.credentialsExhausted, [("publickey", .refused)]) {
                $0.attempts[0].keyType = "ssh-rsa"
                $0.attempts[0].signatureAlgorithm = "ssh-rsa"
            }.with { $0.identification = "SSH-2.0-OpenSSH_7.4" }),
        Row(
            .authKeyRejected, "no questions were available after it",
            Seen.login(.credentialsExhausted, [("publickey", .refused), ("keyboard-interactive", .refused)]) {
                $0.methodsHeld = ["publickey"]
            }),
        Row(.authMethodNotOffered, "passwords only", Seen.login { $0.methodsOffered = ["password"] }),
        Row(.authNoCredentials, "nothing at all", Seen.login { $0.methodsHeld = [] }),
        Row(.authNoCredentials, .likely, "nothing usable", Seen.login(.credentialsExhausted, [("publickey", .unusable)])),
        Row(
            .authMoreFactorsRequired, "a key is not enough",
            Seen.login(.credentialsExhausted, [("publickey", .partial)]) {
                $0.partialSuccess = true
                $0.methodsRemaining = ["password"]
            }),
        Row(
            .authPasswordRejected, "the second factor is wrong",
            Seen.login(.credentialsExhausted, [("publickey", .partial), ("password", .refused)]) { $0.partialSuccess = true }),
        Row(.authPasswordExpired, "PASSWD_CHANGEREQ", Seen.login { $0.passwordChangeRequested = true }),
        Row(.authPasswordExpired, "PAM asks for a new one", Seen.login(.promptUnanswerable(prompt: "New password: "))),
        Row(.authInteractionRequired, "a one-time code", Seen.login(.promptUnanswerable(prompt: "Verification code: "))),
        Row(
            .agentRefused, .likely, "the agent would not sign",
            Seen.login(.credentialsExhausted, [("publickey", .unusable)]) {
                $0.agentProblem = SSHAgentProblem(reason: .refused, detail: "It is locked.")
            }),
        Row(.authKeyRejected, .guess, "a method of another kind", Seen.login(.credentialsExhausted, [("hostbased", .refused)])),
    ]

    static let brokenLogin: [Row] = [
        Row(
            .authTooManyAttempts, "MaxAuthTries",
            Seen.login(.streamEnded, [("publickey", .refused), ("publickey", .unanswered)]).with {
                $0.disconnect = SSHDisconnectMessage(reason: 2, description: "Too many authentication failures")
                $0.stream = .closed
            }),
        Row(
            .authTooManyAttempts, .likely, "closed after many",
            Seen.login(.streamEnded, Array(repeating: ("publickey", .refused), count: 10)).with { $0.stream = .closed }),
        Row(
            .authAccountDenied, "PAM's words",
            Seen.login(.streamEnded, [("publickey", .unanswered)]) {
                $0.banner = "Your account has expired; please contact your system administrator.\n"
            }.with { $0.stream = .closed }),
        Row(
            .authLoginsClosed, "a server that boots",
            Seen.login(.streamEnded, [("publickey", .unanswered)]) {
                $0.bannerAfterAttempt = "System is booting up. Unprivileged users are not permitted to log in yet.\n"
            }.with { $0.stream = .closed }),
        Row(
            .authLoginsClosed, .likely, "a DISCONNECT of one that is under maintenance",
            Seen.login(.streamEnded, [("password", .unanswered)]).with {
                $0.disconnect = SSHDisconnectMessage(reason: 12, description: "Down for maintenance")
            }),
        Row(
            .authAccountDenied, .likely, "nologin's words",
            Seen.login(.streamEnded, [("password", .unanswered)]) { $0.bannerAfterAttempt = "Back on Monday.\n" }.with {
                $0.stream = .closed
            }),
        Row(
            .authConnectionDropped, .likely, "a notice to everybody, then a cut",
            Seen.login(.streamEnded, [("password", .unanswered)]) { $0.banner = "Authorised users only.\n" }.with {
                $0.stream = .closed
            }),
        Row(
            .authConnectionDropped, .likely, "a cut",
            Seen.login(.libraryFailed, [("publickey", .unanswered)]).with { $0.stream = .reset }),
        Row(.authConnectionDropped, .likely, "the library's word", Seen.call("SOCKET_RECV", at: .authentication)),
        Row(
            .authConnectionDropped, "another DISCONNECT",
            Seen.login(.streamEnded).with {
                $0.disconnect = SSHDisconnectMessage(reason: 2, description: "Change of username or service not allowed")
            }),
        Row(.authTimedOut, "our deadline", Seen.deadline(at: .authentication)),
        Row(
            .authTimedOut, .likely, "LoginGraceTime",
            Seen.login(.streamEnded, [("password", .unanswered)]).with {
                $0.stream = .closed; $0.elapsedSeconds = 120.3
            }),
        Row(
            .authTimedOut, .likely, "a shorter LoginGraceTime",
            Seen.login(.streamEnded, [("password", .unanswered)]).with {
                $0.stream = .closed; $0.awaitedSeconds = 9.8
            }),
        Row(
            .authConnectionDropped, .likely, "a reset is not a time limit, however late",
            Seen.login(.streamEnded, [("password", .unanswered)]).with {
                $0.stream = .reset; $0.awaitedSeconds = 9.8
            }),
        Row(.authPasswordExpired, "libssh2's -15", Seen.call("PASSWORD_EXPIRED", at: .authentication)),
        Row(.sessionProtocolError, "a bad MAC", Seen.call("INVALID_MAC", at: .authentication)),
        Row(
            .authPasswordRejected, "libssh2's -18",
            Seen.login(.libraryFailed, [("password", .refused)]).with {
                $0.library = SSHLibraryCall(
                    function: "libssh2_userauth_password_ex", code: -18, name: "AUTHENTICATION_FAILED", message: "")
            }),
        Row(.authKeyRejected, .guess, "libssh2's -19 alone", Seen.call("PUBLICKEY_UNVERIFIED", at: .authentication)),
        Row(.agentUnavailable, .likely, "libssh2's -42", Seen.call("AGENT_PROTOCOL", at: .authentication)),
    ]

    static let channel: [Row] = [
        Row(
            .channelSessionLimit, .likely, "MaxSessions",
            Seen.that(.channelRefused(reason: 2, description: "open failed"), at: .channel)),
        Row(.channelSessionLimit, .likely, "resources", Seen.that(.channelRefused(reason: 4, description: ""), at: .channel)),
        Row(.channelProhibited, "reason 1", Seen.that(.channelRefused(reason: 1, description: "no"), at: .channel)),
        Row(.channelProhibited, .likely, "reason 3", Seen.that(.channelRefused(reason: 3, description: "what?"), at: .channel)),
        Row(.channelProhibited, .guess, "reason 99", Seen.that(.channelRefused(reason: 99, description: ""), at: .channel)),
        Row(
            .channelJumpTargetUnreachable, "the next hop",
            Seen.that(.channelRefused(reason: 2, description: "Connection refused"), at: .channel)),
        Row(
            .channelJumpTargetUnreachable, "a jump host that does not say why",
            Seen.that(.channelRefused(reason: 2, description: "open failed"), at: .channel) { $0.hop = Seen.jumpHost }),
        Row(
            .channelJumpTargetUnreachable, "a jump host, without its words",
            Seen.that(.channelRefused(reason: 2, description: ""), at: .channel) { $0.hop = Seen.jumpHost }),
        Row(
            .channelJumpTargetUnreachable, .likely, "a jump host without resources",
            Seen.that(.channelRefused(reason: 4, description: ""), at: .channel) { $0.hop = Seen.jumpHost }),
        Row(
            .channelProhibited, "a jump host that forwards no connection",
            Seen.that(.channelRefused(reason: 1, description: "open failed"), at: .channel) { $0.hop = Seen.jumpHost }),
        Row(
            .channelProhibited, "libssh2's brackets",
            Seen.call("CHANNEL_FAILURE", at: .channel) {
                $0.library?.message = "Channel open failure (administratively prohibited)"
            }),
        Row(.channelExecDenied, "exec", Seen.that(.requestRefused(.exec), at: .channel)),
        Row(.channelExecDenied, "shell", Seen.that(.requestRefused(.shell), at: .channel)),
        Row(
            .channelPromptMissing, "a shell without a known prompt",
            Seen.that(.deadlinePassed(SSHDeadline(kind: .prompt, seconds: 15)), at: .command) {
                $0.command = SSHCommandEvidence(command: "show version")
                $0.command?.shell = SSHShellEvidence(lastLine: "what now?")
            }),
        Row(.channelPTYDenied, "pty", Seen.that(.requestRefused(.pty), at: .channel)),
        Row(
            .channelSubsystemMissing, "a subsystem by name",
            Seen.that(.requestRefused(.subsystem), at: .channel) { $0.command = SSHCommandEvidence(command: "netconf") }),
        Row(.channelSubsystemMissing, "subsystem", Seen.that(.requestRefused(.subsystem), at: .channel)),
        Row(
            .channelPTYDenied, "libssh2's -22",
            Seen.call("CHANNEL_REQUEST_DENIED", at: .channel) {
                $0.library?.message = "Unable to complete request for channel request-pty"
            }),
        Row(.channelTimedOut, "our deadline", Seen.deadline(at: .channel)),
        Row(.sessionConnectionLost, "cut while opening", Seen.end(.closed, at: .channel)),
        Row(.localLibraryFailure, .guess, "a refused env", Seen.that(.requestRefused(.env), at: .channel)),
    ]

    static let session: [Row] = [
        Row(.sessionConnectionLost, "FIN", Seen.end(.closed, at: .session)),
        Row(.sessionConnectionLost, .likely, "the library's word", Seen.call("SOCKET_SEND", at: .command)),
        Row(.sessionKeepaliveTimedOut, "three of them", Seen.that(.keepaliveUnanswered(count: 3), at: .session)),
        Row(.sessionConnectionLost, "our helper is gone", Seen.that(.helperEnded, at: .command)),
        Row(
            .sessionDisconnected, "the server goes away",
            Seen.end(.closed, at: .command) {
                $0.disconnect = SSHDisconnectMessage(reason: 11, description: "Server shutting down")
            }
        ),
        Row(.sessionProtocolError, "a bad MAC", Seen.call("INVALID_MAC", at: .command) { $0.stream = .closed }),
        Row(.sessionProtocolError, "a packet that lies", Seen.that(.protocolViolated(.malformedPacket), at: .session)),
        Row(
            .sessionProtocolError, "data without end",
            Seen.that(.protocolViolated(.unrequestedData(limit: 9 << 20)), at: .command)),
        Row(
            .sessionProtocolError, "answers that are not read",
            Seen.that(.protocolViolated(.unreadAnswers(limit: 4 << 20)), at: .session)),
        Row(
            .sessionProtocolError, "questions without end",
            Seen.that(.protocolViolated(.endlessQuestions(limit: 64)), at: .authentication)),
        Row(.sessionProtocolError, "keys that are not renewed", Seen.that(.protocolViolated(.keyExchangeFailed), at: .session)),
        Row(.sessionProtocolError, "another host key", Seen.that(.protocolViolated(.hostKeyReplaced), at: .session)),
        Row(.kexProtocolError, "a client's method", Seen.that(.protocolViolated(.clientOnlyMethod), at: .keyExchange)),
        Row(
            .authTimedOut, .likely, "a clock that was set", Seen.call("TIMEOUT", at: .authentication) { $0.awaitedSeconds = 0.1 }),
        Row(.sessionProtocolError, "before the login", Seen.that(.protocolViolated(.malformedPacket), at: .authentication)),
        Row(.kexProtocolError, "an odd message", Seen.that(.protocolViolated(.unexpectedMessage(192)), at: .keyExchange)),
        Row(.kexProtocolError, "a bad packet", Seen.that(.protocolViolated(.malformedPacket), at: .keyExchange)),
        Row(.sessionProtocolError, "output that was dropped", Seen.call("CHANNEL_WINDOW_EXCEEDED", at: .session)),
        Row(.sessionProtocolError, .likely, "an answer that makes no sense", Seen.call("SOCKET_NONE", at: .command)),
        Row(.sessionProtocolError, .likely, "renewing keys failed", Seen.call("KEY_EXCHANGE_FAILURE", at: .command)),
        Row(
            .sessionConnectionLost, "a status, but no end of output",
            Seen.exit(0) {
                $0.endOfOutput = false; $0.channelClosed = false
            }.with { $0.stream = .closed }),
        Row(
            .commandOutcomeUnknown, .likely, "the channel is gone",
            Seen.call("CHANNEL_CLOSED", at: .command) { evidence in
                evidence.command = SSHCommandEvidence(command: "make")
                evidence.command?.progress = .accepted
            }),
    ]

    static let command: [Row] = [
        Row(.commandExitNonzero, "status 3", Seen.exit(3, stderr: "oops\n")),
        Row(.commandNotFound, "127", Seen.exit(127, "frobnicate", stderr: "bash: line 1: frobnicate: command not found\n")),
        Row(
            .commandNotExecutable, "126", Seen.exit(126, "/etc/passwd", stderr: "bash: line 1: /etc/passwd: Permission denied\n")),
        Row(.commandKilledBySignal, "KILL", Seen.exit(nil) { $0.exitSignal = SSHExitSignal(name: "KILL") }),
        Row(.commandOutcomeUnknown, "neither", Seen.exit(nil)),
        Row(
            .commandOutcomeUnknown, "a device's words, and no status",
            Seen.exit(nil, stdout: "SSH command execution is not supported.\n")),
        Row(
            .commandExitNonzero, "a device's words with a status",
            Seen.exit(1, stdout: "\nRemote command execution is disabled on this device\n")),
        Row(
            .commandKilledBySignal, "a device's words, and a signal",
            Seen.exit(nil, stdout: "exec is not supported\n") { $0.exitSignal = SSHExitSignal(name: "KILL") }),
        Row(.commandExitNonzero, "the words in a longer output", Seen.exit(1, stderr: "a\nb\nc\nd\nexec is not supported\n")),
        Row(
            .commandRejected, .likely, "a device's shell",
            Seen.exit(nil) {
                $0.shell = SSHShellEvidence()
                $0.shell?.promptReturned = true
                $0.shell?.rejection = "% Invalid input detected at '^' marker."
                $0.progress = .refused
            }),
        Row(
            .commandRejected, .likely, "a device's shell, and an error on the way",
            Seen.exit(nil) {
                $0.shell = SSHShellEvidence()
                $0.shell?.promptReturned = true
                $0.shell?.rejection = "error: commit failed"
            }),
        Row(
            .channelPromptMissing, "a shell that ended before its prompt",
            Seen.exit(0) {
                $0.shell = SSHShellEvidence()
                $0.progress = .notSent
            }),
        Row(
            .commandOutcomeUnknown, "a shell that ended before its prompt was back",
            Seen.exit(0) {
                $0.shell = SSHShellEvidence()
                $0.progress = .sent
            }),
        Row(
            .commandIdleTimedOut, "a shell that is silent",
            Seen.that(.deadlinePassed(SSHDeadline(kind: .idle, seconds: 15)), at: .command) {
                $0.command = SSHCommandEvidence(command: "reload")
                $0.command?.shell = SSHShellEvidence(lastLine: "Proceed with reload? [confirm]")
            }),
        Row(
            .commandIdleTimedOut, "a shell whose prompt says nothing",
            Seen.that(.deadlinePassed(SSHDeadline(kind: .idle, seconds: 15)), at: .command) {
                $0.command = SSHCommandEvidence(command: "reload")
                $0.command?.progress = .sent
                $0.command?.shell = SSHShellEvidence(lastLine: "r1#")
                $0.command?.shell?.prompt = "r1#"
                $0.command?.shell?.echoSeen = false
            }),
        Row(
            .commandLoginShellDenied, .likely, "nologin",
            Seen.exit(1, "true", stdout: "This account is currently not available.\n")),
        Row(.commandLoginShellDenied, .likely, "sftp only", Seen.exit(1, stdout: "This service allows sftp connections only.\n")),
        Row(
            .authLoginsClosed, "nologin(5), and another command ended alike",
            Seen.exit(254, stderr: "Logins are disabled for maintenance.\n") { $0.progress = .refused }),
        Row(.commandExitNonzero, "a command's own 254", Seen.exit(254, stderr: "Logins are disabled for maintenance.\n")),
        Row(.commandLoginShellDenied, .guess, "/bin/false", Seen.exit(1, "true")),
        Row(
            .commandExitNonzero, "words of a nested login",
            Seen.exit(1, stderr: "a\nb\nc\nd\nThis account is currently not available.\n")),
        Row(
            .authPasswordExpired, "no terminal to change it on",
            Seen.exit(1, stderr: "WARNING: Your password has expired.\nPassword change required but no TTY available.\n")),
        Row(.commandTimedOut, "our deadline", Seen.deadline(.command, at: .command)),
        Row(.commandIdleTimedOut, "our deadline", Seen.deadline(.idle, at: .command)),
        Row(.localPoolTimedOut, "a pool's limit", Seen.deadline(.lease, at: .local)),
        Row(
            .commandOutputLimitExceeded, "stdout",
            Seen.that(.outputLimitExceeded(stream: .standardOutput, limit: 1024), at: .command)),
        Row(.commandOutputLimitExceeded, "a line", Seen.that(.lineTooLong(stream: .standardError, limit: 80), at: .command)),
        Row(.localLibraryFailure, .guess, "no failure at all", Seen.exit(0)),
    ]

    static let local: [Row] = [
        Row(.localCancelled, "a cancelled task", Seen.that(.cancelled(signal: nil), at: .connect)),
        Row(
            .localUnsupported, "a list without an algorithm of libssh2, in a file",
            Seen.that(
                .configurationInvalid(file: "/c", line: 3, problem: "Ciphers: libssh2 1.10.0 supports none of x"), at: .local)),
        Row(
            .localUnsupported, "the same in an option",
            Seen.that(.usage(field: "Ciphers", problem: "libssh2 1.10.0 supports none of x"), at: .local)),
        Row(.localUsage, "an option", Seen.that(.usage(field: "--port", problem: "70000 is not a port"), at: .local)),
        Row(.localOutputFailed, "a full disk", Seen.that(.outputUnwritable(systemError: 28), at: .local)),
        Row(.localOutputFailed, "a closed output", Seen.that(.outputUnwritable(systemError: 9), at: .local)),
        Row(
            .localConfigInvalid, "a file",
            Seen.that(.configurationInvalid(file: "/x", line: 3, problem: "what is this"), at: .local)),
        Row(
            .localRefusedByConfig, "RefuseConnection",
            Seen.that(.configurationRefuses(file: "/x", line: 3, reason: "use web2"), at: .local)),
        Row(.localClosed, "use after close()", Seen.that(.closed(problem: "run was called after close()"), at: .local)),
        Row(.localLibraryFailure, .likely, "a defect", Seen.that(.internalFailure(problem: "no memory"), at: .local)),
        Row(.localLibraryFailure, .likely, "libssh2's -6", Seen.call("ALLOC", at: .local)),
        Row(.localLibraryFailure, .guess, "nothing known", Seen.that(.libraryFailed, at: .banner)),
    ]
}
