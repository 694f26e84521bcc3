import BridgeSSH
import Glibc
import Testing

/// A row of the classifier's table: this evidence gives this code, with this confidence.
struct Row: Sendable, CustomTestStringConvertible {
    let code: SSHError.Code
    let confidence: SSHError.Confidence
    let note: String
    let evidence: SSHEvidence

    init(_ code: SSHError.Code, _ confidence: SSHError.Confidence, _ note: String, _ evidence: SSHEvidence) {
        self.code = code
        self.confidence = confidence
        self.note = note
        self.evidence = evidence
    }

    init(_ code: SSHError.Code, _ note: String, _ evidence: SSHEvidence) {
        self.init(code, .exact, note, evidence)
    }

    var testDescription: String { "\(code): \(note)" }
}

/// Rows for every code and, where possible, for every rule. Evidence that the matrix of the integration tests produces for real
/// has no row of its own if another row reaches the same rule.
enum ClassifierTable {
    static let all = resolve + connect + banner + kex + hostKey + key + agent

    static let resolve: [Row] = [
        Row(
            .resolveHostNameInvalid, "too long a label",
            Seen.that(.hostNameInvalid(problem: "a label is over 63 bytes"), at: .resolve)),
        Row(
            .resolveHostNotFound, "EAI_NONAME",
            Seen.that(.resolutionFailed(code: -2, name: .notFound, message: "x"), at: .resolve)),
        Row(
            .resolveTemporaryFailure, "EAI_AGAIN",
            Seen.that(.resolutionFailed(code: -3, name: .temporary, message: "x"), at: .resolve)),
        Row(
            .resolveHostNotFound, "an interface that does not exist",
            Seen.that(.resolutionFailed(code: -2, name: .notFound, message: "x"), at: .resolve) { $0.host = "fe80::1%nope" }),
        Row(.resolveTemporaryFailure, .likely, "our deadline", Seen.deadline(.resolve, at: .resolve)),
        Row(.resolveTemporaryFailure, .likely, "the deadline on connecting", Seen.deadline(.connect, at: .resolve)),
        Row(
            .resolveFailed, "no IPv6", Seen.that(.resolutionFailed(code: 0, name: .noAddressOfFamily, message: ""), at: .resolve)),
        Row(
            .resolveFailed, "EAI_FAIL",
            Seen.that(.resolutionFailed(code: -4, name: .other, message: "Non-recoverable"), at: .resolve)),
    ]

    static let connect: [Row] = [
        Row(.connectRefused, "every address", Seen.addresses(ECONNREFUSED, ECONNREFUSED)),
        Row(.connectFailed, "one unforeseen reason", Seen.addresses(EINVAL)),
        Row(.connectFailed, .guess, "no address", Seen.addresses()),
        Row(.connectTimedOut, "ETIMEDOUT", Seen.addresses(ETIMEDOUT, nil)),
        Row(.connectTimedOut, "a jump host's ConnectTimeout", Seen.deadline(.reach, at: .connect)),
        Row(.bannerTimedOut, "a jump host's ConnectTimeout", Seen.deadline(.reach, at: .banner)),
        Row(.connectHostUnreachable, "EHOSTUNREACH", Seen.addresses(EHOSTUNREACH, EHOSTDOWN)),
        Row(.connectNetworkUnreachable, "ENETUNREACH", Seen.addresses(ENETUNREACH, EADDRNOTAVAIL)),
        Row(.connectNetworkUnreachable, "ENETDOWN", Seen.addresses(ENETDOWN)),
        Row(.connectBlockedLocally, "EPERM", Seen.addresses(EPERM)),
        Row(.connectLocalResources, "ENOBUFS", Seen.addresses(ENOBUFS)),
        Row(.bannerClosed, "reset while connecting", Seen.addresses(ECONNRESET)),
        Row(
            .connectProxyFailed, "a proxy command that did not start",
            Seen.that(.proxyFailed(command: "nc", exitStatus: nil, standardError: "sh: No such file"), at: .connect)),
        Row(
            .connectTimedOut, "a hop that does not answer the one before it",
            Seen.deadline(at: .connect) { $0.hop = SSHHopEvidence(number: 2, count: 2, via: ["me@jump:22"]) }),
    ]

