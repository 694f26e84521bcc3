import BridgeSSH
import Testing

@testable import SSHTranscripts

/// Words of a client that another program wrapped, escaped or repeated.
@Suite("Wrapped, escaped and repeated words")
struct RepeatedWordsTests {
    private func code(_ text: String) -> String? {
        SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: nil))?.code.rawValue
    }

    private func logged(_ text: String) -> [String] {
        SSHTranscriptLog().failures(in: text).map { $0.error.code.rawValue }
    }

    @Test(
        "a wrapped line is read whole, even if its first half has its own meaning",
        arguments: [
            (
                "2026/03/03 17:58:28 ssh: handshake failed: ssh: unable to authenticate,\n"
                    + "attempted methods [none password], no supported methods remain\n",
                "ssh.auth.password-rejected"
            ),
            (
                "│ timeout - last error: SSH authentication failed (a@192.0.2.1:22): ssh: handshake\n"
                    + "│ failed: ssh: disconnect, reason 2: Too many authentication failures\n",
                "ssh.auth.too-many-attempts"
            ),
        ])
    func wrapped(_ text: String, _ expected: String) { #expect(code(text) == expected) }

    @Test("two consecutive lines are not joined") func separate() {
        let text = "ssh: handshake failed: ssh: unable to authenticate\nattempted methods [none password], no more\n"
        #expect(code(text) == "ssh.auth.key-rejected")
    }

    @Test(
        "escapes within escapes are undone",
        arguments: [
            #"{"error":"exit status 255: \"Load key \\\"/k\\\": invalid format\"","n":1}"#,
            #"{"error":"{\"stderr\":\"Load key \\\"/k\\\": invalid format\\r\\nlost connection\\n\"}"}"#,
            #"{"cwd":"C:\\new","stderr":"Load key \"/k\": invalid format\r\nlost connection\n"}"#,
        ])
    func escaped(_ line: String) { #expect(code(line + "\n") == "ssh.key.format-invalid") }

    @Test("a Windows path is not an escape") func path() {
        #expect(EscapedLines.split(#"C:\new\run.exe: ssh: connect to host web1"#).count == 1)
        #expect(EscapedLines.split(#""C:\\new\\run.exe\nlost""#).count == 2)
    }

    @Test("npm and Node repeat the words of git: one run") func repeated() {
        let npm = """
            npm ERR! git clone git@git.example:a.git Host key verification failed.
            npm ERR! git clone git@git.example:a.git fatal: Could not read from remote repository.
            npm ERR! Error: Command failed: git clone git@git.example:a.git
            npm ERR! Host key verification failed.

            """
        #expect(logged(npm) == ["ssh.host-key.unknown"])
        let denied = "Permission denied (publickey).\n"
        let node = denied + "Deployment failed\nError: " + denied + "    at spawn.js:42\n"
        #expect(logged(node) == ["ssh.auth.key-rejected"])
        #expect(logged(denied + "next host\n" + denied).count == 2)
    }

    @Test(
        "Hexo's error has the words that git's ssh has printed: one run",
        arguments: [
            ("Connection reset by 192.0.2.166 port 22\n", "ssh.auth.connection-dropped"),
            ("Connection closed by 192.0.2.166 port 22\n", "ssh.auth.connection-dropped"),
            (
                "kex_exchange_identification: read: Connection reset by peer\nConnection reset by 192.0.2.166 port 22\n",
                "ssh.banner.closed"
            ),
            ("ssh: connect to host 192.0.2.166 port 22: Connection refused\n", "ssh.connect.refused"),
        ])
    func hexo(_ words: String, _ code: String) {
        let git = words + "fatal: Could not read from remote repository.\n"
        let end = "\nPlease make sure you have the correct access rights\nand the repository exists.\n"
        let text = git + end + "FATAL Something's wrong. Maybe you can find the solution here\nError: " + git + end
        #expect(logged(text + "\n    at ChildProcess.<anonymous> (/b/node_modules/hexo-util/lib/spawn.js:51:21)\n") == [code])
    }

    @Test(
        "the address that an old ssh prints, or a placeholder in its place, is a peer; a common word is not",
        arguments: [
            ("192.0.2.7", true), ("2001:db8::7", true), ("fe80::7%eth0", true), ("192.0.2.x", true), ("***", true),
            ("<ip>", true), ("web1.example.com", true), ("peer", false), ("server", false), ("client.", false),
            ("remote host", false), ("the server", false), ("peer\"", false),
        ])
    func peers(_ peer: String, _ isPeer: Bool) {
        for end in ["closed", "reset"] {
            #expect((code("Connection \(end) by \(peer)\n") != nil) == isPeer, "\(end) by \(peer)")
        }
    }

    @Test("the end of a connection through a jump host is not a second failure") func jump() {
        let text = """
            kex_exchange_identification: Connection closed by remote host
            Connection closed by 192.0.2.1 port 22
            kex_exchange_identification: Connection closed by remote host
            Connection closed by UNKNOWN port 65535

            """
        #expect(logged(text) == ["ssh.banner.closed"])
    }

    @Test("a transcript that ends after a refused password is a guess; what follows may show that another was accepted")
    func askedAgain() {
        let refused = "a@web1's password: \nPermission denied, please try again.\n"
        let error = SSHTranscriptClassifier.classify(SSHTranscript(standardError: refused, exitStatus: nil))
        #expect(error?.code == .authPasswordRejected && error?.confidence == .guess)
        #expect(logged(refused) == ["ssh.auth.password-rejected"])
        #expect(logged(refused + "a@web1's password: \nLast login: Mon Jan  5\n").isEmpty)
    }

    @Test("the end of a quotation, and the prompt of the shell that started ssh, are no answer of the server")
    func givenUp() {
        let refused = "a@web1's password: \nPermission denied, please try again.\n"
        for fence in ["```", "[/code]", "[/CODE]", "</pre>"] {
            #expect(code(refused + fence + "\n") == "ssh.auth.password-rejected")
        }
        for prompt in ["a@pc:~$ ", "$ ", "# ", "[root@pc ~]# ", "➜  ~ ", #"C:\Users\a>"#] {
            #expect(code("\(prompt)ssh a@web1\n\(refused)a@web1's password: \n\(prompt)\n") == "ssh.auth.password-rejected")
        }
        #expect(code("a@pc:~$ ssh a@web1\n\(refused)a@web1's password: \na@web1:~$ \n") == nil)
    }

    @Test("marks that are written for HTML or Markdown are read")
    func entities() {
        let refused = "a@web1: Permission denied (publickey).\n"
        #expect(logged("Load key &quot;id_rsa&quot;: invalid format\n" + refused) == ["ssh.key.format-invalid"])
        #expect(logged("Permissions 0644 for &#39;id_rsa&#39; are too open.\n" + refused) == ["ssh.key.permissions-too-open"])
        let lost = "fatal: [web1] =&gt; SSH Error: mux_client_request_session: send fds failed\n"
        #expect(logged(lost) == ["ssh.session.connection-lost"])
        #expect(logged(#"ssh\_exchange\_identification: Connection closed by remote host"#) == ["ssh.banner.closed"])
    }

    @Test("docker's message about ssh is no failure beside ssh's own") func docker() {
        let docker = "command [ssh -- web1 docker system dial-stdio] has exited with exit status 255, stderr="
        #expect(logged(docker + "x\nHost key verification failed.\n") == ["ssh.host-key.unknown"])
        #expect(logged(docker + "\n") == ["ssh.connect.failed"])
    }

    @Test("git's own words alone are a guess, not a second failure") func git() {
        let last = "fatal: Could not read from remote repository.\n"
        #expect(code(last) == "ssh.connect.failed")
        #expect(logged("ssh: connect to host web1 port 22: Connection refused\n" + last) == ["ssh.connect.refused"])
    }

    @Test("a text without times tells a failure once; a later one, one of another host or of another process is another")
    func once() {
        func count(_ text: String) -> Int {
            var reported = ReportedFailures()
            return SSHTranscriptLog().failures(in: text).count { reported.isNew($0) }
        }
        let refused = "ssh: connect to host web1 port 22: Connection refused"
        let other = "ssh: connect to host web2 port 22: Connection refused"
        #expect(count("\(refused)\nthe backup failed:\n  \(refused)\n") == 1)
        #expect(count("\(refused)\n\(other)\n\(refused)\n") == 2)
        #expect(count("2026-01-05T09:00:01Z \(refused)\n2026-01-05T09:00:02Z \(refused)\n") == 1)
        #expect(count("2026-01-05T09:00:01Z \(refused)\n2026-01-05T09:05:02Z \(refused)\n") == 2)
        let process = { (number: Int) in "Jan  5 09:00:01 ops backup[\(number)]: \(refused)\n" }
        #expect(count(process(1) + process(2)) == 2)
    }
}
