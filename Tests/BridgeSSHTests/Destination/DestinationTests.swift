import BridgeSSH
import SSHTestSupport
import Testing

@Suite struct DestinationTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let text: String
        let user: String?
        let host: String
        let port: Int?
        init(_ text: String, _ user: String?, _ host: String, _ port: Int?) {
            (self.text, self.user, self.host, self.port) = (text, user, host, port)
        }
        var testDescription: String { text }
    }

    @Test(
        "a destination is read",
        arguments: [
            Accepted("web1", nil, "web1", nil),
            Accepted("web1:2222", nil, "web1", 2222),
            Accepted("web1:022", nil, "web1", 22),
            Accepted("web1:65535", nil, "web1", 65535),
            Accepted("deploy@web1", "deploy", "web1", nil),
            Accepted("a@b@web1:1", "a@b", "web1", 1),
            Accepted("DOMAIN\\John Smith@web1", "DOMAIN\\John Smith", "web1", nil),
            Accepted("jump:SSH:x@web1", "jump:SSH:x", "web1", nil),
            Accepted("host.example.", nil, "host.example.", nil),
            Accepted("under_score.example", nil, "under_score.example", nil),
            Accepted("bücher.example", nil, "bücher.example", nil),
            Accepted("127.0.0.1:22", nil, "127.0.0.1", 22),
            Accepted("::1", nil, "::1", nil),
            Accepted("::1:22", nil, "::1:22", nil),
            Accepted("root@::1", "root", "::1", nil),
            Accepted("[::1]", nil, "::1", nil),
            Accepted("[::1]:2222", nil, "::1", 2222),
            Accepted("root@[2001:db8::1]:22", "root", "2001:db8::1", 22),
            Accepted("[web1]:2222", nil, "web1", 2222),
            Accepted("fe80::1%eth0", nil, "fe80::1%eth0", nil),
            Accepted("[fe80::1%eth0]:22", nil, "fe80::1%eth0", 22),
            Accepted("::ffff:192.0.2.1", nil, "::ffff:192.0.2.1", nil),
            Accepted("ssh://web1", nil, "web1", nil),
            Accepted("SSH://web1/", nil, "web1", nil),
            Accepted("ssh://deploy@web1:2222", "deploy", "web1", 2222),
            Accepted("ssh://de%40ploy@web1", "de@ploy", "web1", nil),
            Accepted("ssh://deploy;fingerprint=x@web1", "deploy", "web1", nil),
            Accepted("ssh://[::1]:22", nil, "::1", 22),
            Accepted("ssh://u@[fe80::1%25eth0]:22/", "u", "fe80::1%eth0", 22),
            Accepted("ssh://[fe80::1%eth0]", nil, "fe80::1%eth0", nil),
            Accepted(String(repeating: "a", count: 63) + ".x", nil, String(repeating: "a", count: 63) + ".x", nil),
        ])
    func aDestinationIsRead(_ row: Accepted) throws {
        let destination = try SSHDestination(parsing: row.text)
        #expect(destination.user == row.user)
        #expect(destination.host == row.host)
        #expect(destination.port == row.port)
        let again = try SSHDestination(parsing: destination.description)
        #expect(again == destination)
    }

    private static let refused: [(String, SSHDestinationProblem.Code)] = [
        ("", .emptyHost), ("user@", .emptyHost), (":22", .emptyHost), ("[]:22", .emptyHost), ("ssh://", .emptyHost),
        ("ssh://u@", .emptyHost), ("@web1", .emptyUser), ("ssh://@web1", .emptyUser),
        ("-oProxyCommand=x", .leadingHyphen), ("u@-web1", .leadingHyphen), ("[-x]:22", .leadingHyphen),
        ("web1:0", .portOutOfRange), ("web1:65536", .portOutOfRange), ("web1:99999999999999999999", .portOutOfRange),
        ("web1:", .portNotANumber), ("web1:ssh", .portNotANumber), ("web1:-1", .portNotANumber), ("web1:+22", .portNotANumber),
        ("web1:٢٢", .portNotANumber), ("[::1]:", .portNotANumber),
        ("web1:22:33", .notAnAddress), ("1:2:3", .notAnAddress), ("[::g]:22", .notAnAddress), ("fe80::1%", .notAnAddress),
        ("[web1:22]", .notAnAddress),
        ("[::1", .unbalancedBrackets), ("::1]", .unbalancedBrackets), ("[::1]22", .unbalancedBrackets),
        ("we[b1]", .unbalancedBrackets), ("[[::1]]:22", .unbalancedBrackets),
        ("web 1", .space), ("web1 ", .space), ("web\u{A0}1", .space),
        ("web\n1", .controlCharacter), ("web\u{1B}[31m", .controlCharacter), ("we\u{202E}b", .controlCharacter),
        ("web\u{7F}", .controlCharacter), ("u\u{0}@web1", .controlCharacter), ("u\r@web1", .controlCharacter),
        ("*", .forbiddenCharacter), ("a,b", .forbiddenCharacter), ("!web1", .forbiddenCharacter), ("a|b", .forbiddenCharacter),
        ("`id`", .forbiddenCharacter), ("$(id)", .forbiddenCharacter), ("http://web1", .unsupportedScheme),
        ("web1/x", .forbiddenCharacter),
        ("a..b", .emptyLabel), (".a", .emptyLabel), (".", .emptyLabel), ("a..", .emptyLabel),
        (String(repeating: "a", count: 64) + ".x", .labelTooLong), (String(repeating: "ü", count: 32), .labelTooLong),
        (String(repeating: "a.", count: 126) + "ab", .nameTooLong),
        ("ssh://web1/path", .pathInURL), ("ssh://web1?x", .pathInURL), ("ssh://u:p@web1", .passwordInURL),
        ("ssh://u%4@web1", .percentEncoding), ("ssh://u%ff@web1", .percentEncoding),
        ("ssh://u%0a@web1", .controlCharacter), ("ssh://we%20b", .space),
    ]

    @Test("an invalid destination is refused", arguments: refused)
    func whatCannotBeADestination(text: String, code: SSHDestinationProblem.Code) throws {
        let problem = try #require(throws: SSHDestinationProblem.self) { try SSHDestination(parsing: text) }
        #expect(problem.code == code)
        #expect(!problem.message.isEmpty && !problem.remedy.isEmpty)
        #expect(!problem.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("the longest name that DNS allows is accepted") func theLongestNameThatDNSAllows() throws {
        let longest = String(repeating: "a.", count: 126) + "a"
        #expect(longest.utf8.count == 253)
        #expect(try SSHDestination(parsing: longest).host == longest)
        #expect(try SSHDestination(parsing: longest + ".").host == longest + ".")
    }

    @Test(
        "a password in a URL is never shown",
        arguments: [
            "ssh://u:hunter2@web1", "ssh://u:hunt/er2@web1", "ssh://u:hunter2@x@web1:99999", "SSH://u;p=1:hunter2@-x",
            "http://u:hunter2@x",
        ])
    func aPasswordInAURL(text: String) throws {
        let problem = try #require(throws: SSHDestinationProblem.self) { try SSHDestination(parsing: text) }
        #expect([.passwordInURL, .unsupportedScheme].contains(problem.code))
        for shown in [problem.input, problem.description, "\(problem)", String(reflecting: problem)] {
            #expect(!shown.contains("hunt") && !shown.contains("er2"))
        }
    }

    @Test("a user may have a colon: bastions take the target from it") func userWithColon() throws {
        #expect(try SSHDestination(parsing: "me:web2@bastion:2222").user == "me:web2")
    }

    @Test("separate parts are checked like a whole text") func partsAreCheckedAsAText() throws {
        #expect(try SSHDestination(user: "u", host: "[::1]", port: 22) == SSHDestination(parsing: "u@[::1]:22"))
        #expect(throws: SSHDestinationProblem.self) { try SSHDestination(host: "web1", port: 0) }
        #expect(throws: SSHDestinationProblem.self) { try SSHDestination(user: "", host: "web1") }
        #expect(throws: SSHDestinationProblem.self) { try SSHDestination(host: "we[b1") }
    }

    @Test("a code matches in a catch") func aCodeMatchesInACatch() {
        do {
            _ = try SSHDestination(parsing: "web1:0")
            Issue.record("port 0 was accepted")
        } catch SSHDestinationProblem.Code.emptyHost {
            Issue.record("the wrong code matched")
        } catch SSHDestinationProblem.Code.portOutOfRange {
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("any text is a destination that reads back the same, or a problem", arguments: 0..<40)
    func anyTextIsADestination(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "web1", "@", ":", "[", "]", "::1", "22", ".", "-", "%", "ssh://", "/", " ", "ü", "\n", "*", "fe80::", "99999",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
            guard let destination = try? SSHDestination(parsing: text) else { continue }
            guard destination.user?.hasPrefix("ssh://") != true else { continue }
            #expect((try? SSHDestination(parsing: destination.description)) == destination, "\(text)")
        }
    }
}
