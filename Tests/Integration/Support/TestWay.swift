import BridgeSSH
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// How the runs of a test are made.
enum TestWay: Sendable {
    /// Once with the library, and twice with the executable.
    case usual
    /// With the executable and `--via ssh`.
    case ssh

    @TaskLocal static var current = TestWay.usual
    /// The name of the current case, for the tally.
    @TaskLocal static var name = ""
}

/// The outcomes of the cases that were run with `--via ssh`.
final class ViaTally: Sendable {
    static let shared = ViaTally()
    private let lines = Mutex<[String]>([])

    /// Also appends a line to the file of SSH_TEST_TALLY, if that is set.
    func add(_ line: String) {
        lines.withLock { $0.append(line) }
        guard let path = ProcessInfo.processInfo.environment["SSH_TEST_TALLY"] else { return }
        let file = fopen(path, "a")
        fputs(line + "\n", file)
        fclose(file)
    }
}

extension TestRun {
    /// Makes the run with `--via ssh`, and checks it against the expectation for libssh2, or the known differences of OpenSSH.
    func checkViaSSH(_ expected: Expected, _ location: SourceLocation) async throws {
        let difference = ViaDifferences.all[TestWay.name]
        let wantedCode = difference.map(\.code) ?? expected.code
        var testRun = self
        if difference?.code?.isConnectDeadline == true { testRun.connectTimeout = 3 }
        var wanted = expected
        wanted.code = wantedCode
        let result = try await testRun.patiently(wanted, failure: \.timedOut) {
            try await $0.byExecutable(["--json", "--via", "ssh"])
        }
        let seen = Comment(rawValue: "\(result.termination) \(result.output) \(result.errorOutput)")
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofReport().faults(object) == [], seen, sourceLocation: location)
        #expect(object["via"] == .string("ssh"), seen, sourceLocation: location)
        let code = object["error"]?["code"]?.text
        let confidence = object["error"]?["confidence"]?.text ?? ""
        let isRight = code == wantedCode?.rawValue
        let verdict = isRight ? (difference == nil ? "right" : "differs") : confidence == "exact" ? "WRONG" : "doubtful"
        ViaTally.shared.add(
            "\(verdict)\t\(TestWay.name)\t\(expected.code?.rawValue ?? "success")\t\(code ?? "success")\t\(confidence)")
        #expect(isRight || code != nil && confidence != "exact", seen, sourceLocation: location)
        // ssh may lose output that arrived right before the connection's end.
        if isRight, code == nil, difference == nil, let output = expected.output {
            #expect(object["stdout"] == .string(output), seen, sourceLocation: location)
        }
        if code != nil, expected.commandMayHaveRun != .no {
            #expect(object["error"]?["commandMayHaveRun"] != .string("no"), seen, sourceLocation: location)
        }
        for secret in secrets {
            #expect(!"\(result.output)\(result.errorOutput)".contains(secret), "a secret shows", sourceLocation: location)
        }
    }
}

/// The cases in which OpenSSH's ssh behaves differently from libssh2, by name.
enum ViaDifferences {
    struct Difference: Sendable {
        /// Nil for a success.
        let code: SSHError.Code?
        let reason: String

        init(_ code: SSHError.Code?, _ reason: String) { (self.code, self.reason) = (code, reason) }
    }

    static let all: [String: Difference] = [
        "254 bytes": longer, "8190 bytes": longer, "8191 bytes": longer, "100000 bytes": Difference(.bannerNotSSH, "65536 bytes"),
        "cipher": more, "MAC": more, "old MAC": more, "kex": more, "host key": more, "by its RSA key only": more,
        "data for a channel that was never opened": stray, "standard error for a channel that was never opened": stray,
        "more in a message than it may hold": Difference(nil, "it takes a little more than it has allowed"),
        "a status that is a multiple of 256": Difference(nil, "it exits with the lowest eight bits"),
        "unknown, accept-new, and no file can be created": Difference(nil, "it continues, with a warning"),
        "rounds without a question and without end": Difference(
            .authTimedOut, "it continues until a deadline ends it"),
        "after a whole command": lost, "after a whole command that failed": lost, "after a whole command without output": lost,
        "after the end of output, the channel still open": lost,
        "corruption after a whole command": Difference(.sessionProtocolError, "it does not report the status that had come"),
        "ended account, keyboard-interactive": Difference(
            .authKeyboardInteractiveRejected, "it does not report PAM's text if it can show it to nobody"),
    ]

    private static let longer = Difference(nil, "it reads identification lines that are longer")
    private static let more = Difference(nil, "it has more algorithms")
    private static let stray = Difference(.sessionConnectionLost, "it ends the connection for such data")
    private static let lost = Difference(.sessionDisconnected, "it does not report the status that had come")
}
