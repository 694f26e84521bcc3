import ErrorCore
import Testing

@Suite struct RedactorTests {
    static let secrets: [(text: String, kept: String)] = [
        ("mysql --password=hunter2 -u root", "mysql --password=••• -u root"),
        ("mysql --password hunter2 -u root", "mysql --password ••• -u root"),
        ("DB_PASSWORD='hunter2 hunter2' ./run", "DB_PASSWORD='•••' ./run"),
        ("{\"accessToken\": \"hunter2\", \"id\": 3}", "{\"accessToken\": \"•••\", \"id\": 3}"),
        ("curl -H 'Authorization: Bearer hunter2' x", "curl -H 'Authorization: Bearer •••' x"),
        ("Authorization: Basic hunter2", "Authorization: Basic •••"),
        ("git clone https://me:hunter2@example.com/a.git", "git clone https://me:•••@example.com/a.git"),
        ("postgres://u:hunter2hunter2@db:5432/x?api_key=hunter2&a=1", "postgres://u:•••@db:5432/x?api_key=•••&a=1"),
        (
            "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY----- after",
            "-----BEGIN OPENSSH PRIVATE KEY-----••• after"
        ),
        ("-----BEGIN RSA PRIVATE KEY-----\nhunter2", "-----BEGIN RSA PRIVATE KEY-----•••"),
    ]

    @Test(arguments: secrets) func masks(_ text: String, _ kept: String) {
        #expect(Redactor.standard.text(text) == kept)
        #expect(!Redactor.standard.text(text).contains("hunter2"))
    }

    @Test(arguments: [
        "uptime", "the password was refused", "ls -l /etc/passwd", "keyboard-interactive", "monkey business: 3",
        "https://example.com/a:b@c", "token", "password=",
    ])
    func leavesTheRest(_ text: String) {
        #expect(Redactor.standard.text(text) == text)
    }

    @Test func commandsAreCutAfterTheyAreMasked() {
        let command = String(repeating: "x", count: 35) + " --token=hunter2hunter2hunter2hunter2"
        #expect(Redactor.standard.command(command).count <= 50)
        #expect(!Redactor.standard.command(command).contains("hunter"))
        #expect(Redactor.standard.command("a\nb\r\nc") == "a b c")
    }

    @Test func metadataByKeyAndValue() {
        let kept = Redactor.standard.metadata(["api_token": "hunter2", "url": "http://a:hunter2@b", "exit_code": "3"])
        #expect(kept == ["api_token": "•••", "url": "http://a:•••@b", "exit_code": "3"])
    }

    @Test func theAppCanReplaceTheRule() {
        #expect(Redactor { _ in "gone" }.text("x") == "gone")
    }
}
