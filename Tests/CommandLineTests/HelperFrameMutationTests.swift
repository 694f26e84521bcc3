import BridgeSSH
import Foundation
import SSHRun
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Invalid frames give a helper or a run an error, or a harmless value.
@Suite("Mutated frames of a helper") struct HelperFrameMutationTests {
    /// One valid payload of every kind, and the use of its value.
    private struct Sample: Sendable {
        let bytes: [UInt8]
        let use: @Sendable ([UInt8]) throws -> Void

        init<Value: FieldCoded & SendableMetatype>(_ value: Value, _ use: @escaping @Sendable (Value) throws -> Void = { _ in }) {
            bytes = FieldCoder.bytes(of: value)
            self.use = { bytes in
                let value = try FieldCoder.value(of: Value.self, from: bytes)
                // Every field is read, and the decoded value is hardly larger than its bytes.
                #expect(FieldCoder.bytes(of: value).count <= bytes.count + 64)
                try use(value)
            }
        }
    }

    private static var samples: [Sample] {
        get throws {
            var configuration = SSHConnectionConfiguration.standard(home: "/home/ann", agentSocket: "/agent")
            configuration.jumpHosts = [
                SSHJumpHost(
                    SSHEndpoint(unchecked: "gate", port: 2222, user: "bob"), configuration: .standard(home: "/h"),
                    connectTimeout: .seconds(2))
            ]
            configuration.keepalive = SSHKeepaliveOptions(interval: .seconds(2.5), countMax: 4)
            configuration.knownHostsCommand = SSHKnownHostsCommand(["/bin/keys", "%H"], environment: ["C=d"])
            let open = OpenRequest(
                named: "web1", endpoint: SSHEndpoint(unchecked: "web1", user: "ann"), configuration: configuration, mayAsk: true,
                mayAskAbout: [true], keepFor: 60, files: HelperFiles(directory: "/run/x", name: "y"))
            var run = RunRequest(command: "ls")
            run.options.timeout = .seconds(3)
            run.options.outputLimit = 1 << 20
            run.options.environment = [("A", "b")]
            run.options.pty = SSHPTYOptions(terminal: "xterm", columns: 80, rows: 24)
            var timings = SSHStageTimings()
            timings.seconds.command = 1
            let verdict = UsageProblem(field: "--x", problem: "y").verdict
            let hostKey = SSHHostKeyQuestion(
                host: "web1", port: 22, keyType: "ssh-ed25519", fingerprint: "SHA256:x", otherNames: ["a", "b"],
                certificateAuthority: .init(file: "f", line: 3), skippedLines: [.init(file: "g", line: 4)])
            return [
                Sample(Hello()),
                Sample(HelperStatus(process: 7, named: "web1", endpoint: SSHEndpoint(unchecked: "h", user: "u"), age: 5, runs: 2))
                {
                    status in
                    let helper = KnownHelper(files: .blank, record: nil, peer: nil, status: status)
                    _ = (HelperTable.text([helper]), HelperTable.json([helper]), helper.remains, "\(Int(status.age)) s old")
                },
                Sample(open) { request in
                    _ = HelperServer(request, lock: OwnedDescriptor(-1)).status
                    _ = request.complete(
                        password: SSHSecret(""), passphrase: SSHSecret(""),
                        asking: RelayedInteraction(FrameSocket(descriptor: -1)))
                    _ = (Duration.seconds(request.keepFor), ConnectionIdentity(request.endpoint, request.configuration).name)
                },
                Sample(run) { request in
                    let options = request.options
                    _ = Duration.seconds(request.keepFor)
                    _ = (Int32(options.pty?.columns ?? 0), Int32(options.pty?.rows ?? 0))
                    #expect(options.outputLimit >= 0)
                },
                Sample(TerminalSize(columns: 80, rows: 24)) { _ = (Int32($0.columns), Int32($0.rows)) },
                Sample(TextList(texts: ["a", "b"])),
                Sample(PersonQuestion(kind: .hostKey, hop: 1, hostKey: hostKey)) { question in
                    _ = question.hostKey.map(HostKeyPrompt.text)
                    _ = SSHConnectionConfiguration().interaction(atHop: question.hop)
                },
                Sample(
                    PersonQuestion(
                        kind: .prompts, user: "u", host: "h",
                        request: SSHPromptRequest(name: "n", instruction: "i", prompts: [.init(text: "p", echo: true)]))),
                Sample(PersonAnswer(accepts: true, secrets: 2)) { #expect((0...100).contains($0.secrets ?? 0)) },
                Sample(TerminationFields(value: .exited(3))),
                Sample(OutcomeReport(.failed(verdict), timings: timings)) { report in
                    _ = report.timings.json
                    let end = try report.end()
                    if case .failed(let error) = end { _ = (error.exitStatus(.bridge), error.exitStatus(.ssh), "\(error)") }
                    if case .ended(.exited(let status), _) = end { _ = SSHExitStatus.remote(status) }
                },
                Sample(
                    OutcomeReport(
                        .ended(.signalled(.init(name: "KILL", coreDumped: true, message: "m")), verdict), timings: timings)
                ) {
                    _ = try $0.end()
                },
            ]
        }
    }

    /// Invalid numbers in place of a count, a size or a time.
    private static let extremes: [UInt64] = [
        0, 1, 2, 255, 65536, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 62, UInt64(Int64.max), 1 << 63, .max, .max - 1,
        Double.nan.bitPattern, Double.infinity.bitPattern, (-1.0).bitPattern, 1e300.bitPattern,
        Double.leastNonzeroMagnitude.bitPattern,
    ]

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes = Array(bytes.prefix(place))
            case 1 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2 where place + 8 <= bytes.count:
                let number = extremes.randomElement(using: &random) ?? 0
                withUnsafeBytes(of: number.bigEndian) { bytes.replaceSubrange(place..<(place + 8), with: $0) }
            case 3 where place + 4 <= bytes.count:
                let length = [0, 1, .max, 1 << 31, UInt32(bytes.count)].randomElement(using: &random) ?? 0
                withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(place..<(place + 4), with: $0) }
            case 4: bytes.insert(contentsOf: bytes.suffix(place), at: min(place, bytes.count))
            default: bytes += [UInt8](repeating: 0, count: 8)
            }
        }
        return bytes
    }

    @Test("thousands of mutations of every kind end in an error or a value", arguments: 0..<12) func payloads(number: Int) throws
    {
        let samples = try Self.samples
        try #require(samples.count == 12)
        let sample = samples[number]
        try sample.use(sample.bytes)
        var random = SeededGenerator(seed: UInt64(number))
        var refused = 0
        let count = TestExtent.choose(sample: 1000, all: 4000)
        for _ in 0..<count {
            do { try sample.use(Self.mutated(sample.bytes, &random)) } catch { refused += 1 }
        }
        // Most mutations are refused, and not only for their length.
        #expect(refused > count / 4)
    }

    @Test("every number of a frame in turn becomes every extreme", arguments: 0..<12) func numbers(number: Int) throws {
        let sample = try Self.samples[number]
        for place in 0...max(0, sample.bytes.count - 8) where sample.bytes.count >= 8 {
            // In a sample, every place gets two of the extremes, and its neighbours get the others.
            for (index, extreme) in Self.extremes.enumerated() where index % 9 == place % 9 || TestExtent.ofThisRun == .all {
                var bytes = sample.bytes
                withUnsafeBytes(of: extreme.bigEndian) { bytes.replaceSubrange(place..<(place + 8), with: $0) }
                try? sample.use(bytes)
            }
        }
    }

    @Test("a negative count, and one beyond the sent bytes, are refused", arguments: [UInt64.max, 1 << 63, 1 << 40, 9])
    func counts(count: UInt64) {
        let bytes = withUnsafeBytes(of: count.bigEndian) { Array($0) } + [0, 0, 0, 0]
        #expect(throws: SSHWireError.outOfRange) { try FieldCoder.value(of: TextList.self, from: bytes) }
    }

    @Test(
        "invalid times", arguments: [Double.nan, .infinity, -.infinity, -1, 1e18, -0.5])
    func times(seconds: Double) {
        let request = RunRequest(command: "x", keepFor: seconds)
        #expect(throws: SSHWireError.outOfRange) {
            try FieldCoder.value(of: RunRequest.self, from: FieldCoder.bytes(of: request))
        }
    }

    @Test("a lock file with impossible process IDs and ports")
    func records() {
        for text in ["a\nb\nc\n22\n99999999999999999999\n", "a\nb\nc\n22\n4294967297\n"] {
            #expect(HelperRecord(text: text)?.process == nil)
        }
        for port in ["65536", "-1", "99999999999999999999"] { #expect(HelperRecord(text: "a\nb\nc\n\(port)\n") == nil) }
    }

    // MARK: Frames

    private func socketPair() throws -> (FrameSocket, OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (FrameSocket(descriptor: ends[0]), OwnedDescriptor(ends[1]))
    }

    @Test(
        "a frame of another length, or of no kind, ends the conversation",
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF, 1], [0x80, 0, 0, 0, 1], [0, 0x40, 0, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 255],
            [0, 1, 0, 1, 3],
            [0, 0, 0, 1, 1], [0, 0, 0], [],
        ] as [[UInt8]])
    func headers(bytes: [UInt8]) async throws {
        let (socket, other) = try socketPair()
        _ = bytes.withUnsafeBytes { writeBytes(other.number, $0.baseAddress, $0.count) }
        shutdown(other.number, Int32(SHUT_WR))
        if bytes.isEmpty {
            #expect(try await socket.receive() == nil)
        } else {
            await #expect(throws: FrameSocket.Failure.self) { try await socket.receive() }
        }
    }

    @Test("any bytes at all are frames or an end", arguments: 0..<20) func streams(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (socket, other) = try socketPair()
            var bytes: [UInt8] = []
            for _ in 0..<4 {
                let payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes += [0, 0, 0, UInt8(payload.count), UInt8.random(in: 0...48, using: &random)] + payload
            }
            if Bool.random(using: &random) { bytes = Self.mutated(bytes, &random) }
            _ = bytes.withUnsafeBytes { writeBytes(other.number, $0.baseAddress, $0.count) }
            shutdown(other.number, Int32(SHUT_WR))
            var count = 0
            while let frame = try? await socket.receive() {
                count += 1
                #expect(frame.payload.count <= bytes.count)
            }
            #expect(count <= bytes.count / 5)
        }
    }
}
