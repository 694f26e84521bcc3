import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite("SFTP's conversation")
struct SFTPConversationTests {
    /// A packet of a server: its length, its type, and what follows.
    static func packet(_ type: UInt8, _ fill: (inout SSHWireWriter) -> Void = { _ in }) -> [UInt8] {
        var body = SSHWireWriter()
        body.byte(type)
        fill(&body)
        var packet = SSHWireWriter()
        packet.string(body.bytes)
        return packet.bytes
    }

    static func status(_ id: UInt32, _ code: UInt32) -> [UInt8] {
        packet(101) {
            $0.uint32(id)
            $0.uint32(code)
            $0.string("so")
            $0.string("en")
        }
    }

    /// A conversation with these requests under way, whose ids are 1, 2, …
    static func conversation(_ requests: SFTPRequest...) -> SFTPConversation {
        var conversation = SFTPConversation()
        for request in requests { _ = conversation.register(request) }
        return conversation
    }

    @Test("answers find their requests in any order, however the stream is cut")
    func anyOrder() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var conversation = SFTPConversation()
            let ids = (0..<20).map { _ in conversation.register(.stat("/x")) }
            var rest = ids.shuffled(using: &generator).flatMap { Self.status($0, $0 % 9) }[...]
            var answered: [UInt32: UInt32] = [:]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
                rest = rest.dropFirst(piece.count)
                conversation.received(ByteBuffer(bytes: piece))
                while let (id, reply) = try conversation.next() {
                    guard case .status(let code, "so") = reply else { throw SFTPProtocolViolation("another reply") }
                    answered[id] = code
                }
            }
            #expect(answered == Dictionary(uniqueKeysWithValues: ids.map { ($0, $0 % 9) }))
            #expect(conversation.outstanding == 0)
        }
    }

    static let breaches: [(String, [UInt8])] = [
        ("an id that was never given", status(9, 0)),
        ("an answer given twice", status(1, 0) + status(1, 0)),
        ("a length of nothing", [0, 0, 0, 0, 101]),
        ("a length beyond every limit", [0xFF, 0xFF, 0xFF, 0xFF, 101]),
        ("text of a login script", Array("Welcome to web1!\n".utf8)),
        ("an invalid type", packet(77) { $0.uint32(1) }),
        (
            "a handle for a read",
            packet(102) {
                $0.uint32(1); $0.string("h")
            }
        ),
        (
            "more data than was asked for",
            packet(103) {
                $0.uint32(1); $0.string([UInt8](repeating: 0, count: 101))
            }
        ),
        (
            "no data at all",
            packet(103) {
                $0.uint32(1); $0.string([UInt8]())
            }
        ),
        (
            "data that end early",
            packet(103) {
                $0.uint32(1); $0.uint32(50); $0.byte(0)
            }
        ),
        (
            "a listing of no names",
            packet(104) {
                $0.uint32(2); $0.uint32(0)
            }
        ),
        (
            "a listing of names that are not there",
            packet(104) {
                $0.uint32(2); $0.uint32(0xFFFF_FFFF)
            }
        ),
        (
            "a handle too long",
            packet(102) {
                $0.uint32(3); $0.string([UInt8](repeating: 0, count: 257))
            }
        ),
        (
            "a file larger than any",
            packet(105) {
                $0.uint32(4); $0.uint32(1); $0.uint64(.max)
            }
        ),
        (
            "extended attributes that are not there",
            packet(105) {
                $0.uint32(4); $0.uint32(0x8000_0000); $0.uint32(.max)
            }
        ),
        ("a status without a code", packet(101) { $0.uint32(1) }),
    ]

    @Test("protocol violations are recognised", arguments: breaches)
    func breach(name: String, bytes: [UInt8]) {
        var conversation = Self.conversation(
            .read([1], 0..<100, path: ""), .readdir([1], path: ""), .opendir("/"), .stat("/"))
        conversation.received(ByteBuffer(bytes: bytes))
        #expect(throws: SFTPProtocolViolation.self, "\(name)") { while try conversation.next() != nil {} }
    }

    // MARK: Handles

    private static func handle(_ id: UInt32, _ handle: String) -> [UInt8] {
        packet(102) {
            $0.uint32(id); $0.string(handle)
        }
    }

    private enum Step {
        case ask(SFTPRequest)
        case answer([UInt8])
    }

    /// - Returns: whether no answer was refused.
    private static func holds(_ steps: [Step]) throws -> Bool {
        var conversation = SFTPConversation()
        for step in steps {
            switch step {
            case .ask(let request): _ = conversation.register(request)
            case .answer(let bytes): conversation.received(ByteBuffer(bytes: bytes))
            }
            do {
                while try conversation.next() != nil {}
            } catch let breach as SFTPProtocolViolation {
                #expect(breach.problem == SSHFileProblem.sharedHandle)
                return false
            }
        }
        return true
    }

    @Test("a handle belongs to one open file")
    func handles() throws {
        let (open, list) = (SFTPRequest.open("/x", .read), SFTPRequest.opendir("/"))
        let close = SFTPRequest.close([104], path: "")
        #expect(try Self.holds([.ask(open), .ask(list), .answer(Self.handle(1, "h")), .answer(Self.handle(2, "i"))]))
        #expect(try !Self.holds([.ask(open), .ask(list), .answer(Self.handle(1, "h")), .answer(Self.handle(2, "h"))]))
        // Once it is closed, the server may give it to another file.
        #expect(
            try Self.holds([.ask(open), .answer(Self.handle(1, "h")), .ask(close), .ask(open), .answer(Self.handle(3, "h"))]))
        // A server that answers in order cannot have given it to an earlier requested file.
        #expect(
            try !Self.holds([.ask(open), .ask(open), .answer(Self.handle(1, "h")), .ask(close), .answer(Self.handle(2, "h"))]))
        // This holds however many files were closed in the meantime.
        var steps: [Step] = [.ask(open)]
        for number in 0..<5000 as Range<UInt32> {
            let name = "n\(number)"
            steps += [.ask(open), .answer(Self.handle(2 * number + 2, name)), .ask(.close(Array(name.utf8), path: ""))]
        }
        #expect(try !Self.holds(steps + [.answer(Self.handle(1, "n4999"))]))
        #expect(try Self.holds(steps + [.answer(Self.handle(1, "m"))]))
    }

    @Test("random bytes are a violation or incomplete, never anything else")
    func noise() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3000 {
            var conversation = Self.conversation(.read([1], 0..<100, path: ""), .readdir([1], path: ""), .stat("/"))
            var bytes =
                [
                    Self.status(1, 0),
                    Self.packet(104) {
                        $0.uint32(2); $0.uint32(1)
                    }, Self.packet(105) { $0.uint32(3) },
                ]
                .randomElement(using: &generator) ?? []
            for _ in 0...Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: 4..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            conversation.received(ByteBuffer(bytes: bytes))
            do {
                while try conversation.next() != nil {}
            } catch {
                #expect(error is SFTPProtocolViolation)
            }
        }
    }

    @Test("the version comes with its extensions, and nothing else may come first")
    func version() throws {
        var conversation = SFTPConversation()
        let bytes = Self.packet(2) {
            $0.uint32(3)
            $0.string("limits@openssh.com")
            $0.string("1")
        }
        conversation.received(ByteBuffer(bytes: bytes.dropLast()))
        #expect(try conversation.version() == nil)
        conversation.received(ByteBuffer(bytes: bytes.suffix(1)))
        let version = try #require(try conversation.version())
        #expect(version.number == 3)
        #expect(version.extensions["limits@openssh.com"] == [UInt8(ascii: "1")])

        var other = SFTPConversation()
        other.received(ByteBuffer(bytes: Self.status(1, 0)))
        #expect(throws: SFTPProtocolViolation.self) { try other.version() }
    }

    @Test("attributes survive encoding")
    func attributes() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var attributes = SFTPAttributes()
            if Bool.random(using: &generator) { attributes.size = .random(in: 0...UInt64(Int64.max), using: &generator) }
            if Bool.random(using: &generator) { attributes.owner = .init(user: 1, group: .max) }
            if Bool.random(using: &generator) { attributes.mode = .random(in: 0...0o177777, using: &generator) }
            if Bool.random(using: &generator) { attributes.times = .init(access: 5, modification: 7) }
            var writer = SSHWireWriter()
            attributes.write(to: &writer)
            var reader = SSHWireReader(writer.bytes)
            #expect(try SFTPAttributes(from: &reader) == attributes)
            #expect(reader.isAtEnd)
        }
    }

    @Test("a handle that was closed after a file was requested is not that file's, after any number of others")
    func closedHandles() {
        var handles = SFTPHandles()
        let all = (0...1024).map { Array("\($0)".utf8) }
        for (place, handle) in all.enumerated() {
            let isOwn = handles.open(handle, by: 2 * place)
            #expect(isOwn)
            handles.close(handle, at: 2 * place + 1)
        }
        // The older half is forgotten when there are too many.
        let (isRecent, isLater) = (handles.open(all[600], by: 0), handles.open(all[600], by: 1202))
        #expect(!isRecent && isLater)
    }
}
