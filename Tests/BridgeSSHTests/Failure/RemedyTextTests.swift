import BridgeSSH
import ErrorCore
import Foundation
import Testing

@testable import SSHFailure

/// Remedies as values: the commands in them that can be typed, and their certainty.
@Suite struct RemedyTextTests {
    private static let path = "/home/a b"
    private static let text: RemedyText = """
        \(commandLine: "Run in a terminal", library: "Give an SSHInteraction"), give \(option: .passwordFile, "FILE"), or type \
        \(run: "chmod 600 \(path.shellWord)"); \(setting: "MaxAuthTries") decides, and \(setting: .timeout, isQuoted: false).
        """

    @Test("a remedy is rendered for the command line and for the library") func itIsRenderedForBoth() {
        #expect(
            Self.text.commandLine == """
                Run in a terminal, give `--password-file FILE`, or type `chmod 600 '/home/a b'`; MaxAuthTries decides, and --timeout.
                """)
        #expect(
            Self.text.library == """
                Give an SSHInteraction, give `SSHCredentials.password`, or type `chmod 600 '/home/a b'`; MaxAuthTries decides, and \
                SSHCommandOptions.timeout.
                """)
        #expect(Self.text.commandLineRemedies.map(\.kind) == [.option, .command, .setting, .setting])
        #expect(Self.text.libraryRemedies.map(\.kind) == [.setting, .command, .setting, .setting])
        #expect(Self.text.commandLineRemedies.map(\.applicability) == [.placeholders, .asIs, nil, nil])
        #expect(RemedyText("").isEmpty && ("" as RemedyText).isEmpty && RemedyText("`ls`").commandLineRemedies.isEmpty)
    }

    @Test(
        "placeholders are seen",
        arguments: [
            ("ssh-add", .asIs), ("ssh-add -X", .asIs), ("ssh-keygen -R web1 -f /K", .asIs), ("chmod 600 KEY.pub", .placeholders),
            ("ssh -p 2222 USER@HOST", .placeholders), ("--prompt REGEX", .placeholders), ("ls '/a…'", .placeholders),
            ("nc -x •••", .placeholders), ("ls @", .asIs), ("nc -x AB", .asIs), ("nc -x ABC", .placeholders),
            ("Ciphers +aes256-ctr", .asIs),
        ] as [(String, SSHRemedy.Applicability)])
    func placeholdersAreSeen(_ text: String, _ applicability: SSHRemedy.Applicability) {
        #expect(SSHRemedy(.command, text).applicability == applicability)
        #expect(SSHRemedy(.command, text, .mayBeWrong).applicability == (applicability == .asIs ? .mayBeWrong : applicability))
    }

    /// Every text in backquotes is a value, and every value appears in the text.
    @Test("only values become commands", arguments: ClassifierTable.everything) func nothingIsTypedButValues(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        for (text, remedies) in [
            (error.remedy, error.remedyText.commandLineRemedies), (error.hint.replacing("`run` may", with: ""), error.remedies),
        ] {
            let quoted = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            for (_, words) in quoted {
                #expect(remedies.contains { $0.text == words } || row.evidence.setting != nil, "\(words) in \(text)")
            }
            for remedy in remedies {
                #expect(text.contains(remedy.text) && !remedy.text.isEmpty)
                #expect((remedy.applicability == nil) == (remedy.kind == .setting))
                #expect(remedy.file == nil || remedy.place == .server)
            }
        }
    }

    static let expected: [(SSHEvidence, [String])] = [
        (
            Seen.login { $0.methodsHeld = [] },
            [
                #"{"option":"--identity FILE","applicability":"placeholders","place":"here"}"#,
                #"{"command":"ssh-add","applicability":"as-is","place":"here"}"#,
                #"{"option":"--password-file FILE","applicability":"placeholders","place":"here"}"#,
            ]
        ),
        (
            Seen.hostKey(.changed(presented: "SHA256:new", known: [])),
            [
                #"{"command":"bridge-ssh trust --update web1","applicability":"may-be-wrong","place":"here"}"#,
                #"{"command":"ssh-keygen -R web1","applicability":"may-be-wrong","place":"here"}"#,
            ]
        ),
        (
            Seen.that(.requestRefused(.subsystem), at: .channel),
            [#"{"line":"Subsystem sftp internal-sftp","applicability":"as-is","place":"server","file":"sshd_config"}"#]
        ),
        (
            Seen.said("exceeded MaxStartups\r\n"),
            [#"{"setting":"MaxStartups","place":"server","file":"sshd_config"}"#]
        ),
        (Seen.that(.closed(problem: "x"), at: .local), []),
    ]

    @Test("an error's JSON has the remedies", arguments: expected) func anErrorsJSONHasThem(
        _ evidence: SSHEvidence, _ remedies: [String]
    ) {
        let json = String(decoding: SSHFailureClassifier.classify(evidence).json.bytes, as: UTF8.self)
        #expect(json.contains(#","remedies":[\#(remedies.joined(separator: ","))],"#), "\(json)")
    }

    @Test("a secret in a command is masked") func aSecretInACommandIsMasked() throws {
        let command = "sshpass --password=hunter2 nc web1 22"
        let error = SSHFailureClassifier.classify(
            Seen.that(.proxyFailed(command: command, exitStatus: 1, standardError: ""), at: .connect))
        #expect(error.remedies.map(\.text) == [command] && error.remedies[0].applicability == .asIs)
        let json = String(decoding: error.remedyText.json.bytes, as: UTF8.self)
        #expect(!json.contains("hunter2") && json.contains(#""applicability":"placeholders""#), "\(json)")
        let decoded = try JSONDecoder().decode(SSHError.self, from: JSONEncoder().encode(error))
        #expect(decoded.remedies.map(\.applicability) == [.placeholders] && !decoded.hint.contains("hunter2"))
    }

    /// A journal has the errors of earlier versions, and an earlier version may read it.
    @Test("a remedy is encoded for every version") func itIsEncodedForEveryVersion() throws {
        let error = SSHFailureClassifier.classify(Seen.login { $0.methodsHeld = [] })
        let data = try JSONEncoder().encode(error)
        let read = try JSONDecoder().decode(SSHError.self, from: data)
        #expect(read == error && read.hint == error.hint && read.remedies == error.remedies && !error.remedies.isEmpty)
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["hint"] as? String == error.remedy)
        object["remedy"] = nil
        for parts in [nil, "parts of a later version"] {
            object["remedy"] = parts
            let old = try JSONDecoder().decode(SSHError.self, from: JSONSerialization.data(withJSONObject: object))
            #expect(old.remedy == error.remedy && old.hint == error.remedy && old.remedies.isEmpty)
        }
    }

    @Test("truncated text is not a command") func whatIsCutIsNoCommand() {
        let long = String(repeating: "x", count: 5000)
        let error = SSHError(.localClosed, message: "x", remedy: "Look at \(long): \(run: "ls")")
        #expect(error.remedies.isEmpty && error.hint.hasSuffix("…") && error.hint == error.remedy)
        let strange = SSHError(.localClosed, message: "x", remedy: "See \(run: "ls \u{1B}")")
        #expect(strange.remedies == [SSHRemedy(.command, #"ls \x1b"#, .mayBeWrong)])
    }

    @Test("the library's members that remedies name exist") func aMemberOfTheLibraryIsOneOfATypeThatExists() {
        let types: [Any.Type] = [
            SSHCommandOptions.self, SSHCredentials.self, SSHTimeouts.self, SFTPCopyOptions.self, SSHShellOptions.self,
        ]
        let names = Set(types.map { "\($0)" })
        for option in RemedyOption.allCases {
            guard let member = option.member, member.contains(".") else { continue }
            #expect(names.contains(String(member.prefix { $0 != "." })), "\(member)")
        }
    }

    @Test("a code of libssh2 has its name") func aCodeOfLibssh2HasItsName() {
        #expect(LibraryError(code: 0) == .noError && LibraryError(code: -1) == .socketNone)
        #expect(LibraryError(code: -37) == .again && LibraryError(code: -43)?.rawValue == "SOCKET_RECV")
        #expect(LibraryError(code: -55) == .storeOverflow && LibraryError(code: -56) == nil && LibraryError(code: 1) == nil)
    }
}
