import Testing

@testable import BridgeSSH
@testable import SSHTranscripts

/// Whole outputs of ansible-core 2.19 in a log: every host that failed is reported once, by its name in the inventory.
@Suite("Logs of Ansible")
struct AnsibleLogTests {
    private static func failures(_ text: String) -> [LoggedFailure] { SSHTranscriptLog().failures(in: text) }

    private static func summary(_ text: String) -> [String] {
        failures(text).map { "\($0.inventoryHost) \($0.error.code)" }
    }

    private static let unknownKey = """
        [ERROR]: Task failed: Failed to connect to the host via ssh: No ED25519 host key is known for [192.0.2.1]:2936 and you have requested strict checking.
        Host key verification failed.
        """
    private static let origin = """
        Origin: /x/pb.yml:4:7

        2   gather_facts: no
        3   tasks:
        4     - raw: exit 3
                ^ column 7
        """
    private static let refusal =
        "Failed to connect to the host via ssh: ssh: connect to host 192.0.2.1 port 1: Connection refused"
    private static let recap = """

        PLAY RECAP *********************************************************************
        good                       : ok=0    changed=0    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0
        unk                        : ok=0    changed=0    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0
        """
    private static let json = """
        TASK [raw] *********************************************************************
        [ERROR]: Task failed: \(refusal)
        \(origin)

        fatal: [refused]: UNREACHABLE! => {"changed": false, "msg": "Task failed: \(refusal)", "unreachable": true}
        [ERROR]: Task failed: Action failed: non-zero return code
        \(origin)

        fatal: [good]: FAILED! => {"changed": true, "msg": "non-zero return code", "rc": 3, "stderr": "Shared connection to 192.0.2.1 closed.\\r\\n", "stdout": ""}
        \(unknownKey)
        \(origin)

        fatal: [unk]: UNREACHABLE! => {"changed": false, "msg": "Task failed: Failed to connect to the host via ssh: No ED25519 host key is known for [192.0.2.1]:2936 and you have requested strict checking.\\r\\nHost key verification failed.", "unreachable": true}
        \(recap)
        """

