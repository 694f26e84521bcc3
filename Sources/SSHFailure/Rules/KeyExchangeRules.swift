import ErrorCore

/// Key exchange (RFC 4253 section 7), from the identification lines to the new keys.
enum KeyExchangeRules {
    static let all = broken + deadline

    static let broken: [FailureRule] =
        agreement + [
            FailureRule(
                .kexDisconnected, .exact, source: "RFC 4253 section 11.1", when: { $0.disconnect != nil }
            ) {
                let advice = $0.disconnect.map(DisconnectTexts.advice)
                return VerdictText(
                    "\($0.endpoint) ended the connection before the login: \($0.disconnectText).",
                    hint: advice == .never
                        ? "Act on the server's message; a retry will not help." : "Wait a moment and try again.")
            },
            FailureRule(
                .kexHostKeySignatureInvalid, .exact, source: "libssh2 returns -11", when: { $0.libraryError == .hostKeySign }
            ) { impostor($0) },
            FailureRule(
                .kexHostKeySignatureInvalid, .likely, source: "libssh2 returns -8 with a host key and no DISCONNECT",
                when: {
                    $0.libraryError == .keyExchangeFailure && ($0.hostKeyReceived || $0.hostKey != nil)
                }
            ) { impostor($0) },
            FailureRule(.kexTimedOut, .likely, source: "libssh2 returns -9 in this stage", when: { $0.libraryError == .timeout })
            {
                $0.libraryClockWasSet ? $0.clockRemedy : timedOutText($0)
            },
            FailureRule(
                .localLibraryFailure, .likely,
                source: "libssh2 returns -1 before the server owed anything: it could not make its own half",
                when: ownHalfFailed
            ) {
                VerdictText(
                    "libssh2 \($0.libraryVersion) could not start key exchange\(libraryText($0)); the server is not "
                        + "the cause.",
                    hint: """
                        Look at this machine's OpenSSL: its configuration (OPENSSL_CONF, openssl.cnf) or a FIPS mode may forbid what \
                        SSH needs.
                        """)
            },
            FailureRule(
                .kexProtocolError, .exact, source: "libssh2's codes for malformed packets",
                when: { $0.libraryFailed(.corruption) }
            ) { garbled($0) },
            FailureRule(
                .kexProtocolError, .likely, source: "libssh2 returns -1, -5, -8 for bytes that make no sense",
                when: { evidence in
                    evidence.libraryFailed([.kexFailure, .keyExchangeFailure])
                        || evidence.libraryError == .socketNone && evidence.keyExchangeBegun
                }
            ) { garbled($0) },
            FailureRule(
                .kexClosedEarly, .exact, source: "the byte stream: FIN or RST after the identification line",
                when: { $0.streamHasEnded && !$0.keyExchangeBegun && $0.serverAlgorithms == nil }
            ) {
                VerdictText(
                    "\($0.endpoint) identified itself and then \($0.streamEnding), before key exchange began.",
                    hint: "Try again; if it persists, look at the server's log.",
                    alternatives: [
                        "the server is overloaded or restarts", "a rule on the server or on the path refuses this address",
                    ])
            },
            FailureRule(.kexClosed, .exact, source: "the byte stream: FIN or RST after KEXINIT", when: \.streamHasEnded) {
                VerdictText(
                    "\($0.endpoint) \($0.streamEnding) during key exchange.",
                    hint: "Try again; if it persists, look at the server's log.",
                    alternatives: ["the network dropped the connection", "a firewall that inspects SSH", "the server crashed"])
            },
            FailureRule(
                .kexClosed, .likely, source: "libssh2 returns -7, -13, -43", when: { $0.libraryFailed(.socket) }
            ) {
                VerdictText(
                    "The connection to \($0.endpoint) broke during key exchange.",
                    hint: "Try again; if it persists, look at the server's log.")
            },
            FailureRule(
                .localLibraryFailure, .likely, source: "libssh2 returns -33, an algorithm list of ours that has no known name",
                when: { $0.libraryError == .methodNotSupported }
            ) { LocalRules.unforeseenText($0) },
            FailureRule(.kexProtocolError, .likely, source: "libssh2 returns -5, -8", when: { $0.library != nil }) {
                garbled($0)
            },
            LocalRules.unforeseen,
        ]

    static let deadline: [FailureRule] =
        agreement + [
            FailureRule(.kexTimedOut, .exact, source: "our own clock") { timedOutText($0) }
        ]

    /// The comparison of both lists comes before the end of the connection: most servers just close it.
    static let agreement: [FailureRule] = [
        (SSHError.Code.kexNoCommonKex, AlgorithmAgreement.Kind.keyExchange), (.kexNoCommonHostKeyAlgorithm, .hostKey),
        (.kexNoCommonCipher, .cipher), (.kexNoCommonMAC, .mac), (.kexNoCommonCompression, .compression),
    ].map { code, kind in
        FailureRule(
            code, .exact, source: "RFC 4253 section 7.1", when: { AlgorithmAgreement.mismatch($0)?.kind == kind }
        ) { evidence in
            guard let mismatch = AlgorithmAgreement.mismatch(evidence) else { return LocalRules.unforeseenText(evidence) }
            let direction = mismatch.direction.map { " (\($0))" } ?? ""
            return VerdictText(
                "\(evidence.endpoint) and this client share no \(kind.words)\(direction): the server offers "
                    + "\(mismatch.server.listed()); this client \(mismatch.client.listed()).",
                hint: AlgorithmAdvice.hint(mismatch, evidence))
        }
    }

    /// Whether key exchange failed on the client's side: the server has sent a correct KEXINIT, or nothing yet, and waits.
    private static func ownHalfFailed(_ evidence: SSHEvidence) -> Bool {
        guard evidence.libraryError == .socketNone, !evidence.streamHasEnded else { return false }
        return evidence.serverAlgorithms == nil ? !evidence.keyExchangeBegun : !evidence.keyExchangeAnswered
    }

    private static func libraryText(_ evidence: SSHEvidence) -> String {
        evidence.library.map { $0.message.isEmpty ? "" : " (\($0.message.oneLine(120)))" } ?? ""
    }

    private static func timedOutText(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.endpoint) stopped answering during key exchange; \(evidence.awaitedTime) passed.",
            hint: "Try again; if small packets pass and large ones do not, check the MTU of the path (VPNs and tunnels).",
            alternatives: ["a network that drops large packets", "the server hangs"])
    }

    private static func impostor(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.endpoint) could not prove that it holds its host key. Nothing secret was sent.",
            hint: "Do not log in: another machine may be intercepting the connection. Inform the server's administrator.",
            alternatives: ["another machine answers in the server's place", "the connection corrupts data", "a broken server"])
    }

    private static func garbled(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.endpoint) sent invalid SSH data during key exchange\(libraryText(evidence)).",
            hint: "Try again; if it persists, try from another network to see whether something on the path changes the data.",
            alternatives: ["a device on the path changes the data", "a broken SSH server"])
    }
}

extension SSHEvidence {
    /// The text of the server's DISCONNECT in quotes, or its reason number if the text is empty.
    var disconnectText: String {
        guard let disconnect else { return "" }
        let text = disconnect.description.oneLine(200)
        return text.isEmpty ? "reason \(disconnect.reason), without a message" : "\"\(text)\""
    }
}
