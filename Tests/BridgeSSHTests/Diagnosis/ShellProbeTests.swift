import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSH

@Suite struct ShellProbeTests {
    let probe = ShellProbe(nonce: "abc")

    private func reading(_ output: String, _ error: String = "") -> ShellReading {
        probe.reading(standardOutput: Array(output.utf8), standardError: Array(error.utf8))
    }

    private let plain = "bridge-ssh:abc:begin\n1700000000\nbridge-ssh:abc:path\n/bin:/usr/bin\nbridge-ssh:abc:end\n"

    @Test("plain output") func plainOutput() {
        let reading = reading(plain)
        #expect(reading.isComplete && reading.noise.isEmpty && reading.errorNoise.isEmpty)
        #expect(reading.serverTime == 1_700_000_000)
        #expect(reading.path == "/bin:/usr/bin")
    }

    @Test(
        "noise",
        arguments: [
            ("motd\n", "", ""), ("without a line end", "", ""), ("", "bye\n", ""), ("a", "b", ""), ("", "", "oops"),
            ("bridge-ssh:other:begin\n", "", ""),
        ])
    func noise(before: String, after: String, error: String) {
        let reading = reading(before + plain + after, error)
        #expect(reading.isComplete && reading.path == "/bin:/usr/bin" && reading.serverTime == 1_700_000_000)
        #expect(String(decoding: reading.noise, as: UTF8.self) == before + after)
        #expect(String(decoding: reading.errorNoise, as: UTF8.self) == error)
    }

    @Test(
        "incomplete",
        arguments: [
            "", "This account is currently not available.\n", "bridge-ssh:abc:begin\n",
            "bridge-ssh:abc:begin\n1\nbridge-ssh:abc:path\n/bin\n",
            "bridge-ssh:abd:begin\n1\nbridge-ssh:abd:path\n/bin\nbridge-ssh:abd:end\n",
        ])
    func incomplete(_ output: String) {
        let reading = reading(output)
        #expect(!reading.isComplete && reading.path == nil && reading.serverTime == nil)
        #expect(reading.noise == Array(output.utf8))
    }

    @Test("a server without date") func aServerWithoutDate() {
        let reading = reading("bridge-ssh:abc:begin\nbridge-ssh:abc:path\n\nbridge-ssh:abc:end\n")
        #expect(reading.isComplete && reading.serverTime == nil && reading.path == "")
    }

    /// A forced command may repeat the requested command.
    @Test("the command itself is not an answer") func theCommandItselfIsNoAnswer() {
        #expect(!reading(probe.command + "\n" + probe.command + "\n").isComplete)
    }

    static let shells = ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/csh", "/bin/tcsh", "/usr/bin/fish", "/bin/zsh", "/bin/mksh"]

    /// The shells of this machine; every machine has the first three.
    @Test("shell", arguments: shells.filter(FileManager.default.isExecutableFile))
    func shell(_ path: String) async throws {
        // A shell may make files in its home.
        let result = try await ScratchDirectory.with { home in
            try await ProcessRun.run(
                path, ["-c", probe.command], environment: .exactly(["PATH": "/usr/bin:/bin:/odd dir", "HOME": home.url.path]))
        }
        let reading = probe.reading(standardOutput: result.standardOutput, standardError: result.standardError)
        #expect(reading.isComplete, "\(result.output) \(result.errorOutput)")
        #expect(reading.path == "/usr/bin:/bin:/odd dir")
        #expect(try #require(reading.serverTime) > 1_700_000_000)
        #expect(reading.noise.isEmpty)
    }

    @Test(
        "clock",
        arguments: [
            // time of the question, seconds until the answer, server's clock, skew, uncertainty
            (100.0, 0.0, 100, 0.5, 0.5), (100.5, 0.0, 100, 0.0, 0.5), (100.0, 1.0, 100, 0.0, 1.0), (100.0, 4.0, 110, 8.5, 2.5),
            (100.5, 0.0, 40, -60.0, 0.5),
        ])
    func clock(asked: Double, seconds: Double, server: Int, skew: Double, uncertainty: Double) {
        let clock = ClockComparison(serverTime: server, asked: asked, seconds: seconds)
        #expect(clock.skew == skew)
        #expect(clock.uncertainty == uncertainty)
        #expect(clock.certain == max(0, abs(skew) - uncertainty))
    }

    /// Whatever the server's clock was when it answered, the finding allows for it.
    @Test("the uncertainty covers the whole time of the answer") func theUncertaintyCoversEveryMomentOfTheAnswer() {
        for step in 0...100 {
            let seconds = 3.0
            let server = 1000.0 + Double(step) / 100 * seconds + 7.25
            let clock = ClockComparison(serverTime: Int(server.rounded(.down)), asked: 1000, seconds: seconds)
            #expect((clock.skew - 7.25).magnitude <= clock.uncertainty + 1e-9)
        }
    }
}