    @Test("a playbook's results as JSON") func playbook() {
        #expect(
            Self.summary(Self.json) == [
                "refused ssh.connect.refused", "good ssh.command.exit-nonzero", "unk ssh.host-key.unknown",
            ])
    }

    @Test("colours and the times of a log change nothing") func decorated() {
        let lines = Self.json.split(separator: "\n", omittingEmptySubsequences: false)
        let colored = lines.map { "\u{1b}[0;31m\($0)\u{1b}[0m" }.joined(separator: "\n")
        let timed = Self.yaml.split(separator: "\n", omittingEmptySubsequences: false).map { "2026-01-05T09:00:00.1Z \($0)" }
        #expect(Self.summary(colored) == Self.summary(Self.json))
        #expect(Self.summary(timed.joined(separator: "\n")) == Self.summary(Self.yaml))
    }

    private static let yaml = """
        TASK [raw] *********************************************************************
        [ERROR]: Task failed: Failed to connect to the host via ssh: ssh: Could not resolve hostname nonexistent.invalid: Name or service not known
        \(origin)

        fatal: [nores]: UNREACHABLE! =>\u{20}
            changed: false
            msg: 'Task failed: Failed to connect to the host via ssh: ssh: Could not resolve hostname
                nonexistent.invalid: Name or service not known'
            unreachable: true
        [ERROR]: Task failed: Action failed: non-zero return code
        \(origin)

        fatal: [good]: FAILED! =>\u{20}
            changed: true
            msg: non-zero return code
            rc: 3
            stderr: |-
                rc: 4
                make: no rule
            stderr_lines: <omitted>
            stdout: ''
            stdout_lines: <omitted>
        \(unknownKey)
        \(origin)

        fatal: [unk]: UNREACHABLE! =>\u{20}
            changed: false
            msg: |-
                Task failed: Failed to connect to the host via ssh: No ED25519 host key is known for [192.0.2.1]:2936 and you have requested strict checking.
                Host key verification failed.
            unreachable: true
        fatal: [second]: FAILED! =>\u{20}
            changed: true
            msg: non-zero return code
            rc: 4
            stderr: "it said \\"no\\"\\r\\n\\
                \\  and ended"
            stdout: ''
        \(recap)
        """

    @Test("results as YAML end where the next lines begin") func yaml() throws {
        let found = Self.failures(Self.yaml)
        #expect(
            found.map { "\($0.inventoryHost) \($0.error.code)" } == [
                "nores ssh.resolve.host-not-found", "good ssh.command.exit-nonzero", "unk ssh.host-key.unknown",
                "second ssh.command.exit-nonzero",
            ])
        let good = try #require(found.first { $0.inventoryHost == "good" }).error
        #expect(good.evidence.command?.exitStatus == 3 && good.message.contains("make: no rule") && good.cause == nil)
        #expect(found.last?.error.evidence.command?.standardErrorTail == "it said \"no\"\nand ended")
    }

    @Test("with the callback yaml the heading says whether something changed") func yamlCallback() {
        let text = """
            fatal: [web1]: FAILED! => changed=true\u{20}
              msg: non-zero return code
              rc: 5
              stderr: no room
            PLAY RECAP ****
            web1 : ok=0    changed=0    unreachable=0    failed=1
            """
        let found = Self.failures(text)
        #expect(found.map { $0.inventoryHost } == ["web1"])
        #expect(found.first?.error.message.contains("status 5. Its last message: no room") == true)
    }

    @Test("with the callback oneline the result of a command appears twice") func oneline() {
        let found = Self.failures(
            """
            [DEPRECATION WARNING]: The '-o' argument is deprecated. This feature will be removed from ansible-core version 2.23.
            refused | UNREACHABLE!: Task failed: \(Self.refusal)
            good | FAILED | rc=3 | (stdout)  (stderr) Shared connection to 192.0.2.1 closed.\\r\\n
            good | FAILED! => {"changed": true,"msg": "non-zero return code","rc": 3,"stderr": "Shared connection to 192.0.2.1 closed.\\r\\n","stdout": ""}
            second | FAILED | rc=4 | (stdout)  (stderr) no room
            third | FAILED | rc=4 | (stdout)  (stderr) no room
            unk | UNREACHABLE!: Task failed: Failed to connect to the host via ssh: No ED25519 host key is known for [192.0.2.1]:2936 and you have requested strict checking.
            Host key verification failed.
            """)
        #expect(
            found.map { "\($0.inventoryHost) \($0.error.code)" } == [
                "refused ssh.connect.refused", "good ssh.command.exit-nonzero", "second ssh.command.exit-nonzero",
                "third ssh.command.exit-nonzero", "unk ssh.host-key.unknown",
            ])
        #expect(found.allSatisfy { !$0.error.message.contains("\\r") })
    }

    private static let adHoc = """
        Origin: <adhoc 'raw' task>

        {'action': 'raw', 'args': {'_raw_params': 'exit 3'}, 'timeout': 0, 'async_val': 0, 'poll': 15}

        """

    @Test("the steps at -vvv are not failures of their own") func verbose() {
        #expect(
            Self.summary(
                """
                ansible [core 2.19.14]
                No config file found; using defaults
                <192.0.2.1> ESTABLISH SSH CONNECTION FOR USER: root
                <192.0.2.1> SSH: EXEC ssh -C -o ControlMaster=auto -o Port=1 -o ConnectTimeout=10 -tt 192.0.2.1 'exit 3'
                <192.0.2.1> (255, b'', b'ssh: connect to host 192.0.2.1 port 1: Connection refused\\r\\n')
                <192.0.2.1> ESTABLISH SSH CONNECTION FOR USER: None
                [ERROR]: Task failed: \(Self.refusal)
                \(Self.adHoc)
                refused | UNREACHABLE! => {
                    "changed": false,
                    "msg": "Task failed: \(Self.refusal)",
                    "unreachable": true
                }
                <192.0.2.1> (255, b'', b'No ED25519 host key is known for [192.0.2.1]:2936 and you have requested strict checking.\\r\\nHost key verification failed.\\r\\n')
                \(Self.unknownKey)
                \(Self.adHoc)
                unk | UNREACHABLE! => {
                    "changed": false,
                    "msg": "Task failed: Failed to connect to the host via ssh: No ED25519 host key is known for [192.0.2.1]:2936 and you have requested strict checking.\\r\\nHost key verification failed.",
                    "unreachable": true
                }
                <192.0.2.1> (3, b'', b'Shared connection to 192.0.2.1 closed.\\r\\n')
                <192.0.2.1> Failed to connect to the host via ssh: Shared connection to 192.0.2.1 closed.
                [ERROR]: Task failed: Action failed: non-zero return code
                \(Self.adHoc)
                good | FAILED | rc=3 >>
                Shared connection to 192.0.2.1 closed.
                non-zero return code
                <192.0.2.1> (3, b'', b'Shared connection to 192.0.2.1 closed.\\r\\n')
                <192.0.2.1> Failed to connect to the host via ssh: Shared connection to 192.0.2.1 closed.
                second | FAILED | rc=3 >>
                Shared connection to 192.0.2.1 closed.
                non-zero return code
                """) == [
                    "refused ssh.connect.refused", "unk ssh.host-key.unknown", "good ssh.command.exit-nonzero",
                    "second ssh.command.exit-nonzero",
                ])
    }

    @Test("announcements and steps count as failures if no result follows") func withoutResults() {
        let found = Self.failures(
            "[ERROR]: Task failed: \(Self.refusal)\n\(Self.origin)\n\(Self.unknownKey)\n\(Self.origin)\n"
                + "ssh: Could not resolve hostname web9: Name or service not known")
        #expect(
            found.map { $0.error.code } == [.connectRefused, .hostKeyUnknown, .resolveHostNotFound])
        #expect(found.last?.error.evidence.host == "web9")
        #expect(
            Self.summary("<web1> (255, b'', b'ssh: connect to host web1 port 22: Connection refused\\r\\n')") == [
                " ssh.connect.refused"
            ])
    }

    @Test("a result without a status names its host") func withoutStatus() {
        let wait = "Timeout (12s) waiting for privilege escalation prompt: "
        #expect(
            Self.summary(
                """
                fatal: [web1]: FAILED! => {"msg": "\(wait)"}
                fatal: [web2]: FAILED! =>\u{20}
                    msg: '\(wait)'
                """) == ["web1 ssh.command.timed-out", "web2 ssh.command.timed-out"])
    }

    @Test("at a terminal, the command's messages are on standard output, and ssh's last line is not one of them") func terminal()
    {
        let closed = #""stderr": "Shared connection to 192.0.2.1 closed.\r\n", "stdout""#
        let module = #""module_stderr": "Shared connection to 192.0.2.1 closed.\r\n", "module_stdout""#
        let found = Self.failures(
            #"""
            fatal: [web1]: FAILED! => {"changed": true, "msg": "non-zero return code", "rc": 2, \#(closed): "no room\r\n"}
            fatal: [web2]: FAILED! => {"msg": "MODULE FAILURE", "rc": 127, \#(module): "/bin/sh: python3: not found\r\n"}
            web3 | FAILED | rc=2 >>
            no space
            Shared connection to 192.0.2.1 closed.
            non-zero return code
            web4 | FAILED | rc=2 | (stdout) no door\r\n (stderr) Shared connection to 192.0.2.1 closed.\r\n
            web4 | FAILED! => {"changed": true,"msg": "non-zero return code","rc": 2,\#(closed): "no door\r\n"}
            web5 | FAILED | rc=2 >>
            Connection to 192.0.2.1 closed.
            non-zero return code
            web6 | FAILED | rc=2 >>
            no hope.non-zero return code
            """#)
        #expect(found.map { $0.inventoryHost } == ["web1", "web2", "web3", "web4", "web5", "web6"])
        let messages = found.map { $0.error.message }
        #expect(messages[0].hasSuffix("Its last message: no room."))
        #expect(found[1].error.code == .commandNotFound && messages[1].contains("python3"))
        #expect(messages[2].hasSuffix("Its last message: no space."))
        #expect(messages[3].hasSuffix("Its last message: no door."))
        #expect(messages[4].hasSuffix("ended with status 2."))
        #expect(messages[5].hasSuffix("Its last message: no hope."))
    }

    @Test("the heading of a failed task without its result has no cause, and the next lines are not the task's output")
    func heading() {
        let heading = "fatal: [web1]: FAILED! =>\n"
        #expect(SSHTranscriptLog().failures(in: heading + "the backup is complete\n" + heading + "retrying\n").isEmpty)
        let result = "changed: true\nmsg: non-zero return code\nrc: 3\nstderr: no space\n"
        #expect(SSHTranscriptLog().failures(in: heading + result).map(\.error.code) == [.commandExitNonzero])
    }
}
