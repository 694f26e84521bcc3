import BridgeSSH
import ErrorCore
import Testing

@testable import SSHFailure

@Suite("Remote causes")
struct RemoteCauseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let command: String
        let stderr: String
        let cause: AppError?
        init(_ status: Int, _ command: String, _ stderr: String, _ cause: AppError?) {
            self.status = status
            self.command = command
            self.stderr = stderr
            self.cause = cause
        }
        var testDescription: String { "\(status) \(command): \(stderr.prefix(80))" }
    }

    @Test("status, program and words give the cause", arguments: files + network + programs + nested + none)
    func causes(row: Case) {
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: row.status, command: row.command, standardError: row.stderr)
        #expect(cause?.appError == row.cause)
        if let cause {
            #expect(cause.code.hasPrefix("remote."))
            #expect(cause.message.last.map { ".…!?".contains($0) } == true)
        }
    }

    static let full = AppError.insufficientDiskSpace(required: 0, available: 0)

    static let files: [Case] = [
        Case(
            1, "cat /nowhere/file.txt", "cat: /nowhere/file.txt: No such file or directory\n",
            .fileNotFound(path: "/nowhere/file.txt")),
        Case(2, "ls /nowhere", "ls: cannot access '/nowhere': No such file or directory\n", .fileNotFound(path: "/nowhere")),
        Case(1, "cat 'a b'", "cat: 'a b': No such file or directory", .fileNotFound(path: "a b")),
        Case(2, "cat < /nowhere/x", "dash: 1: cannot open /nowhere/x: No such file", .fileNotFound(path: "/nowhere/x")),
        Case(2, "echo > /nowhere/x", "sh: 1: cannot create /nowhere/x: Directory nonexistent", .fileNotFound(path: "/nowhere/x")),
        Case(1, "cat x < /nowhere/x", "zsh:1: no such file or directory: /nowhere/x", .fileNotFound(path: "/nowhere/x")),
        Case(1, "cat < /nowhere/x", "bash: line 1: /nowhere/x: No such file or directory", .fileNotFound(path: "/nowhere/x")),
        Case(
            1, "python3 x.py",
            "Traceback (most recent call last):\nFileNotFoundError: [Errno 2] No such file or directory: '/nowhere/x'\n",
            .fileNotFound(path: "/nowhere/x")),
        Case(1, "node x", "Error: ENOENT: no such file or directory, open '/nowhere/x'\n", .fileNotFound(path: "/nowhere/x")),
        Case(2, "tool", "panic: open /nowhere/x: no such file or directory", .fileNotFound(path: "/nowhere/x")),
        Case(
            1, "java X", "java.io.FileNotFoundException: /nowhere/x (No such file or directory)",
            .fileNotFound(path: "/nowhere/x")),
        Case(
            2, "tar xf a.tar", "tar: a.tar: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now",
            .fileNotFound(path: "a.tar")),
        Case(1, "cat /x", "cat: /x: Datei oder Verzeichnis nicht gefunden", .fileNotFound(path: "/x")),
        Case(1, "ls /x", "ls: Zugriff auf '/x' nicht möglich: Datei oder Verzeichnis nicht gefunden", .fileNotFound(path: "/x")),
        Case(1, "rm /x", "rm: impossible de supprimer « /x »: Aucun fichier ou dossier de ce type", .fileNotFound(path: "/x")),
        Case(1, "cat /x", "cat: /x: No existe el fichero o el directorio", .fileNotFound(path: "/x")),
        Case(1, "ls /x", "ls: '/x' にアクセスできません: そのようなファイルやディレクトリはありません", .fileNotFound(path: "/x")),
        Case(1, "rm /x", "rm: 「/x」を削除できません: そのようなファイルやディレクトリはありません", .fileNotFound(path: "/x")),
        Case(1, "ls /x", "ls: 无法访问 '/x': 没有那个文件或目录", .fileNotFound(path: "/x")),
        Case(1, "cat /root/x", "cat: /root/x: Permission denied", .filePermissionDenied(path: "/root/x")),
        Case(
            1, "mkdir /root/x", "mkdir: cannot create directory ‘/root/x’: Permission denied",
            .filePermissionDenied(path: "/root/x")),
        Case(1, "chown root x", "chown: changing ownership of 'x': Operation not permitted", .filePermissionDenied(path: "x")),
        Case(1, "cat /root/x", "cat: /root/x: Keine Berechtigung", .filePermissionDenied(path: "/root/x")),
        Case(
            1, "mkdir -p /tmp/x; dd if=/dev/zero of=/small/x bs=1M count=8",
            "dd: error writing '/small/x': No space left on device\n2+0 records in\n1+0 records out\n1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.01 s, 99 MB/s\n",
            full),
        Case(1, "cp a /b", "cp: error writing '/b/a': Disk quota exceeded", full),
        Case(1, "cp a /b", "cp: 写入'/b/a' 时出错: 设备上没有空间", full),
        Case(1, "cp a /b", "cp: Fehler beim Schreiben von '/b/a': Auf dem Gerät ist kein Speicherplatz mehr verfügbar", full),
        Case(
            1, "touch /x", "touch: cannot touch '/x': Read-only file system",
            .fileWriteError(path: "/x", reason: "touch: cannot touch '/x': Read-only file system")),
        Case(1, "cat /d", "cat: /d: Is a directory", .fileReadError(path: "/d", reason: "cat: /d: Is a directory")),
        Case(1, "cat /x", "cat: /x: Input/output error", .fileReadError(path: "/x", reason: "cat: /x: Input/output error")),
        Case(
            1, "cp a /b", "cp: cannot create regular file '/b': Text file busy",
            .fileWriteError(path: "/b", reason: "cp: cannot create regular file '/b': Text file busy")),
    ]

    static let network: [Case] = [
        Case(6, "curl https://no.invalid/", "curl: (6) Could not resolve host: no.invalid", .dnsError(host: "no.invalid")),
        Case(
            7, "curl http://127.0.0.1:1/", "curl: (7) Failed to connect to 127.0.0.1 port 1: Connection refused",
            .networkUnavailable),
        Case(
            28, "FOO=1 sudo -u www curl http://x/", "curl: (28) Connection timed out after 1001 milliseconds",
            .timeout(seconds: 0)),
        Case(
            60, "curl https://x/", "curl: (60) SSL certificate problem: self-signed certificate",
            .sslError(description: "curl: (60) SSL certificate problem: self-signed certificate")),
        Case(2, "ping no.invalid", "ping: no.invalid: Name or service not known", .dnsError(host: "no.invalid")),
        Case(2, "ping no.invalid", "ping: no.invalid: Der Name oder der Dienst ist nicht bekannt", .dnsError(host: "no.invalid")),
        Case(4, "wget http://no.invalid/", "wget: unable to resolve host address ‘no.invalid’", .dnsError(host: "no.invalid")),
        Case(1, "nc web2 1", "nc: connect to web2 port 1 (tcp) failed: Connection refused", .networkUnavailable),
        Case(1, "nc web2 1", "nc: connect to web2 port 1 (tcp) failed: No route to host", .networkUnavailable),
        Case(1, "nc web2 1", "nc: connect to web2 port 1 (tcp) failed: Host is down", .networkUnavailable),
        Case(1, "nc web2 1", "nc: connect to web2 port 1 (tcp) failed: 接続がタイムアウトしました", .timeout(seconds: 0)),
    ]

    static let programs: [Case] = [
        Case(124, "timeout 5 sleep 60", "", .timeout(seconds: 5)),
        Case(137, "timeout -s 9 5 make", "", .timeout(seconds: 5)),
        Case(137, "timeout --signal 9 5 make", "", .timeout(seconds: 5)),
        Case(137, "timeout -s9 5 make", "", .timeout(seconds: 5)),
        Case(137, "timeout --signal=9 5 make", "", .timeout(seconds: 5)),
        Case(124, "cd /srv && timeout -k 1 2m make", "", .timeout(seconds: 120)),
        Case(137, "timeout -k 1 2m make", "", .timeout(seconds: 120)),
        Case(137, "timeout -s KILL 5 make", "", .timeout(seconds: 5)),
        Case(1, "sudo -n true", "sudo: a password is required\n", .permissionDenied(tool: "sudo")),
        Case(
            1, "sudo true", "sudo: a terminal is required to read the password; either use the -S option\n",
            .permissionDenied(tool: "sudo")),
        Case(
            1, "sudo make", "alice is not in the sudoers file.\nThis incident will be reported.\n",
            .permissionDenied(tool: "sudo")),
        Case(1, "./deploy", "Sorry, user alice may not run sudo on web1.\n", .permissionDenied(tool: "sudo")),
        Case(1, "sudo -n true", "sudo: Ein Passwort ist notwendig\n", .permissionDenied(tool: "sudo")),
        Case(
            128, "git clone https://u:secret@no.invalid/x.git",
            "Cloning into 'x'...\nfatal: unable to access 'https://u:secret@no.invalid/x.git/': Could not resolve host: no.invalid\n",
            .projectCloneFailed(
                url: "https://***@no.invalid/x.git",
                reason: "unable to access 'https://***@no.invalid/x.git/': Could not resolve host: no.invalid")),
        Case(
            128, "cd /srv && git clone --depth 1 git@h:x.git",
            "Host key verification failed.\nfatal: Could not read from remote repository.\n",
            .projectCloneFailed(url: "git@h:x.git", reason: "Could not read from remote repository.")),
    ]

    static let nested: [Case] = [
        Case(255, "ssh web2 true", "Host key verification failed.\n", .sshHostKeyMismatch(host: "")),
        Case(
            255, "ssh web2 true", "alice@web2: Permission denied (publickey,password).\n",
            .sshAuthenticationFailed(method: "publickey,password")),
        Case(
            255, "ssh nowhere true", "ssh: Could not resolve hostname nowhere: Name or service not known\n",
            .dnsError(host: "nowhere")),
        Case(
            255, "ssh web2 true", "ssh: connect to host web2 port 22: Connection refused\n",
            .sshConnectionFailed(host: "web2", reason: "ssh: connect to host web2 port 22: Connection refused")),
        Case(255, "ssh web2 true", "ssh: connect to host web2 port 22: Connection timed out\n", .sshTimeout(seconds: 0)),
        Case(
            128, "git fetch", "git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.\n",
            .sshAuthenticationFailed(method: "publickey")),
    ]

    static let none: [Case] = [
        Case(0, "cat /x", "cat: /x: No such file or directory", nil),
        Case(127, "frobnicate", "bash: line 1: ./frobnicate: No such file or directory", nil),
        Case(126, "/etc/passwd", "bash: line 1: /etc/passwd: Permission denied", nil),
        Case(1, "false", "", nil),
        Case(137, "timeout 9 make", "", nil),
        Case(3, "make", "oops\n", nil),
        Case(
            1, "false", "bash: warning: setlocale: LC_ALL: cannot change locale (de_DE.UTF-8): No such file or directory\n", nil),
        Case(1, "false", "stty: 'standard input': Inappropriate ioctl for device\n", nil),
        Case(1, "false", "Could not chdir to home directory /home/x: No such file or directory\n", nil),
        Case(1, "false", "sudo: unable to resolve host web1: Name or service not known\n", nil),
    ]

    @Test("a clone's own reason is reported")
    func cloneReason() {
        let cause = SSHRemoteCauseClassifier.cause(
            exitStatus: 128, command: "git clone git@h:x", standardError: "Host key verification failed.\nfatal: Could not read\n"
        )
        #expect(cause?.reason?.appError == .sshHostKeyMismatch(host: ""))
    }

    @Test(
        "every wording of the table gives its trouble, in every language",
        arguments: RemoteTrouble.wordings.map(\.printed))
    func wordings(text: String) throws {
        let expected = RemoteTrouble.wordings.filter { $0.printed == text }
        #expect(Set(expected.map(\.trouble)).count == 1, "ambiguous")
        let line =
            switch try #require(expected.first).kind {
            case .reason: "x: /a/b: \(text)"
            case .predicate: "x: '/a/b' \(text)"
            case .opening: "x: \(text) y"
            case .code: "Error: \(text): something"
            }
        let match = try #require(RemoteWording.match(in: RemoteLine(line)))
        #expect(match.trouble == expected.first?.trouble)
        #expect(SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "x", standardError: line) != nil)
    }

    @Test(
        "every trouble of the C library has wordings in at least six languages",
        arguments: RemoteTrouble.allCases.filter { $0 != .notConnected })
    func languages(trouble: RemoteTrouble) {
        #expect(RemoteTrouble.wordings.count { $0.trouble == trouble } >= 6)
    }

    @Test(
        "command lines are split as by a shell",
        arguments: [
            ("a b", [["a", "b"]]), ("a;b&&c|d", [["a"], ["b"], ["c"], ["d"]]), ("'a b' \"c;d\" e\\ f", [["a b", "c;d", "e f"]]),
            ("X=1 Y=2 env -u Z sudo -u www a", [["a"]]), ("sh -c 'a b; c'", [["a", "b"], ["c"]]), ("", []),
            ("'unclosed", [["unclosed"]]),
            ("nice -n 5 a -x", [["a", "-x"]]),
        ] as [(String, [[String]])])
    func commandLines(line: String, commands: [[String]]) {
        #expect(RemoteProgram.commands(line) == commands)
    }
}
