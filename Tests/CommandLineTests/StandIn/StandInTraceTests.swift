import BridgeSSH
import Testing

@testable import SSHCommandLine

/// Verdicts on logs that end early because ssh was ended, or that lack the server's text.
@Suite("A stand-in's verdict on a log") struct StandInTraceTests {
    private static let reached = """
        debug1: Connecting to web1 [192.0.2.1] port 22.
        debug1: Connection established.
        debug1: SSH2_MSG_KEXINIT sent
        debug1: SSH2_MSG_KEXINIT received

        """
    private static let login =
        reached + """
            debug1: SSH2_MSG_NEWKEYS received
            debug1: SSH2_MSG_SERVICE_ACCEPT received
            debug1: Authentications that can continue: publickey,password,keyboard-interactive

            """
    private static let accepted = """
        debug1: Next authentication method: publickey
        debug1: Offering public key: /home/a/id ED25519 SHA256:abc explicit
        debug1: Server accepts key: /home/a/id ED25519 SHA256:abc explicit

        """
    private static let banner = "debug3: input_userauth_banner: entering\n"
    private static let closed = "Connection closed by 192.0.2.1 port 22\n"
    private static let refused = "debug1: Authentications that can continue: publickey,password,keyboard-interactive\n"

    private func verdict(_ trace: String, signal: Int? = nil, parent: String = "") -> StandInVerdict {
        StandInVerdict(
            status: signal == nil ? 255 : nil, signal: signal, ssh: RealSSH(path: "/missing/ssh"), words: ["web1", "true"],
            trace: trace.replacing("\n", with: "\r\n"), isLog: true, logsClose: true, parent: parent)
    }

    @Test(
        "sshpass ends ssh at a question that it cannot answer",
        arguments: [
            ("debug1: Next authentication method: keyboard-interactive\n", "ssh.auth.interaction-required"),
            (
                "debug1: Next authentication method: keyboard-interactive\n" + refused,
                "ssh.auth.keyboard-interactive-rejected"
            ),
            ("debug1: Next authentication method: password\n" + refused, "ssh.auth.password-rejected"),
            (
                "debug1: Next authentication method: keyboard-interactive\n" + refused
                    + "debug1: Next authentication method: password\n",
                "ssh.auth.keyboard-interactive-rejected"
            ),
            ("debug1: Next authentication method: password\n", "ssh.auth.password-expired"),
            (
                "debug1: Next authentication method: keyboard-interactive\nYour account has expired; please contact your system "
                    + "administrator.\n\n" + refused, "ssh.auth.account-denied"
            ),
        ])
    func question(_ end: String, _ code: String) throws {
        let ours = verdict(Self.login + end, signal: 1, parent: "sshpass")
        let error = try #require(ours.error)
        #expect(error.code.rawValue == code && error.confidence == .likely && ours.ending == .ssh, "\(error.message)")
        // A person who closes the terminal.
        let other = verdict(Self.login + end, signal: 1, parent: "bash")
        #expect(other.error?.code == .localCancelled && other.ending == .signal)
    }

    @Test("sshpass ends ssh at the question about an unknown host key") func hostKey() {
        let ours = verdict(Self.reached, signal: 1, parent: "sshpass")
        #expect(ours.error?.code == .hostKeyUnknown && ours.error?.confidence == .likely)
        #expect(verdict(Self.reached, signal: 15, parent: "sshpass").error?.code == .localCancelled)
    }

    @Test("a message after the credentials, and then the end of the connection") func accountDenied() throws {
        let denied = try #require(verdict(Self.login + Self.accepted + Self.banner + Self.closed).error)
        #expect(denied.code == .authAccountDenied && denied.confidence == .likely, "\(denied.message)")
        let silent = verdict(Self.login + Self.accepted + Self.closed).error
        #expect(silent?.code == .authConnectionDropped)
        // The banner of sshd_config comes before the credentials.
        let early = Self.login.replacing(Self.refused, with: Self.banner + Self.refused)
        #expect(early.contains(Self.banner))
        #expect(verdict(early + Self.accepted + Self.closed).error?.code == .authConnectionDropped)
    }

    @Test("a master connection without a status: neither ssh nor its log shows which of the two ended") func master() throws {
        let lines = [
            "debug1: auto-mux: Trying existing master", "debug1: mux_client_request_session: master session id: 2",
            "debug2: Control master terminated unexpectedly",
        ]
        let error = try #require(verdict(lines.joined(separator: "\n") + "\n").error)
        #expect(error.code == .sessionConnectionLost && error.confidence == .guess)
        #expect(error.message.contains("reported no exit status") && error.alternatives.contains("a signal ended the command"))
    }

    @Test("ssh's own messages are not a proxy's, which its log does not contain") func proxyWords() throws {
        let lines = [
            "debug1: /home/a/.ssh/config line 3: Applying options for *", "debug1: Executing proxy command: exec nc gate 22",
            "kex_exchange_identification: Connection closed by remote host", "Connection closed by UNKNOWN port 65535",
        ]
        let error = try #require(verdict(lines.joined(separator: "\n") + "\n").error)
        #expect(error.code == .connectProxyFailed && !error.message.contains("It said"), "\(error.message)")
        #expect(error.hint.contains("nc gate 22"), "\(error.hint)")
    }

    @Test("an agent without keys, if nothing else could be offered") func emptyAgent() throws {
        let empty = "debug1: get_agent_identities: ssh_fetch_identitylist: agent contains no identities\n"
        let end = "debug1: No more authentication methods to try.\na@web1: Permission denied (publickey,password).\n"
        let looking = "debug1: Next authentication method: publickey\ndebug1: Trying private key: /home/a/.ssh/id_rsa\n"
        let error = try #require(verdict(empty + Self.login + looking + end).error)
        #expect(error.code == .agentEmpty && error.confidence == .exact, "\(error.message)")
        let broken = empty.replacing("agent contains no identities", with: "communication with agent failed")
        #expect(verdict(broken + Self.login + looking + end).error?.code == .agentUnavailable)
        #expect(verdict(Self.login + looking + end).error?.code == .authNoCredentials)
        // The server takes no keys.
        #expect(verdict(empty + Self.login + end).error?.code != .agentEmpty)
    }
}
