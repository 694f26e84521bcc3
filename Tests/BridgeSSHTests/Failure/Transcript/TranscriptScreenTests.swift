import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTranscripts

/// The fast path must not change the reading of a transcript.
@Suite("Screening of transcripts")
struct TranscriptScreenTests {
    /// Every line of every transcript that the tests have.
    static let lines: [String] = {
        let texts = RecordedTranscript.all.map(\.text) + Wording.all.map(\.text)
        return Array(Set(texts.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) })).sorted()
    }()

    private func screened(_ line: String) -> (sight: TranscriptScreen.ScreenResult, rows: [Int]) {
        var candidates = TranscriptScreen.shared.noCandidates
        var marks: LineMarks = []
        var line = line
        let sight = line.withUTF8 { TranscriptScreen.shared.look(at: $0, &candidates, &marks) }
        var rows: [Int] = []
        while let row = candidates.next(from: rows.last.map { $0 + 1 } ?? 0) { rows.append(row) }
        return (sight, rows)
    }

    @Test("every row that reads a line is a candidate for it")
    func complete() {
        #expect(Self.lines.count > 1000)
        for line in TestExtent.cases(of: Self.lines, oneOf: 8) {
            let reading = TranscriptRows.all.indices.filter { TranscriptRows.all[$0].template.match(line) != nil }
            #expect(Set(reading).isSubset(of: screened(line).rows), "\(line)")
        }
    }

    @Test("a line without a hit is neither noise nor Python's nor Ansible's")
    func plain() {
        let plain = Self.lines.filter { screened($0).sight == .nothing }
        #expect(plain.count > 50)
        for line in plain {
            #expect(!NoiseLines.contains(line) && !AnsibleMessages.endsQuote(line), "\(line)")
            var traceback = PythonTraceback()
            #expect(traceback.read(line) == line && !traceback.isOpen, "\(line)")
        }
    }

    @Test("no line that a row reads is classified as noise") func noise() {
        let noise = (Self.lines + ["}", "{", "WARNING: x", "Perl: Warning:", "12 Records in"]).filter {
            screened($0).sight == .noise
        }
        #expect(noise.count > 10)
        for line in noise { #expect(NoiseLines.contains(line), "\(line)") }
        #expect(screened("warning: failed to open the file x").sight == .words)
    }

    @Test("each row is a candidate for its own text, even after a log's prefix") func ownWords() {
        for (index, row) in TranscriptRows.all.enumerated() {
            #expect(screened(row.template.rarestWords).rows.contains(index), "\(row.template.rarestWords)")
            #expect(screened("backup[412]: x" + row.template.rarestWords + "y").rows.contains(index))
        }
    }

    @Test("no row is tried on text that is not a transcript") func untried() {
        var text = ""
        for number in 0..<2000 { text += "x\n\(number) the quick brown fox jumps over the lazy dog\n" }
        #expect(TranscriptReader(text).tries == 0)
    }

    @Test("near misses are tried with few rows") func almost() {
        var text = ""
        let words = TranscriptRows.all.map(\.template.rarestWords)
        for word in words { text += "almost \(word.dropLast())\n\(word.uppercased())\n" }
        #expect(TranscriptReader(text).tries < 40 * words.count)
    }

    private func isPassed(_ line: String) -> Bool {
        var line = line
        return line.withUTF8 { TranscriptScreen.shared.nextLine(in: $0, from: 0) } == nil
    }

    @Test("no line that a row reads is passed over")
    func read() {
        for line in TestExtent.cases(of: Self.lines, oneOf: 8) {
            let row = TranscriptRows.all.first { $0.template.match(line) != nil }
            #expect(row == nil || !isPassed(line), "\(line) \(row?.source ?? "")")
        }
    }

    @Test(
        "other programs' lines with the same words are passed over",
        arguments: [
            "make[1]: Entering directory '/src/7'", "+ mkdir -p /srv/a", "INFO:root:opened item 7",
            "./run.sh: line 12: warning: here-document at line 3", "web1 systemd[1]: Failed to start unit7.service.",
        ])
    func passed(line: String) { #expect(isPassed(line)) }

    @Test("a long line of a row's words is read, and not searched for its start at each of them") func repeated() {
        #expect(isPassed(String(repeating: "xmkdir ", count: 30)))
        #expect(!isPassed(String(repeating: "xmkdir ", count: 60)))
    }

    @Test(
        "a message is read at a line's start, behind a prefix and within another text",
        arguments: [
            "mkdir /srv/a: Failure", "[web1] mkdir /srv/a: Failure", #""msg": "mkdir /srv/a: Failure""#,
            #"first\nmkdir /srv/a: Failure"#, "\u{1B}[31mmkdir /srv/a: Failure", "**mkdir /srv/a: Failure**",
            "\u{201C}mkdir /srv/a: Failure\u{201D}", "01E+mkdir /srv/a: Failure",
            "/home/alice/.ssh/config line 3: Bad number '7x'.",
        ])
    func begun(line: String) { #expect(!isPassed(line)) }

    @Test("words that belong at the start of a line do not count elsewhere") func openings() {
        #expect(screened("play [x]").sight == .words)
        #expect(screened("xx play [x]").sight == .nothing)
        #expect(screened("").sight == .nothing)
    }
}

@Suite("Transcripts without end")
struct EndlessTranscriptTests {
    private static let failure = "ssh: connect to host web1 port 22: Connection refused"

    @Test("a failure is found behind any amount of other text, and behind bytes that are not text")
    func behindMuch() throws {
        var log = SSHTranscriptLog()
        func take(_ bytes: [UInt8]) -> SSHError? {
            var found: [SSHError] = []
            bytes.withUnsafeBufferPointer { log.take($0) { found.append($0.error) } }
            return found.first
        }
        let wild: [[UInt8]] = [
            [UInt8](repeating: 0, count: 5000), [0xFF, 0xFE, 0xC3], Array("\u{85}\u{2028}".utf8), [0x0D, 0x0D, 0x0D],
            Array(repeating: 0x7B, count: 300), Array("{".utf8), [UInt8](repeating: 0x61, count: 1 << 20), Array("}".utf8),
        ]
        for _ in 0..<3 {
            for line in wild { #expect(take(line) == nil) }
        }
        #expect(take(Array(Self.failure.utf8))?.code == .connectRefused)
        #expect(log.finish() == nil)
    }

    @Test("only the last of the unknown lines are kept") func lastLines() {
        var lines = LastLines()
        func append(_ text: String) {
            var text = text
            text.withUTF8 { lines.append($0) }
        }
        #expect(lines.last(8) == [])
        append("")
        append("one")
        #expect(lines.last(8) == ["", "one"] && lines.last(1) == ["one"])
        for number in 0..<3000 { append("\(number) " + String(repeating: "é", count: 5000)) }
        let kept = lines.last(Int.max)
        #expect(kept.count >= 100 && kept.count <= 300)
        #expect(kept.allSatisfy { $0.utf8.count <= LastLines.maximumLength && !$0.contains("\u{FFFD}") })
        #expect(lines.last(100).map { $0.prefix { $0 != " " } } == (2900..<3000).map { "\($0)" })
    }

    @Test(
        "ssh's rows alone read ssh's log with the same result as all rows", arguments: OpenSSHTranscript.all.filter(\.isVerbose))
    func openSSHAlone(_ transcript: OpenSSHTranscript) {
        var (all, own) = (TranscriptReader(), TranscriptReader(.openSSH))
        // The command's output is not in the log that is followed.
        let lines = transcript.text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("debug") || $0.contains("ssh") }
        TranscriptLines.each(of: lines.joined(separator: "\n")) { line in
            all.take(line)
            own.take(line)
            #expect(own.facts.trace.step == all.facts.trace.step && own.facts.stage == all.facts.stage)
        }
        #expect(own.facts.trace.end == all.facts.trace.end && own.facts.serverLines == all.facts.serverLines)
        #expect(own.facts.trace.login.attempts == all.facts.trace.login.attempts)
    }

    @Test(
        "a certain verdict of ssh's rows alone is the verdict of all rows",
        arguments: OpenSSHTranscript.all.filter { $0.isVerbose && $0.exit != 0 })
    func openSSHVerdict(_ transcript: OpenSSHTranscript) {
        let text = SSHTranscript(standardError: transcript.text, exitStatus: transcript.exit, command: "ssh -v host true")
        let all = TranscriptVerdict(text, TranscriptReader(transcript.text)).error
        let own = SSHTrace(text).error
        #expect(own?.code == all?.code && own?.message == all?.message && own?.confidence == all?.confidence)
    }

    /// Texts with another program's messages, which the file of `-E` does not contain: of a ProxyCommand, and of sshd's banner.
    private static let mixed: Set<String> = ["proxy-refused", "account-expired"]

    @Test(
        "a log that only ssh has written gets the same verdict as with all rows, even if it is uncertain",
        arguments: OpenSSHTranscript.all.filter { $0.isVerbose && $0.exit != 0 && !mixed.contains($0.scenario) })
    func openSSHAloneVerdict(_ transcript: OpenSSHTranscript) {
        let text = SSHTranscript(standardError: transcript.text, exitStatus: transcript.exit, command: "ssh -v host true")
        let (all, own) = (SSHTrace(text).error, SSHTrace(text, isSSHAlone: true).error)
        #expect(own?.code == all?.code && own?.message == all?.message && own?.confidence == all?.confidence)
    }

    @Test("of repeated messages only a bounded number is kept") func repetition() {
        var reader = TranscriptReader()
        func take(_ text: String) {
            var text = text
            text.withUTF8 { reader.take($0) }
        }
        for number in 0..<2000 {
            take("debug1: kex_exchange_identification: banner line \(number): " + String(repeating: "x", count: 2000))
            take("debug1: Connecting to host\(number) [192.0.2.1] port 22.")
            take("  File \"/usr/lib/python3/dist-packages/paramiko/client.py\", line 1, in f\(number)")
            take("During handling of the above exception, another exception occurred:")
            take(Self.failure)
            take("Exceeded MaxStartups")
        }
        #expect(reader.facts.serverLines.count == 16 && reader.facts.serverLines.allSatisfy { $0.utf8.count <= 512 })
        #expect(reader.facts.busyLines.count == 16)
        #expect(reader.hosts.count <= 256)
        #expect(reader.facts.addresses.count <= 64)
        #expect(reader.facts.python.functions.count <= 256 && reader.facts.python.causes.count <= 256)
    }

    @Test("a template whose start repeats in a line is tried once") func longLine() {
        let template = TranscriptTemplate("…connect to host {host} port {port}: {reason}")
        let line = String(repeating: "connect to host ", count: 1 << 16)
        #expect(template.match(line) == nil)
        #expect(template.match(line + "web1 port 22: Connection refused")?["reason"] == "Connection refused")
    }

    @Test(
        "JSON of any program is read once",
        arguments: [
            #"{"a":[1,2,{"failed":true,"rc":3,"msg":"x\ud83d\ude00\u0041\n"}],"b":-1.5e3,"c":null}"#, "{}", "[]", "{\"a\":[]}",
            "[1,]",
            "{\"a\":1,}",
        ])
    func json(_ text: String) { #expect(JSONTree(text[...]) != nil) }

    @Test(
        "invalid JSON is not read",
        arguments: [
            "", "{", "[1,,]", "[,", "{\"a\"}", "\"\\x\"", "\"\\ud83d", "[1 2]", "01x", "tru", "\"a\nb\"", "{\"a\":1}x",
            String(repeating: "[", count: 100_000), "nan", "+1", ".5",
        ])
    func noJSON(_ text: String) { #expect(JSONTree(text[...]) == nil) }

    @Test("escapes of JSON") func escapes() {
        guard case .text(let text)? = JSONTree(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx\udc00""#) else {
            Issue.record("no text")
            return
        }
        #expect(text == "\"\\/\u{8}\u{c}\n\r\té\u{1F600}\u{FFFD}x\u{FFFD}")
    }
}
