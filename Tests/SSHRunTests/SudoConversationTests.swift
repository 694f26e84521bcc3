import BridgeSSH
import Synchronization
import Testing

@testable import SSHRun

/// sudo's prompts arrive in any pieces, and similar text may not be a prompt.
@Suite("The conversation with sudo") struct SudoConversationTests {
    private static let prompt = "bridge-ssh-sudo-n-password\n"
    private static let marker = "bridge-ssh-sudo-n-started\n"

    /// The bytes sent to sudo and the standard error passed on, if standard error arrives in these pieces.
    private static func talk(
        _ pieces: [[UInt8]], _ permit: any SudoPermit = RunSudo(SudoPassword(SSHSecret("pw"))),
        password: SudoPassword = SudoPassword(SSHSecret("pw"))
    ) async throws -> (sent: String, passed: String, note: String?) {
        let passed = Kept()
        let rest = Mutex<[UInt8]?>(Array("input".utf8))
        let conversation = SudoConversation(
            permit, password: password, KnownSecrets(),
            input: {
                rest.withLock { piece in
                    defer { piece = nil }
                    return piece
                }
            }, to: passed, nonce: "n")
        for piece in pieces { try await conversation.write(SSHOutputChunk(copying: piece, stream: .standardError)) }
        await conversation.flush()
        var sent: [UInt8] = []
        while let piece = try await conversation.nextInput() { sent += piece }
        return (String(decoding: sent, as: UTF8.self), passed.text, conversation.note)
    }

    private static let said = "lecture\n\(prompt)\(marker)bridge-ssh-sudo-n-\(prompt)out\n"

    @Test("split into any two pieces or into single bytes, the output leads to the same bytes")
    func pieces() async throws {
        let bytes = Array(Self.said.utf8)
        let splits = (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
        for split in splits {
            let (sent, passed, note) = try await Self.talk(split)
            #expect(sent == "pw\ninput" && note == nil)
            // Once the command runs, all output is its own.
            #expect(passed == "lecture\nbridge-ssh-sudo-n-\(Self.prompt)out\n")
        }
    }

    @Test("without a question the command gets its input at once") func noQuestion() async throws {
        #expect(try await Self.talk([Array("\(Self.marker)x".utf8)]) == ("input", "x", nil))
    }

    @Test("a second question is a refusal: nothing more is sent, also at the next attempt") func refused() async throws {
        let permit = RunSudo(SudoPassword(SSHSecret("pw")))
        let first = try await Self.talk([Array("\(Self.prompt)Sorry\n\(Self.prompt)".utf8)], permit)
        #expect(first == ("pw\n", "Sorry\n", nil))
        let second = try await Self.talk([Array(Self.prompt.utf8)], permit)
        #expect(second.sent.isEmpty && second.note?.contains("an earlier attempt") == true)
        let noted = NotedAnswers()
        _ = try await Self.talk([Array((Self.prompt + Self.prompt).utf8)], noted)
        _ = try await Self.talk([Array((Self.prompt + Self.marker).utf8)], noted)
        #expect(noted.answers == [false, true])
    }

    @Test("a password that was sent and not answered is not sent again; an accepted one is") func attempts() async throws {
        let lost = RunSudo(SudoPassword(SSHSecret("pw")))
        _ = try await Self.talk([Array(Self.prompt.utf8)], lost)
        #expect(try await Self.talk([Array(Self.prompt.utf8)], lost).sent.isEmpty)
        let good = RunSudo(SudoPassword(SSHSecret("pw")))
        _ = try await Self.talk([Array((Self.prompt + Self.marker).utf8)], good)
        #expect(try await Self.talk([Array((Self.prompt + Self.marker).utf8)], good).sent == "pw\ninput")
    }

    @Test("a password that was not given was not sent, so the next attempt may ask again") func declined() async throws {
        let permit = RunSudo(SudoPassword(SSHSecret("pw")))
        let none = try await Self.talk([Array(Self.prompt.utf8)], permit, password: SudoPassword(asking: { nil }))
        #expect(none.sent.isEmpty && none.note?.contains("none was typed") == true)
        #expect(try await Self.talk([Array((Self.prompt + Self.marker).utf8)], permit).sent == "pw\ninput")
    }

    @Test("a partial prompt at the end of the output belongs to the command") func cutShort() async throws {
        #expect(try await Self.talk([Array("\(Self.prompt.prefix(9))".utf8)]).passed == String(Self.prompt.prefix(9)))
    }

    @Test("an unneeded question is withdrawn") func abandoned() async throws {
        let taken = Mutex(false)
        let (asked, hasAsked) = AsyncStream.makeStream(of: Void.self)
        let password = SudoPassword(asking: {
            hasAsked.finish()
            do { try await Task.sleep(for: .seconds(3600)) } catch {
                taken.withLock { $0 = true }
                throw error
            }
            return nil
        })
        let conversation = SudoConversation(
            RunSudo(password), password: password, KnownSecrets(), input: { nil }, to: NoOutput(), nonce: "n")
        async let writing: Void = conversation.write(
            SSHOutputChunk(copying: Array(Self.prompt.utf8), stream: .standardError))
        for await _ in asked {}
        conversation.abandon()
        try await writing
        #expect(taken.withLock { $0 })
    }
}

/// Keeps its input.
private final class Kept: OutputSink {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    func write(_ chunk: SSHOutputChunk) { bytes.withLock { $0 += chunk.bytes } }
    func abandon() {}
    var isAbandoned: Bool { false }
    var idleTime: Duration? { .zero }
}

/// Allows every answer, and keeps whether sudo accepted it.
private final class NotedAnswers: SudoPermit {
    private let kept = Mutex<[Bool]>([])

    var answers: [Bool] { kept.withLock { $0 } }
    func mayAnswer() -> SudoDecision { .offered }
    func answered(accepted: Bool) { kept.withLock { $0.append(accepted) } }
    func unused() {}
    func withheld(reason: String) {}
}
