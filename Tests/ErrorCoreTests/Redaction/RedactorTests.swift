import ErrorCore
import Testing

/// Each secret holds `hunter2`, which must be removed, unless the secret is recognised by its form.
@Suite struct RedactorTests {
    static let secrets: [(text: String, kept: String)] = [
        // Assignments.
        ("mysql --password=hunter2 -u root", "mysql --password=••• -u root"),
        ("mysql --password hunter2 -u root", "mysql --password ••• -u root"),
        ("DB_PASSWORD='hunter2 hunter2' ./run", "DB_PASSWORD='•••' ./run"),
        ("PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=••• psql -h db"),
        ("export MYSQL_PWD=hunter2", "export MYSQL_PWD=•••"),
        ("SMTP_PASS=hunter2", "SMTP_PASS=•••"),
        ("password: hunter2", "password: •••"),
        ("password: correcthorse", "password: •••"),
        ("aws_secret_access_key = hunter2/abc+def", "aws_secret_access_key = •••"),
        ("{\"accessToken\": \"hunter2\", \"id\": 3}", "{\"accessToken\": \"•••\", \"id\": 3}"),
        ("{\"password\":\"hun\\\"hunter2\"}", "{\"password\":\"•••\"}"),
        ("{\\\"password\\\":\\\"hunter2\\\",\\\"a\\\":1}", "{\\\"password\\\":\\\"•••\\\",\\\"a\\\":1}"),
        ("--password=hun,hunter2", "--password=•••"),
        ("password=hunter2,host=db", "password=•••,host=db"),
        ("login --token \"hunter2\" now", "login --token \"•••\" now"),
        ("otp=hunter2 pin=hunter2", "otp=••• pin=•••"),
        ("machine web login me password hunter2", "machine web login me password •••"),
        ("CREATE USER u IDENTIFIED BY 'hunter2'", "CREATE USER u IDENTIFIED BY '•••'"),
        ("ALTER ROLE u PASSWORD 'hunter2'", "ALTER ROLE u PASSWORD '•••'"),
        ("client_secret=hunter2&grant_type=x", "client_secret=•••&grant_type=x"),
        ("<password>hunter2</password>", "<password>•••</password>"),
        ("password => 'hunter2'", "password => '•••'"),
        ("login with password hunter2 failed", "login with password ••• failed"),
        ("Authorization=Bearer hunter2", "Authorization=Bearer •••"),
        ("spring.datasource.password=hunter2", "spring.datasource.password=•••"),
        ("user=u password='hun hunter2' host=h", "user=u password='•••' host=h"),
        // Connection strings.
        ("Server=db;User Id=sa;Password=hunter2;Encrypt=true", "Server=db;User Id=sa;Password=•••;Encrypt=true"),
        ("Server=db;Pwd=hunter2;", "Server=db;Pwd=•••;"),
        ("AccountName=a;AccountKey=hunter2+/a==;EndpointSuffix=x", "AccountName=a;AccountKey=•••;EndpointSuffix=x"),
        ("Endpoint=sb://x/;SharedAccessKey=hunter2=", "Endpoint=sb://x/;SharedAccessKey=•••"),
        ("https://a.blob.example/c?sv=1&sig=hunter2%3D&se=2", "https://a.blob.example/c?sv=1&sig=•••&se=2"),
        // Headers.
        ("curl -H 'Authorization: Bearer hunter2' x", "curl -H 'Authorization: Bearer •••' x"),
        ("Authorization: Basic hunter2", "Authorization: Basic •••"),
        ("Authorization: token hunter2", "Authorization: token •••"),
        ("Authorization: hunter2", "Authorization: •••"),
        ("Authorization: Digest username=\"u\", response=\"hunter2\"", "Authorization: Digest •••"),
        ("\"Authorization\": \"ApiKey hunter2\", \"a\": 1", "\"Authorization\": \"ApiKey •••\", \"a\": 1"),
        ("Proxy-Authorization: Negotiate hunter2", "Proxy-Authorization: Negotiate •••"),
        ("Cookie: sid=hunter2; csrf=hunter2; theme=dark\nHost: x", "Cookie: •••\nHost: x"),
        ("curl -H 'Cookie: a=hunter2; b=hunter2' x", "curl -H 'Cookie: •••' x"),
        ("Set-Cookie: sid=hunter2; Path=/; HttpOnly", "Set-Cookie: •••"),
        ("X-Api-Key: hunter2", "X-Api-Key: •••"),
        ("X-Amz-Security-Token: hunter2", "X-Amz-Security-Token: •••"),
        ("sent Bearer hunter2 to x", "sent Bearer ••• to x"),
        // Addresses.
        ("git clone https://me:hunter2@example.com/a.git", "git clone https://me:•••@example.com/a.git"),
        ("postgres://u:hunter2hunter2@db:5432/x?api_key=hunter2&a=1", "postgres://u:•••@db:5432/x?api_key=•••&a=1"),
        ("postgres://u:p@hunter2@db/x", "postgres://u:•••@db/x"),
        ("postgres://u:p/hunter2@db/x", "postgres://u:•••@db/x"),
        ("redis://:hunter2@cache:6379/0", "redis://:•••@cache:6379/0"),
        ("https://abcdef0123456789hunter2@github.com/a/b", "https://•••@github.com/a/b"),
        ("https://hooks.slack.com/services/T0/B0/hunter2", "https://hooks.slack.com/services/•••"),
        ("https://api.telegram.org/bot12:hunter2/send", "https://api.telegram.org/bot•••/send"),
        ("https://x/#access_token=hunter2&state=1", "https://x/#access_token=•••&state=1"),
        // Options.
        ("ncat --proxy-auth me:hunter2 --proxy p:1 %h %p", "ncat --proxy-auth ••• --proxy p:1 %h %p"),
        ("socat - PROXY:p:%h:%p,proxyauth=me:hunter2,proxyport=1", "socat - PROXY:p:%h:%p,proxyauth=•••,proxyport=1"),
        ("sshpass -p hunter2 ssh web1", "sshpass -p ••• ssh web1"),
        ("sshpass -phunter2 ssh -p 2222 web1", "sshpass -p••• ssh -p 2222 web1"),
        ("/usr/bin/sshpass -p 'hunter2 hunter2' ssh web1", "/usr/bin/sshpass -p '•••' ssh web1"),
        ("mysql -u root -phunter2 shop", "mysql -u root -p••• shop"),
        ("curl -u me:hunter2 https://x/", "curl -u me:••• https://x/"),
        ("curl --user 'me:hunter2' https://x/", "curl --user 'me:•••' https://x/"),
        ("curl -ume:hunter2 https://x/", "curl -ume:••• https://x/"),
        ("curl -b 'a=hunter2; b=hunter2' https://x/", "curl -b '•••' https://x/"),
        ("curl --cookie 'a=hunter2; b=hunter2' https://x/", "curl --cookie '•••' https://x/"),
        ("redis-cli -a hunter2 ping", "redis-cli -a ••• ping"),
        ("docker login -u me -p hunter2 r.example", "docker login -u me -p ••• r.example"),
        ("openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:••• -in k"),
        ("smbclient -U me%hunter2 //h/s", "smbclient -U me%••• //h/s"),
        ("echo a; mysql -phunter2; echo b", "echo a; mysql -p•••; echo b"),
        // Keys.
        (
            "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY----- after",
            "-----BEGIN OPENSSH PRIVATE KEY-----••• after"
        ),
        ("-----BEGIN RSA PRIVATE KEY-----\nhunter2", "-----BEGIN RSA PRIVATE KEY-----•••"),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nhunter2\n-----END PGP PRIVATE KEY BLOCK-----.",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----•••."
        ),
    ]

    @Test("secrets are masked", arguments: secrets) func masks(_ text: String, _ kept: String) {
        #expect(Redactor.standard.text(text) == kept)
        #expect(!Redactor.standard.text(text).contains("hunter2"))
        #expect(Redactor.standard.text(kept) == kept, "twice is once")
        let embedded = Redactor.standard.text("the line was \(text)\nand no more")
        #expect(!embedded.contains("hunter2"), "\(embedded)")
    }

    /// Written in two parts, so that a scanner of this repository does not take them for real ones.
    static let shapes: [String] = [
        "AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + "IOSFODNN7EXAMPLE", "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
        "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "github_pat_" + "11ABCDEFG0123456789_abcdefgh",
        "glpat-" + "abcDEF1234567890wxyz", "xoxb-" + "123456789012-abcdefGHIJ", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "sk-ant-" + "api03-abcdefGHIJKLMNOP1234", "sk-proj-" + "abcdefGHIJKLMNOP1234", "hf_" + "abcdefGHIJKLMNOPqrstuvWX12",
        "npm_" + "abcdefGHIJKLMNOPqrstuvWX12345678", "dop_v1_" + "0123456789abcdef0123456789abcdef0123",
        "ya29." + "a0AfH6SMBx1234567890abcdef",
        "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ]

    @Test("secrets are recognised by their form", arguments: shapes) func masksWhatShowsByItsForm(_ secret: String) {
        for text in [
            secret, "said \(secret).", "a=\(secret)&b", "{\"x\":\"\(secret)\"}", "https://x/?v=\(secret)", "(\(secret))",
        ] {
            let masked = Redactor.standard.text(text)
            #expect(!masked.contains(secret.dropFirst(8).prefix(12)), "\(masked)")
        }
    }

    @Test(
        "other text is unchanged",
        arguments: [
            "uptime", "the password was refused", "ls -l /etc/passwd", "keyboard-interactive", "monkey business: 3",
            "https://example.com/a:b@c", "token", "password=", "cat: /etc/passwd: Permission denied", "PWD=/srv/app OLDPWD=/",
            "Wrong password: try again", "password: required", "Password: ", "unexpected token: identifier", "Unexpected token }",
            "SyntaxError: Unexpected token '<'", "max_tokens=512 tokens: 3", "basic training", "Basic authentication failed",
            "the bearer of bad news", "ssh -p 2222 web1 mkdir -p /srv/a", "docker run -p 8080:80 nginx", "secret: none",
            "git@github.com:a/b.git", "ssh://git@example.com:22/a", "http://localhost:8080/a@b", "author: me", "the cookie jar",
            "commit 16c7e42f292c6912e7710c838347ae178b4a0000", "id 123e4567-e89b-12d3-a456-426614174000", "sk-learn",
            "npm_config",
            "3 passed, pass: 12 fail: 3", "primary key: 3", "public key: ssh-ed25519 AAAA", "zip -r a.zip b", "curl -u",
            "bypass=1",
            "http://[::1]:80/x", "mailto:me@example.com", "it’s the user's token that's gone", "the server's cookie policy",
            "The certificate’s private key is missing", "design: token-based", "Authorization failed", "signature mismatch",
            "host key of web1", "sha256:0123456789abcdef", "password is too short", "tokens left: 5", "mysql -u root shop",
            "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----", "auth: no methods left", "auth=publickey",
            "pass=12 fail=3", "sig=TERM", "signature=valid", "the password for user1 expired",
            "password > 3", "<token/>", "the token has 512 bits", "token=$TOKEN", "",
        ])
    func leavesTheRest(_ text: String) {
        #expect(Redactor.standard.text(text) == text)
    }

    @Test("hostile texts take bounded time") func hostileTextsEnd() {
        for text in [
            "password=", "Authorization:", "://", "://:@", "'password'=\"", "curl -u '", "\"password\": \"\\", "-----BEGIN",
        ] {
            let long = String(repeating: text, count: 500)
            #expect(Redactor.standard.text(long).isEmpty == false)
        }
        #expect(Redactor.standard.text("password=\u{0}\r\nx\u{301}") != "")
    }

    /// A line that assigns a password is masked, with any text around it.
    @Test("no surrounding text hides a secret") func noSurroundingsHideASecret() {
        let pieces = [
            "'", "\"", "\\", " ", "\n", "\t", "=", ":", "://", "@", "/", "Authorization: ", "Bearer ", "curl -u ", "mysql -p",
            "eyJ",
            "sshpass -p ", "token", "password", "-----BEGIN", "PRIVATE KEY-----", "é", "•••", "{", "}", ",", ";", "|", "&",
            "\u{0}", "ghp_",
            "Cookie: ", "<", ">", "x1", "machine login ", "\r\n",
        ]
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<next(12) { text += pieces[next(pieces.count)] }
            text += "\npassword=hunter2\n"
            for _ in 0..<next(12) { text += pieces[next(pieces.count)] }
            #expect(!Redactor.standard.text(text).contains("hunter2"), "\(text.debugDescription)")
        }
    }

    @Test("commands are cut after they are masked") func commandsAreCutAfterTheyAreMasked() {
        let command = String(repeating: "x", count: 35) + " --token=hunter2hunter2hunter2hunter2"
        #expect(Redactor.standard.command(command).count <= 50)
        #expect(!Redactor.standard.command(command).contains("hunter"))
        #expect(Redactor.standard.command("a\nb\r\nc") == "a b c")
    }

    @Test("metadata by key and value") func metadataByKeyAndValue() {
        let kept = Redactor.standard.metadata(["api_token": "hunter2", "url": "http://a:hunter2@b", "exit_code": "3"])
        #expect(kept == ["api_token": "•••", "url": "http://a:•••@b", "exit_code": "3"])
    }

    @Test("the app can replace the rule") func theAppCanReplaceTheRule() {
        #expect(Redactor { _ in "gone" }.text("x") == "gone")
    }
}
