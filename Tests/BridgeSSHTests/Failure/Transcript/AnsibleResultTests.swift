import BridgeSSH
import ErrorCore
import Testing

/// Commands that Ansible ran and that failed: their own words are inside its JSON.
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
}
