import BridgeSSH
import SSHTestSupport
import Testing

/// Key exchange and logins as sshd never conducts them.
@Suite("Matrix: scripted logins") struct ScriptedLoginMatrix {
    static let keyExchanges: [ScriptedCase] = [
        ScriptedCase("another host key's signature", .failure(.kexHostKeySignatureInvalid), impostor),
        ScriptedCase("closed after the new keys", .failure(.kexClosed), ServerScript().on(.keyExchange, .finish)),
        ScriptedCase("closed at the service", .failure(.kexClosed), ServerScript().on(.service, .finish)),
        ScriptedCase("silent at the service", .failure(.kexTimedOut), ServerScript().on(.service)) { $1.connectTimeout = 2 },
        ScriptedCase("a wrong MAC", .failure(.kexProtocolError), ServerScript().on(.service, .wrongMAC)),
        ScriptedCase("garbage", .failure(.kexProtocolError), ServerScript().on(.service, .garbage(512))),
        ScriptedCase(
            "extensions that mean nothing", .success,
            ServerScript().on(.keyExchange, .extensions([("server-sig-algs", "rot13,,"), ("", ""), ("no-flow-control", "p")]))),
        ScriptedCase("chatter", .success, ServerScript().on(.keyExchange, .ignore(1000), .debug("hello"))),
    ]

    private static var impostor: ServerScript {
        var script = ServerScript()
        script.spoilsHostKeySignature = true
        return script
    }

    @Test("scripted key exchanges", arguments: keyExchanges)
    func keyExchange(_ test: ScriptedCase) async throws { try await test.check() }

    private static func password(_ actions: ServerAction...) -> ServerScript {
        ServerScript().asking(for: "password").on(.login("password"), actions)
    }

    private static func login(_ name: String, _ expected: Expected, _ script: ServerScript) -> ScriptedCase {
        ScriptedCase(name, expected, script) { $1.use(password: "the-pw") }
    }

    private static func questions(_ questions: ServerAction...) -> ServerScript {
        ServerScript().asking(for: "keyboard-interactive").on(.login("keyboard-interactive"), questions)
            .on(.answers, .refuseLogin(["keyboard-interactive"], partialSuccess: false))
    }

    /// Asks again after every answer.
    private static func endless(_ prompts: [(String, Bool)]) -> ServerScript {
        let question = ServerAction.ask(instruction: "Again", prompts)
        return ServerScript().asking(for: "keyboard-interactive").on(.login("keyboard-interactive"), question)
            .on(.answers, question)
    }

    static let logins: [ScriptedCase] = [
        ScriptedCase(
            "questions without end, and nothing to answer with",
            .failure(.authInteractionRequired, saying: "One-time password"), endless([("One-time password: ", false)])
        ) { $1.use(password: "the-pw") },
        ScriptedCase(
            "rounds without a question and without end", .failure(.sessionProtocolError, saying: "64 rounds"), endless([])
        ) { $1.use(password: "the-pw") },
        login("taken", .success, password(.accept)),
        login("taken behind banners", .success, password(.banner("Welcome.\n"), .debug("hm"), .banner("\u{1b}[2J"), .accept)),
        login("refused", .failure(.authPasswordRejected), password(.refuseLogin(["password"], partialSuccess: false))),
        login("a new password is wanted", .failure(.authPasswordExpired), password(.wantNewPassword("New password: "))),
        login(
            "one factor of two", .failure(.authMoreFactorsRequired), password(.refuseLogin(["publickey"], partialSuccess: true))),
        login("a method of the server's own", .failure(.authMethodNotOffered), ServerScript().asking(for: "gssapi-with-mic")),
        login(
            "no method", .failure(.authMethodNotOffered),
            ServerScript().on(.login("none"), .refuseLogin([], partialSuccess: false))),
        login(
            "an account that has ended", .failure(.authAccountDenied, saying: "has expired"),
            password(.banner("Your account has expired.\n"), .finish)),
        login(
            "any text, and the end", .failure(.authAccountDenied, saying: "Not today"),
            password(.banner("Not today.\n"), .finish)),
        // There is no row for a FIN: if a busy machine delivers it late, the verdict is the login's time limit. The sweep
        // tests that end, and considers the time.
        login("a reset", .failure(.authConnectionDropped), password(.reset)),
        login("a wrong MAC", .failure(.sessionProtocolError), password(.wrongMAC)),
        login("garbage", .failure(.sessionProtocolError), password(.garbage(512))),
        login(
            "too many tries", .failure(.authTooManyAttempts),
            password(.disconnect(reason: 2, text: "Too many authentication failures"))),
        login("no more methods", .failure(.authTooManyAttempts), password(.disconnect(reason: 14, text: ""))),
        login(
            "no more methods, in other words", .failure(.authPasswordRejected, saying: "No supported"),
            password(.disconnect(reason: 14, text: "No supported authentication methods available"))),
        login(
            "an illegal user", .failure(.authAccountDenied), password(.disconnect(reason: 15, text: "illegal user"))),
        login(
            "a server that goes", .failure(.authConnectionDropped, retry: "backoff", saying: "shutting down"),
            password(.disconnect(reason: 11, text: "shutting down"))),
        login(
            "a server that forbids", .failure(.authConnectionDropped, retry: "never", saying: "blocked"),
            password(.disconnect(reason: 2, text: "Your address is blocked"))),
        ScriptedCase("silent", .failure(.authTimedOut), password()) {
            $1.use(password: "the-pw")
            $1.connectTimeout = 2
        },
        login(
            "two questions, and no person to ask", .failure(.authInteractionRequired, saying: "Token"),
            questions(.ask(instruction: "", [("Token: ", true), ("Password: ", false)]))),
        login(
            "a question that the password does not answer", .failure(.authInteractionRequired, saying: "Your name"),
            questions(.ask(instruction: "Prove it", [("Your name: ", true)]))),
        login(
            "the password's question", .failure(.authKeyboardInteractiveRejected),
            questions(.ask(instruction: "", [("Password: ", false)]))),
    ]