    static let banner: [Row] = [
        Row(.bannerClosed, "FIN before a byte", Seen.end(.closed, at: .banner)),
        Row(.bannerClosed, "the library's word", Seen.call("SOCKET_RECV", at: .banner) { $0.stream = .reset }),
        Row(.bannerClosed, .likely, "words, then FIN", Seen.said("go away\r\n")),
        Row(.bannerClosed, .likely, "the library's word, stream unknown", Seen.call("SOCKET_DISCONNECT", at: .banner)),
        Row(
            .bannerTimedOut, "a silent proxy command",
            Seen.deadline(at: .banner) { $0.proxy = SSHProxyEvidence(command: "nc") }),
        Row(
            .bannerTimedOut, "a tarpit",
            Seen.deadline(at: .banner) {
                $0.linesBeforeIdentification = ["00c0ffee", "00c0fff0"]; $0.bytesReceived = 20
            }),
        Row(.bannerServerBusy, "MaxStartups and FIN", Seen.said("Exceeded MaxStartups\r\n")),
        Row(.bannerServerBusy, .likely, "another server's words", Seen.said("Too many connections\r\n")),
        Row(.bannerSourcePenalised, "OpenSSH 9.8", Seen.said("Not allowed at this time\r\n")),
        Row(.bannerNotSSH, "memcached", Seen.said("ERROR\r\n")),
        Row(
            .bannerNotSSH, .likely, "bytes that are not text",
            Seen.that(.identificationUnreadable, at: .banner) { $0.firstBytes = [0, 1, 2, 3] }),
        Row(
            .bannerNotSSH, .likely, "text without an identification line",
            Seen.that(.identificationUnreadable, at: .banner) { $0.linesBeforeIdentification = ["hello", "you"] }),
        Row(.bannerUnsupportedVersion, "SSH 1.5", Seen.call("TIMEOUT", at: .banner) { $0.identification = "SSH-1.5-old" }),
        Row(
            .bannerUnsupportedVersion, "SSH 1.5 at the deadline", Seen.deadline(at: .banner) { $0.identification = "SSH-1.5-old" }
        ),
        Row(
            .bannerLibraryLimit, "a blank line first",
            Seen.call("BANNER_RECV", at: .banner) {
                $0.linesBeforeIdentification = ["Welcome", ""]
                $0.identification = "SSH-2.0-OpenSSH_9.2p1"
            }),
        Row(
            .bannerLibraryLimit, "too long a line",
            Seen.that(.identificationUnreadable, at: .banner) {
                $0.identification = "SSH-2.0-" + String(repeating: "x", count: 250)
            }),
        Row(
            .bannerNotSSH, .likely, "a line with a NUL",
            Seen.that(.identificationUnreadable, at: .banner) {
                $0.identification = "SSH-2.0-\0" + String(repeating: "x", count: 250)
            }),
    ]

    static let kex: [Row] = [
        Row(.kexNoCommonKex, "only markers in common", Seen.algorithms { $0.keyExchange = ["x", "ext-info-c"] }),
        Row(.kexNoCommonHostKeyAlgorithm, "rsa-sha2 only", Seen.algorithms { $0.hostKey = ["rsa-sha2-512", "rsa-sha2-256"] }),
        Row(.kexNoCommonCipher, "one direction", Seen.algorithms { $0.cipherToClient = ["aes128-gcm@openssh.com"] }),
        Row(.kexNoCommonMAC, "ETM only", Seen.algorithms { $0.macToClient = ["hmac-sha2-256-etm@openssh.com"] }),
        Row(
            .kexNoCommonMAC, "only ETM MACs, and a cipher that needs no MAC but for which libssh2 1.11 requires one",
            Seen.algorithms { $0.macToClient = ["umac-64-etm@openssh.com"] }.with {
                $0.clientAlgorithms?.cipherToClient = ["chacha20-poly1305@openssh.com"]
                $0.serverAlgorithms?.cipherToClient = ["chacha20-poly1305@openssh.com"]
            }),
        Row(
            .kexProtocolError, .likely, "no MAC in common, but a cipher that needs none",
            Seen.algorithms { $0.macToClient = ["umac-64-etm@openssh.com"] }.with {
                $0.clientAlgorithms?.cipherToClient = ["aes256-gcm@openssh.com"]
                $0.serverAlgorithms?.cipherToClient = ["aes256-gcm@openssh.com"]
            }),
        Row(.kexNoCommonCompression, "zlib only", Seen.algorithms { $0.compressionToServer = ["zlib"] }),
        Row(
            .kexNoCommonKex, "the server closed over it",
            Seen.algorithms { $0.keyExchange = ["x"] }.with {
                $0.event = .streamEnded; $0.library = nil; $0.stream = .closed
            }),
        Row(.kexProtocolError, .likely, "lists that agree, and yet -5", Seen.algorithms { _ in }),
        Row(.kexClosedEarly, "FIN after the banner", Seen.end(.closed, at: .keyExchange)),
        Row(.kexClosedEarly, "libssh2's -1", Seen.call("SOCKET_NONE", at: .keyExchange) { $0.stream = .closed }),
        Row(.localLibraryFailure, .likely, "libssh2's -1, and nothing came", Seen.call("SOCKET_NONE", at: .keyExchange)),
        Row(
            .localLibraryFailure, .likely, "libssh2's -1, and the server waits for the client",
            Seen.algorithms { _ in }.with { $0.library?.name = "SOCKET_NONE" }),
        Row(
            .kexProtocolError, .likely, "libssh2's -1 after an answer",
            Seen.algorithms { _ in }.with {
                $0.library?.name = "SOCKET_NONE"
                $0.keyExchangeAnswered = true
            }),
        Row(
            .kexClosed, "RST after KEXINIT",
            Seen.end(.reset, at: .keyExchange) { $0.keyExchangeBegun = true }),
        Row(.kexClosed, .likely, "the library's word", Seen.call("SOCKET_RECV", at: .keyExchange) { $0.keyExchangeBegun = true }),
        Row(
            .kexProtocolError, .likely, "garbage, then FIN",
            Seen.call("SOCKET_NONE", at: .keyExchange) {
                $0.stream = .closed
                $0.keyExchangeBegun = true
            }),
        Row(
            .kexDisconnected, "reason 12",
            Seen.call("SOCKET_NONE", at: .keyExchange) {
                $0.disconnect = SSHDisconnectMessage(reason: 12, description: "Too many connections")
            }),
        Row(.kexTimedOut, "our deadline, at the host key", Seen.deadline(at: .hostKey)),
        Row(.kexTimedOut, .likely, "the library's own", Seen.call("TIMEOUT", at: .keyExchange) { $0.keyExchangeBegun = true }),
        Row(.kexHostKeySignatureInvalid, "libssh2's -11", Seen.call("HOSTKEY_SIGN", at: .keyExchange)),
        Row(
            .kexHostKeySignatureInvalid, .likely, "-8 after the host key",
            Seen.call("KEY_EXCHANGE_FAILURE", at: .keyExchange) {
                $0.hostKeyReceived = true; $0.keyExchangeBegun = true
            }),
        Row(.kexProtocolError, "a bad length", Seen.call("OUT_OF_BOUNDARY", at: .keyExchange) { $0.keyExchangeBegun = true }),
        Row(.kexProtocolError, "a bad length, then FIN", Seen.call("DECRYPT", at: .keyExchange) { $0.stream = .closed }),
        Row(
            .kexProtocolError, .likely, "-8 before the host key",
            Seen.call("KEY_EXCHANGE_FAILURE", at: .keyExchange) { $0.keyExchangeBegun = true }),
    ]

