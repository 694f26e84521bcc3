import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Testing

extension TestRun {
    /// Makes the run by the library, with `--json` and as text, one after the other, and checks each.
    func check(_ expected: Expected, location: SourceLocation = #_sourceLocation) async throws {
        if TestWay.current == .ssh { return try await checkViaSSH(expected, location) }
        let told: (SSHError?) -> TimedOut = { TimedOut(code: $0?.code, mayHaveRun: $0?.commandMayHaveRun) }
        let (error, output) = try await patiently(expected, failure: { told($0.error) }) { try await $0.byLibrary() }
        checkLibrary(error, output, expected, location)
        let json = try await patiently(expected, failure: \.timedOut) { try await $0.byExecutable(["--json"]) }
        try json.checkJSON(expected, location)
        let plain = try await patiently(expected, failure: \.timedOut) { try await $0.byExecutable() }
        plain.checkBanner(expected, location)
        for text in [json.output, json.errorOutput, plain.output, plain.errorOutput, "\(error.map { "\($0)" } ?? "")"] {
            for secret in secrets { #expect(!text.contains(secret), "a secret shows", sourceLocation: location) }
        }
    }

    /// Repeats the run with more time if its time limit passes at another stage than the test's.
    func patiently<Outcome>(
        _ expected: Expected, failure: (Outcome) -> TimedOut, _ run: (TestRun) async throws -> Outcome
    ) async throws -> Outcome {
        try await Patience.run(
            connectTimeout, isElsewhere: { failure($0).isElsewhere(than: expected.code, expected.commandMayHaveRun) }
        ) { seconds in
            var testRun = self
            testRun.connectTimeout = seconds
            return try await run(testRun)
        }
    }

    private func checkLibrary(_ error: SSHError?, _ output: [UInt8], _ expected: Expected, _ location: SourceLocation) {
        let seen = error.map { Comment(rawValue: String(decoding: $0.json.bytes, as: UTF8.self)) } ?? "no error"
        #expect(error?.code == expected.code, seen, sourceLocation: location)
        if let wanted = expected.output { #expect(String(decoding: output, as: UTF8.self) == wanted, sourceLocation: location) }
        guard let error, let code = expected.code, error.code == code else { return }
        #expect(error.exitStatus.rawValue == expected.status, seen, sourceLocation: location)
        #expect(error.commandMayHaveRun == expected.commandMayHaveRun, seen, sourceLocation: location)
        #expect(
            error.retry.name == expected.retry ?? FailureCatalogue.definition(of: code).retry.name, seen, sourceLocation: location
        )
        for words in expected.words where !words.isEmpty {
            #expect("\(error.message) \(error.hint)".contains(words), seen, sourceLocation: location)
        }
        #expect(!error.message.contains("LIBSSH2"), "a person reads this", sourceLocation: location)
    }
}

extension TestRun {
    /// Like ``check(_:location:)``, but calls `during` once the command has written `running`.
    func check(
        _ expected: Expected, during: @escaping @Sendable () async throws -> Void, location: SourceLocation = #_sourceLocation
    ) async throws {
        for options in [["--json", "-v"], []] {
            // In JSON the command's output comes only at the end, so the stage shows that the command runs.
            let result = try await byExecutable(options) { process in
                if options.isEmpty {
                    try await process.standardOutput.wait(for: "running\n")
                } else {
                    try await process.standardError.wait(for: "running the command")
                }
                try await during()
            }
            if options.isEmpty {
                result.checkBanner(expected, location)
            } else {
                var expected = expected
                expected.output = nil
                try result.checkJSON(expected, location)
            }
        }
        let (error, output) = try await byLibrary(during: during)
        checkLibrary(error, output, expected, location)
    }

    /// Makes the run with the library, and calls `during` once the command has written its first bytes.
    func byLibrary(during: @escaping @Sendable () async throws -> Void) async throws -> (error: SSHError?, output: [UInt8]) {
        let written = Transcript()
        do {
            try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: host, port: port, user: user), configuration: configuration
            ) { connection in
                let outcome = try await connection.execute(command, options: commandOptions) { execution in
                    var hasActed = false
                    for try await chunk in execution.standardOutput {
                        chunk.withUnsafeBytes { written.append(Array($0)) }
                        if !hasActed { try await during() }
                        hasActed = true
                    }
                }
                try outcome.checked()
            }
            return (nil, written.bytes)
        } catch let error as SSHError {
            return (error, written.bytes)
        }
    }
}
