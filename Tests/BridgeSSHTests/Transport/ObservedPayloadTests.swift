import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

/// The messages that libssh2 discards, read from buffers that end in padding and space for a MAC.
@Suite struct ObservedPayloadTests {
    private func read(_ bytes: [UInt8]) -> ObservedPayload? {
        bytes.withUnsafeBytes { ObservedPayload($0) }
    }

    private func message(_ type: UInt8, _ build: (inout SSHWireWriter) -> Void) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.byte(type)
        build(&writer)
        return writer.bytes
    }

    /// The beginning of a key's blob.
    private static func key(_ type: String) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.string(type)
        writer.string([UInt8](repeating: 7, count: 32))
        return writer.bytes
    }

    @Test("announced host keys are read up to the first invalid one, and other global requests are not")
    func hostKeys() {
        let keys = ["ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256"].map(Self.key)
        func announcing(_ name: String, _ keys: [[UInt8]]) -> [UInt8] {
            message(80) { writer in
                writer.string(name)
                writer.boolean(false)
                for key in keys { writer.string(key) }
            }
        }
        let name = "hostkeys-00@openssh.com"
        #expect(read(announcing(name, keys)) == .hostKeys(keys))
        let padding = (0..<48).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        #expect(read(announcing(name, keys) + padding) == .hostKeys(keys))
        #expect(read(announcing(name, [])) == nil)
        #expect(read(announcing(name, [Self.key("no-such-type")])) == nil)
        #expect(read(announcing("keepalive@openssh.com", keys)) == nil)
        let many = [[UInt8]](repeating: keys[0], count: 100)
        #expect(read(announcing(name, many)) == nil)
    }

    @Test("signatures are read up to the first that is invalid, and other answers to global requests are not")
    func signatures() {
        let signatures = ["ssh-ed25519", "rsa-sha2-512"].map(Self.key)
        let answer = message(81) { for signature in signatures { $0.string(signature) } }
        #expect(read(answer) == .signatures(signatures))
        #expect(read(answer + [UInt8](repeating: 0xa5, count: 40)) == .signatures(signatures))
        #expect(read(Array(answer.dropLast(8))) == .signatures([signatures[0]]) || read(Array(answer.dropLast(8))) == nil)
        #expect(read(message(81) { _ in }) == nil)
        #expect(read(message(81) { $0.uint32(22) }) == nil)
    }

    private var exitStatus: [UInt8] {
        message(98) {
            $0.uint32(7)
            $0.string("exit-status")
            $0.boolean(false)
            $0.uint32(255)
        }
    }

    private var messages: [([UInt8], ObservedPayload)] {
        [
            (exitStatus, .exitStatus(7, 255)),
            (
                message(98) {
                    $0.uint32(1)
                    $0.string("exit-signal")
                    $0.boolean(false)
                    $0.string("SEGV")
                    $0.boolean(true)
                    $0.string("ouch")
                    $0.string("en")
                }, .exitSignal(1, SSHExitSignal(name: "SEGV", coreDumped: true, message: "ouch"))
            ),
            (
                message(51) {
                    $0.string("publickey,password")
                    $0.boolean(true)
                }, .authenticationFailure(methods: ["publickey", "password"], partialSuccess: true)
            ),
            (
                message(53) {
                    $0.string("Grüße\n")
                    $0.string("")
                }, .authenticationBanner("Grüße\n")
            ),
            (
                message(91) {
                    $0.uint32(3)
                    $0.uint32(9)
                    $0.uint32(2 << 20)
                    $0.uint32(32768)
                }, .channelOpened(3, theirs: 9)
            ),
            (
                message(92) {
                    $0.uint32(4)
                    $0.uint32(2)
                    $0.string("open failed")
                    $0.string("")
                }, .channelOpenFailed(4, reason: 2, description: "open failed")
            ),
            (message(82) { _ in }, .globalRequestRefused),
            (message(96) { $0.uint32(5) }, .endOfData(5)),
            (message(97) { $0.uint32(6) }, .channelClosed(6)),
        ]
    }

    @Test("each message is read with any padding") func readsEachWithAnyPadding() {
        for (bytes, expected) in messages {
            for padding in [0, 4, 19, 255, 319] {
                #expect(read(bytes + [UInt8](repeating: 0xa5, count: padding)) == expected)
            }
        }
    }

    @Test("keeps the beginning of a long text") func keepsTheBeginningOfALongText() {
        let text = String(repeating: "t", count: 30_000)
        let signal = message(98) {
            $0.uint32(1)
            $0.string("exit-signal")
            $0.boolean(false)
            $0.string("KILL")
            $0.boolean(false)
            $0.string(text)
            $0.string(text)
        }
        let failure = message(92) {
            $0.uint32(4)
            $0.uint32(2)
            $0.string(text)
            $0.string(text)
        }
        let kept = String(text.prefix(4096))
        for padding in [0, 255] {
            let tail = [UInt8](repeating: 0xa5, count: padding)
            #expect(read(signal + tail) == .exitSignal(1, SSHExitSignal(name: "KILL", coreDumped: false, message: kept)))
            #expect(read(failure + tail) == .channelOpenFailed(4, reason: 2, description: kept))
        }
    }

    @Test("excessive padding is refused") func refusesWhatIsTooLongForPadding() {
        for (bytes, _) in messages {
            #expect(read(bytes + [UInt8](repeating: 0, count: 320)) == nil)
        }
    }

    /// The lengths have arrived; the rest of the buffer is still empty.
    @Test("an incomplete banner is refused") func refusesABannerThatNeverCameWhole() {
        let whole = message(53) {
            $0.string("Closed for maintenance\n")
            $0.string("")
        }
        for count in 5..<(whole.count - 5) {
            let zeros = [UInt8](repeating: 0, count: whole.count - count + 40)
            #expect(read(Array(whole.prefix(count)) + zeros) == nil)
        }
    }

    @Test("refuses every truncation") func refusesEveryTruncation() {
        for (bytes, _) in messages {
            for count in 0..<bytes.count { #expect(read(Array(bytes.prefix(count))) == nil) }
        }
    }

    /// Neither a request that wants a reply nor another request is an exit status.
    @Test("refuses other requests") func refusesOtherRequests() {
        for name in ["exit-statuz", "keepalive@openssh.com", "exit-status\u{0}"] {
            let bytes = message(98) {
                $0.uint32(7)
                $0.string(name)
                $0.boolean(false)
                $0.uint32(0)
            }
            #expect(read(bytes) == nil)
        }
        var wantsReply = exitStatus
        wantsReply[wantsReply.count - 5] = 1
        #expect(read(wantsReply) == nil)
    }

    /// No bytes make it trap, and a changed message never becomes another kind of message.
    @Test("any bytes are safe") func survivesAnything() {
        var generator = SeededGenerator(seed: 4711)
        for _ in 0..<20_000 {
            var bytes = messages[Int.random(in: 0..<messages.count, using: &generator)].0
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = read(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
            guard let first = bytes.first, let message = read(bytes) else { continue }
            switch message {
            case .authenticationFailure: #expect(first == 51)
            case .authenticationBanner: #expect(first == 53)
            case .hostKeys: #expect(first == 80)
            case .signatures: #expect(first == 81)
            case .globalRequestRefused: #expect(first == 82)
            case .channelOpened: #expect(first == 91)
            case .channelOpenFailed: #expect(first == 92)
            case .endOfData: #expect(first == 96)
            case .channelClosed: #expect(first == 97)
            case .exitStatus, .exitSignal: #expect(first == 98)
            }
        }
    }
}