    @Test("a login", arguments: logins)
    func login(_ test: ScriptedCase) async throws { try await test.check() }

    // With libssh2 before 1.11 a server that is not OpenSSH is offered an RSA key twice: with SHA-2, and with SHA-1. Against
    // OpenSSH 8.8 or later, `rsa-sha1-rejected` cannot occur: it accepts the first offer, and never gets the second.
    private static let keysOnly = ServerScript().asking(for: "publickey")
        .on(.keyOffer("rsa-sha2-512"), .refuseLogin(["publickey"], partialSuccess: false))
        .on(.keyOffer("ssh-rsa"), .accept)
    private static let refused = ServerAction.refuseLogin(["publickey"], partialSuccess: false)

    static let keys: [(name: String, kind: TestKeyKind, expected: Expected, script: ServerScript)] = [
        ("SHA-1, refused", .rsa, .failure(.authRSASHA1Rejected), keysOnly.on(.signature("ssh-rsa"), refused)),
        ("SHA-1, taken", .rsa, .success, keysOnly.on(.signature("ssh-rsa"), .accept)),
        (
            "accepted without a signature, then refused", .ed25519, .failure(.authKeyRejected),
            keysOnly.on(.keyOffer("ssh-ed25519"), .accept).on(.signature("ssh-ed25519"), refused)
        ),
        (
            "taken", .ed25519, .success,
            keysOnly.on(.keyOffer("ssh-ed25519"), .accept).on(.signature("ssh-ed25519"), .accept)
        ),
        ("let in without a signature", .ed25519, .success, keysOnly.on(.keyOffer("ssh-ed25519"), .message(52, []))),
        (
            "let in half", .ed25519, .failure(.authMoreFactorsRequired),
            keysOnly.on(.keyOffer("ssh-ed25519"), .accept)
                .on(.signature("ssh-ed25519"), .refuseLogin(["password"], partialSuccess: true))
        ),
        (
            "dropped at the signature", .ed25519, .failure(.authConnectionDropped),
            keysOnly.on(.keyOffer("ssh-ed25519"), .accept).on(.signature("ssh-ed25519"), .finish)
        ),
    ]

    @Test("scripted answers to a key", arguments: keys)
    func key(_ row: (name: String, kind: TestKeyKind, expected: Expected, script: ServerScript)) async throws {
        let test = ScriptedCase(row.name, row.expected, row.script) { scratch, testRun in
            testRun.identities = [try await TestKey.make(row.kind).write(to: scratch, as: "id")]
        }
        try await test.check()
    }

    @Test("a method that the server keeps offering is tried once") func endless() async throws {
        let script = Self.password(.refuseLogin(["password"], partialSuccess: false))
        try await ScriptedServer.run(script) { server in
            var testRun = server.testRun()
            testRun.use(password: "the-pw")
            let (error, _) = try await testRun.byLibrary()
            #expect(error?.code == .authPasswordRejected)
            #expect(server.count(of: .login("password")) == 1)
        }
    }
}
