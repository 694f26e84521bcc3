import BridgeSSH

/// Builds the evidence of a test's row.
enum Seen {
    /// Evidence of a run on alice@web1.
    static func that(
        _ event: SSHEvidence.Event, at stage: SSHStage, _ change: (inout SSHEvidence) -> Void = { _ in }
    ) -> SSHEvidence {
        var evidence = SSHEvidence(event: event, stage: stage, host: "web1", port: 22, user: "alice")
        evidence.libraryVersion = "1.10.0"
        evidence.elapsedSeconds = 0.5
        change(&evidence)
        return evidence
    }

    /// The first of two hosts, which was asked to connect to the second.
    static let jumpHost = SSHHopEvidence(number: 1, count: 2, via: [], target: "web2:22")

    /// A failed library call.
    static func call(_ name: String, at stage: SSHStage, _ change: (inout SSHEvidence) -> Void = { _ in }) -> SSHEvidence {
        that(.libraryFailed, at: stage) {
            $0.library = SSHLibraryCall(function: "libssh2_session_handshake", code: -1, name: name, message: "")
            change(&$0)
        }
    }

    /// A stream that ended.
    static func end(_ end: SSHStreamEnd, at stage: SSHStage, _ change: (inout SSHEvidence) -> Void = { _ in }) -> SSHEvidence {
        that(.streamEnded, at: stage) {
            $0.stream = end
            change(&$0)
        }
    }

    /// A deadline on connecting that passed.
    static func deadline(
        _ kind: SSHDeadline.Kind = .connect, at stage: SSHStage, _ change: (inout SSHEvidence) -> Void = { _ in }
    )
        -> SSHEvidence
    {
        that(.deadlinePassed(SSHDeadline(kind: kind, seconds: 15)), at: stage, change)
    }

    /// Addresses that could not be connected to.
    static func addresses(_ errors: Int32?...) -> SSHEvidence {
        that(.connectionFailed, at: .connect) { evidence in
            evidence.addresses = errors.enumerated().map {
                SSHAddressFailure(address: "192.0.2.\($0.offset + 1):22", systemError: $0.element)
            }
        }
    }

    /// The text of a peer before it closed or kept waiting.
    static func said(_ text: String, _ end: SSHStreamEnd = .closed) -> SSHEvidence {
        Seen.end(end, at: .banner) { evidence in
            evidence.firstBytes = Array(text.utf8)
            evidence.linesBeforeIdentification = text.split(whereSeparator: \.isNewline).map(String.init)
            evidence.bytesReceived = text.utf8.count
        }
    }

    /// Algorithms of both sides that agree, apart from the change made by the closure.
    static func algorithms(_ change: (inout SSHAlgorithmLists) -> Void) -> SSHEvidence {
        var client = SSHAlgorithmLists()
        client.keyExchange = ["curve25519-sha256", "ext-info-c"]
        client.hostKey = ["ssh-ed25519", "ecdsa-sha2-nistp256"]
        client.cipherToServer = ["aes256-ctr"]
        client.cipherToClient = ["aes256-ctr"]
        client.macToServer = ["hmac-sha2-256"]
        client.macToClient = ["hmac-sha2-256"]
        client.compressionToServer = ["none"]
        client.compressionToClient = ["none"]
        var server = client
        server.keyExchange = ["sntrup761x25519-sha512@openssh.com", "curve25519-sha256", "ext-info-s"]
        change(&server)
        return call("KEX_FAILURE", at: .keyExchange) {
            $0.clientAlgorithms = client
            $0.serverAlgorithms = server
            $0.keyExchangeBegun = true
        }
    }

    /// A host key and its verdict from known_hosts.
    static func hostKey(_ verdict: SSHHostKeyVerdict, port: Int = 22) -> SSHEvidence {
        that(.hostKeyRejected, at: .hostKey) {
            $0.port = port
            $0.hostKey = SSHHostKeyEvidence(
                algorithm: "ssh-ed25519", fingerprint: "SHA256:new", verdict: verdict, policy: .strict)
        }
    }

    /// Attempts of authentication after which nothing is left.
    static func login(
        _ event: SSHEvidence.Event = .credentialsExhausted, _ attempts: [(String, SSHAuthenticationAttempt.Outcome)] = [],
        _ change: (inout SSHAuthenticationEvidence) -> Void = { _ in }
    ) -> SSHEvidence {
        that(event, at: .authentication) { evidence in
            var login = SSHAuthenticationEvidence()
            login.methodsOffered = ["publickey", "password", "keyboard-interactive"]
            login.methodsHeld = attempts.isEmpty ? ["publickey"] : Array(Set(attempts.map(\.0))).sorted()
            login.attempts = attempts.map {
                SSHAuthenticationAttempt(method: $0.0, credential: "/home/alice/.ssh/id_ed25519", outcome: $0.1)
            }
            change(&login)
            evidence.authentication = login
        }
    }

    /// A command that ended with a status.
    static func exit(
        _ status: Int?, _ command: String = "make", stderr: String = "", stdout: String = "",
        _ change: (inout SSHCommandEvidence) -> Void = { _ in }
    ) -> SSHEvidence {
        that(.commandEnded, at: .command) {
            var ended = SSHCommandEvidence(command: command)
            ended.progress = .accepted
            ended.exitStatus = status
            ended.endOfOutput = true
            ended.channelClosed = true
            ended.standardErrorTail = stderr
            ended.standardOutputTail = stdout
            change(&ended)
            $0.command = ended
        }
    }
}

extension SSHEvidence {
    /// A copy of the evidence with changes.
    func with(_ change: (inout SSHEvidence) -> Void) -> SSHEvidence {
        var copy = self
        change(&copy)
        return copy
    }
}