    static let place = SSHKnownHostsLocation(file: "/home/alice/.ssh/known_hosts", line: 7)
    static let known = [SSHKnownHostKey(algorithm: "ssh-ed25519", fingerprint: "SHA256:old", location: place)]

    static let pins = [
        SSHKnownHostKey(
            algorithm: "ssh-ed25519", fingerprint: "SHA256:old", location: SSHKnownHostsLocation(file: "trustedHostKeys", line: 1)
        )
    ]

    static let hostKey: [Row] = [
        Row(.hostKeyChanged, "none of the trusted keys", Seen.hostKey(.changed(presented: "SHA256:new", known: pins))),
        Row(.hostKeyOtherTypeKnown, "trusted keys of other types", Seen.hostKey(.otherTypeKnown(pins))),
        Row(.hostKeyChanged, "another key", Seen.hostKey(.changed(presented: "SHA256:new", known: known))),
        Row(.hostKeyRevoked, "@revoked", Seen.hostKey(.revoked(place))),
        Row(.hostKeyUnknown, "no line", Seen.hostKey(.unknown(skippedLines: 2, certificateAuthority: nil))),
        Row(.hostKeyUnknown, "an authority", Seen.hostKey(.unknown(skippedLines: 0, certificateAuthority: place))),
        Row(
            .hostKeyUnknown, "a person said no",
            Seen.hostKey(.unknown(skippedLines: 2, certificateAuthority: nil)).with { $0.hostKey?.declined = true }
        ),
        Row(.hostKeyUnknown, .guess, "no key", Seen.that(.hostKeyRejected, at: .hostKey)),
        Row(.hostKeyOtherTypeKnown, "an ECDSA line", Seen.hostKey(.otherTypeKnown(known))),
        Row(
            .hostKeyKnownHostsUnreadable, "no such file",
            Seen.that(.knownHostsUnreadable(path: "/x", systemError: ENOENT), at: .hostKey)),
        Row(
            .hostKeyKnownHostsUnwritable, "a read-only file system",
            Seen.that(.knownHostsUnwritable(path: "/x", systemError: EROFS), at: .hostKey)),
    ]

    static let key: [Row] = SSHKeyProblem.Reason.allCases.map { reason in
        Row(
            SSHError.Code(rawValue: "ssh.key.\(reason.rawValue)"), reason.rawValue,
            Seen.that(.keyUnusable(SSHKeyProblem(reason: reason, path: "/home/alice/.ssh/id", detail: "A detail.")), at: .key))
    }

    static let agent: [Row] = SSHAgentProblem.Reason.allCases.map { reason in
        Row(
            SSHError.Code(rawValue: "ssh.agent.\(reason.rawValue)"), reason.rawValue,
            Seen.that(.agentFailed(SSHAgentProblem(reason: reason, detail: "A detail.")), at: .authentication))
    }
}
