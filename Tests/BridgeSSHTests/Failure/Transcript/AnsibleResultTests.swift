import BridgeSSH
import ErrorCore
import Testing

@testable import SSHTranscripts

/// Commands that Ansible ran and that failed: their messages are inside its JSON.
@Suite("Failed commands of Ansible")
struct AnsibleResultTests {
    private static func result(_ stderr: String, message: String = "non-zero return code", status: Int = 2) -> String {
        """
        fatal: [web1]: FAILED! => {"changed": true, "cmd": ["x"], "msg": "\(message)", "rc": \(status), \
        "stderr": "\(stderr)", "stderr_lines": ["\(stderr)"], "stdout": "", "stdout_lines": []}
        """
    }

    private static func verdict(_ text: String) -> SSHError? {
        SSHTranscriptClassifier.classify(
            SSHTranscript(standardError: text, exitStatus: 2, command: "ansible-playbook site.yml"))
    }

    @Test("the last message is the command's own, not Ansible's")
    func ownWords() throws {
        let error = try #require(Self.verdict(Self.result("ls: cannot access '/nope': No such file or directory")))
        #expect(error.code == .commandExitNonzero)
        #expect(error.evidence.command?.exitStatus == 2)
        #expect(error.message.contains("cannot access '/nope'") && !error.message.contains("non-zero return code"))
        #expect(error.cause?.appError == .fileNotFound(path: "/nope"))
    }

    @Test("an ssh run by the command is not Ansible's own ssh")
    func nested() throws {
        let words = "ssh: connect to host db1 port 22: Connection refused"
        let error = try #require(Self.verdict(Self.result(words, status: 255)))
        #expect(error.code == .commandExitNonzero)
        #expect(error.cause?.code == "remote.ssh-connection-failed")
    }

    @Test("without a message of the command, Ansible's message counts")
    func message() throws {
        let error = try #require(Self.verdict(Self.result("", message: "Unable to start service nginx", status: 1)))
        #expect(error.message.contains("Unable to start service nginx"))
    }

    /// A line as wrapped by a terminal of this width.
    private static func wrapped(_ line: String, _ width: Int) -> String {
        stride(from: 0, to: line.count, by: width).map { String(line.dropFirst($0).prefix(width)) }.joined(separator: "\n")
    }

    private static func logged(_ text: String) -> [LoggedFailure] { SSHTranscriptLog().failures(in: text) }

    private static let unreachable = """
        fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: \
        ssh: connect to host 192.0.2.7 port 22: Connection refused", "unreachable": true}
        """

    @Test("a result that a terminal wrapped is one result", arguments: [80, 100, 120])
    func wrapped(width: Int) throws {
        let text = Self.wrapped(Self.unreachable, width)
        #expect(Self.verdict(text)?.code == .connectRefused)
        #expect(Self.logged(text).map(\.error.code) == [.connectRefused])
        #expect(Self.logged(text).first?.inventoryHost == "web1")
        let failed = Self.wrapped(Self.result("ls: cannot access '/nope': No such file or directory"), width)
        let error = try #require(Self.verdict(failed))
        #expect(error.evidence.command?.exitStatus == 2 && error.message.contains("cannot access '/nope'"))
        #expect(Self.logged(failed).count == 1)
    }

    @Test("a result that was wrapped at blanks is one result")
    func wrappedAtBlanks() {
        let text = """
            fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to
            the host via ssh: ssh: connect to host 192.0.2.7 port 22: Connection
            refused", "unreachable": true}
            """
        #expect(Self.logged(text).map(\.error.code) == [.connectRefused])
    }

    @Test("a wrapped result without its end does not swallow the next one")
    func cutOff() {
        let start = Self.wrapped(Self.unreachable, 80).split(separator: "\n").prefix(1).joined()
        let text = start + "\n" + Self.unreachable.replacing("web1", with: "web2") + "\nPLAY RECAP *****\n"
        #expect(Self.logged(text).last?.inventoryHost == "web2")
        #expect(Self.logged(text).last?.error.code == .connectRefused)
    }

    @Test("the output of a successful task is not a failure", arguments: ["ok: [web1]", "changed: [web1]", "web1 | SUCCESS"])
    func succeeded(header: String) {
        let text = """
            \(header) => {
                "rc": 0,
                "stdout": "alice@db1's password: \\r\\nPermission denied (publickey,password).\\r\\n"
            }
            """
        #expect(Self.logged(text).isEmpty)
    }
}
