import BridgeSSH
import ErrorCore
import SSHTestSupport
import Testing

/// Words of systems and programs that the corpus cannot run: musl, the BSDs, macOS, Windows, Go, Rust, Java, databases.
@Suite("Messages of other systems")
struct RemoteWordsTests {
    @Test(
        "messages that name the file",
        arguments: [
            ("cp: can't stat '/x/a': No such file or directory", .fileNotFound(path: "/x/a")),
            ("mv: rename /x/a to /y/b: No such file or directory", .fileNotFound(path: "/y/b")),
            ("mkdir: /x/a: Permission denied", .filePermissionDenied(path: "/x/a")),
            ("zsh: no such file or directory: Permission denied", .fileNotFound(path: "Permission denied")),
            ("zsh: operation not permitted: /Library/x", .filePermissionDenied(path: "/Library/x")),
            ("open /x/a: no such file or directory", .fileNotFound(path: "/x/a")),
            ("2026/11/21 21:00:00 open /x/a b: permission denied", .filePermissionDenied(path: "/x/a b")),
            (
                "time=\"2026-11-21T21:00:00Z\" level=fatal msg=\"open /x/a: permission denied\"",
                .filePermissionDenied(path: "/x/a")
            ),
            ("panic: open config.yml: no such file or directory", .fileNotFound(path: "config.yml")),
            ("stat /x/a: no such file or directory", .fileNotFound(path: "/x/a")),
            ("fork/exec /x/a: permission denied", .filePermissionDenied(path: "/x/a")),
            ("rename /x/a /y/b: permission denied", .filePermissionDenied(path: "/y/b")),
            ("Error: open /etc/app/config.toml: no such file or directory", .fileNotFound(path: "/etc/app/config.toml")),
            ("error: couldn't read `/x/a`: No such file or directory (os error 2)", .fileNotFound(path: "/x/a")),
            ("Error: failed to open /x/a: Permission denied (os error 13)", .filePermissionDenied(path: "/x/a")),
            ("bat: '/x/a': No such file or directory (os error 2)", .fileNotFound(path: "/x/a")),
            ("java.io.FileNotFoundException: /x/a (No such file or directory)", .fileNotFound(path: "/x/a")),
            (
                "Exception in thread \"main\" java.io.FileNotFoundException: /x/a (Permission denied)",
                .filePermissionDenied(path: "/x/a")
            ),
            ("java.nio.file.NoSuchFileException: /x/a", .fileNotFound(path: "/x/a")),
            ("Caused by: java.nio.file.AccessDeniedException: /x/a", .filePermissionDenied(path: "/x/a")),
            ("Unhandled exception. System.IO.FileNotFoundException: Could not find file '/x/a'.", .fileNotFound(path: "/x/a")),
            ("System.UnauthorizedAccessException: Access to the path '/x/a' is denied.", .filePermissionDenied(path: "/x/a")),
            ("Get-Content: Cannot find path 'C:\\x\\a' because it does not exist.", .fileNotFound(path: "C:\\x\\a")),
            ("npm ERR! enoent ENOENT: no such file or directory, open '/x/package.json'", .fileNotFound(path: "/x/package.json")),
            (
                "npm ERR! Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/x'",
                .filePermissionDenied(path: "/usr/lib/node_modules/x")
            ),
            ("Error: Errno::ENOENT: No such file or directory @ rb_sysopen - /x/a", .fileNotFound(path: "/x/a")),
            (
                "psql: error: connection to server on socket \"/run/postgresql/.s.PGSQL.5432\" failed: No such file or directory",
                .fileNotFound(path: "/run/postgresql/.s.PGSQL.5432")
            ),
            (
                "nginx: [emerg] open() \"/x/nginx.conf\" failed (2: No such file or directory)",
                .fileNotFound(path: "/x/nginx.conf")
            ),
            (
                "nginx: [alert] could not open error log file: open() \"/x/l\" failed (13: Permission denied)",
                .filePermissionDenied(path: "/x/l")
            ),
            ("x.c:1:10: fatal error: /x/a.h: No such file or directory", .fileNotFound(path: "/x/a.h")),
            ("/usr/bin/ld: cannot open output file /x/a: Permission denied", .filePermissionDenied(path: "/x/a")),
            ("couldn't open \"/x/a\": no such file or directory", .fileNotFound(path: "/x/a")),
            ("Could not open '/x/a': Datei oder Verzeichnis nicht gefunden", .fileNotFound(path: "/x/a")),
            ("outil : impossible d'ouvrir « /x/a b » : Permission non accordée", .filePermissionDenied(path: "/x/a b")),
            ("Werkzeug: „/x/a b“ kann nicht geöffnet werden: Keine Berechtigung", .filePermissionDenied(path: "/x/a b")),
            ("ツール: 「/x/a」を開けません: 許可がありません", .filePermissionDenied(path: "/x/a")),
            ("工具：无法打开“/x/a”：权限不够", .filePermissionDenied(path: "/x/a")),
            ("herramienta: no se puede abrir «/x/a»: Permiso denegado", .filePermissionDenied(path: "/x/a")),
            ("tool: cannot open ‘/x/it's’: No such file or directory", .fileNotFound(path: "/x/it's")),
        ] as [(String, AppError)])
    func files(line: String, error: AppError) {
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "tool", standardError: line + "\n")
        #expect(cause?.appError == error)
    }

    @Test(
        "messages that name another cause",
        arguments: [
            ("cp: error writing '/x/a': Quota exceeded", "remote.quota-exceeded"),
            ("write /x/a: no space left on device", "remote.no-space"),
            ("java.io.IOException: No space left on device", "remote.no-space"),
            ("There is not enough space on the disk.", "remote.no-space"),
            ("dial tcp 10.0.0.1:5432: connect: connection refused", "remote.connection-refused"),
            ("Get \"https://x/\": dial tcp 10.0.0.1:443: i/o timeout", "remote.network-timed-out"),
            ("Get \"https://x.example/\": dial tcp: lookup x.example: no such host", "remote.name-unknown"),
            ("Get \"https://x/\": x509: certificate signed by unknown authority", "remote.tls-failed"),
            ("java.net.ConnectException: Connection refused (Connection refused)", "remote.connection-refused"),
            ("java.net.UnknownHostException: x.example", "remote.name-unknown"),
            ("javax.net.ssl.SSLHandshakeException: PKIX path building failed", "remote.tls-failed"),
            (
                "psql: error: connection to server at \"db1\" (10.0.0.1), port 5432 failed: Connection refused",
                "remote.connection-refused"
            ),
            ("Could not connect to Redis at 127.0.0.1:6379: Connection refused", "remote.connection-refused"),
            ("wget: bad address 'x.example'", "remote.name-unknown"),
            ("ping: cannot resolve x.example: Unknown host", "remote.name-unknown"),
            ("ping: unknown host x.example", "remote.name-unknown"),
            ("nc: x.example: Name does not resolve", "remote.name-unknown"),
            ("curl: (6) Could not resolve host: x.example", "remote.name-unknown"),
            ("Err:1 http://x.example bookworm InRelease  Temporary failure resolving 'x.example'", "remote.name-unknown"),
            ("ssh: connect to host x.example port 22: Connection timed out", "remote.ssh-timed-out"),
            ("Failed to restart web.service: Interactive authentication required.", "remote.privilege-required"),
            ("Error: This command has to be run under the root user.", "remote.privilege-required"),
            (
                "thread 'main' panicked: Os { code: 2, kind: NotFound, message: \"No such file or directory\" }",
                "remote.file-not-found"
            ),
        ])
    func others(line: String, code: String) {
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "tool", standardError: line + "\n")
        #expect(cause?.code == code)
    }

    @Test(
        "words that are only mentioned are not a cause",
        arguments: [
            "Expected: Permission denied errors to be retried", "ok 12 - returns ENOENT for a missing file",
            "not ok 3 - Permission denied",
            "E       AssertionError: assert 'Connection refused' in 'ok'", "--- FAIL: TestPermissionDenied (0.00s)",
            "see 'Permission denied' in the manual", "usage: tool [--no-such-file=MODE]", "tool: unknown option '--timed-out'",
            "Failed to connect to bus: Host is down", "Unit web.service not found.",
            "Error response from daemon: No such container: web",
            "ERROR:  relation \"orders\" does not exist", "error: package 'x' not found",
            "fatal: ref 'refs/heads/x' does not exist",
            "useradd: user 'web' already exists", "the file exists in two places", "Is a directory? yes",
            "x509: Use -help for summary.",
            "user@host's password: ", "0 permission denied, 3 ok", "+ cat /x: No such file or directory",
            "{\"level\":\"info\",\"count\":3}", "module not found: x", "404 Not Found",
        ])
    func mentions(line: String) {
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "tool", standardError: line + "\n")
        #expect(cause == nil, "\(String(describing: cause))")
    }

    @Test(
        "only the program that decided the status counts",
        arguments: [
            ("cat /x; false", nil), ("cat /x; exit 3", nil), ("cat /x && false", "likely"), ("cat /x || exit 3", "likely"),
            ("set -e; cat /x; echo", "likely"), ("cat /x; ./deploy", "guess"), ("for f in a; do cat /x; done", "likely"),
            ("cat /x; exit $?", "likely"), ("sh -c 'cat /x; false'", nil), ("sh -ec 'cat /x; false'", "likely"),
            ("(cat /x; true)", "likely"),
        ] as [(String, String?)])
    func deciding(command: String, confidence: String?) {
        let cause = SSHRemoteCauseClassifier.cause(
            exitStatus: 1, command: command, standardError: "cat: /x: No such file or directory\n")
        #expect(cause?.confidence.rawValue == confidence)
    }

    @Test("a cause is less certain if something else failed later, and does not apply to a killed program")
    func afterwards() {
        let missing = "cat: /x: No such file or directory\n"
        func confidence(_ status: Int, _ text: String) -> SSHError.Confidence? {
            SSHRemoteCauseClassifier.cause(exitStatus: status, command: "./deploy", standardError: text)?.confidence
        }
        #expect(confidence(1, missing) == .likely)
        #expect(confidence(2, missing + "make: *** [Makefile:2: all] Error 1\n") == .likely)
        #expect(confidence(1, missing + "app: unknown colour\n") == .guess)
        #expect(confidence(2, "make: x: No such file or directory\nmake: *** [Makefile:2: all] Error 127\n") == nil)
        #expect(confidence(137, missing) == nil)
        #expect(confidence(143, missing) == nil)
    }

    @Test("texts of any length and kind are read to their end", arguments: 0..<200)
    func anything(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "'", "\"", "«", "»", "`", "$'", "\\", ": ", "：", " ", "/", "(", ")", "\u{1b}[", "\r", "\n", "Permission denied",
            "ENOENT",
            "does not exist", "Could not resolve host", "x", "日", "é", "1", "-> ", "=>", "\0", "🚀",
        ]
        let text = (0..<60).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        _ = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: text, standardError: text)
        _ = SSHRemoteCauseClassifier.cause(exitStatus: 128, command: "git clone \(text)", standardError: text)
    }
}
