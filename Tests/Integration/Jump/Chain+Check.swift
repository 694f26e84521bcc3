import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The expected failure of a run through a chain, and its hop.
struct HopFailure: Sendable {
    let code: SSHError.Code
    /// The hop at fault, 1 the nearest.
    let hop: Int
    var commandMayHaveRun = SSHError.CommandMayHaveRun.no
    /// A part of the message.
    var words = ""
}

extension Chain {
    /// Makes the failing run with the library, with `--json` and as text, one after the other.
    func check(_ expected: HopFailure, location: SourceLocation = #_sourceLocation) async throws {
        let error = try await patiently(
            expected, { (TimedOut(code: $0?.code, mayHaveRun: $0?.commandMayHaveRun), $0?.evidence.hop?.number) }
        ) { try await $0.byLibrary().error }
        checkLibrary(error, expected, location)
        let json = try await patiently(
            expected, { ($0.timedOut, $0.error?["evidence"]?["hop"]?["number"]?.double.map { Int($0) }) }
        ) { try await $0.byExecutable(["--json"]) }
        try checkJSON(json, expected, location)
        let plain = try await patiently(expected, { ($0.timedOut, hop(in: $0.errorOutput)) }) { try await $0.byExecutable() }
        checkBanner(plain, expected, location)
    }

    /// Repeats the run with more time if its time limit passes at another hop or stage than the test's.
    private func patiently<Outcome>(
        _ expected: HopFailure, _ failure: (Outcome) -> (told: TimedOut, hop: Int?),
        _ run: (Chain) async throws -> Outcome
    ) async throws -> Outcome {
        let isElsewhere: (Outcome) -> Bool = { outcome in
            let (told, hop) = failure(outcome)
            return told.isElsewhere(than: expected.code, expected.commandMayHaveRun)
                || told.code?.isConnectDeadline == true && hop != expected.hop
        }
        return try await Patience.run(connectTimeout, isElsewhere: isElsewhere) { seconds in
            var chain = self
            chain.connectTimeout = seconds
            return try await run(chain)
        }
    }

    /// The hop that the text for a person names; the last one is named as the host itself.
    private func hop(in text: String) -> Int {
        text.firstMatch(of: /Jump host ([0-9]+) of/).flatMap { Int($0.1) } ?? hops.count
    }

    /// The same, but calls `during` once the command has written `running`.
    func check(
        _ expected: HopFailure, during: @escaping @Sendable () async throws -> Void, location: SourceLocation = #_sourceLocation
    ) async throws {
        var error: SSHError?
        do {
            try await SSHClient.withConnection(to: endpoint, configuration: configuration) { connection in
                let outcome = try await connection.execute(command) { execution in
                    var hasActed = false
                    for try await _ in execution.standardOutput {
                        if !hasActed { try await during() }
                        hasActed = true
                    }
                }
                try outcome.checked()
            }
        } catch let failure as SSHError {
            error = failure
        }
        checkLibrary(error, expected, location)
        let json = try await byExecutable(["--json", "-v"]) { process in
            try await process.standardError.wait(for: "running the command")
            try await during()
        }
        try checkJSON(json, expected, location)
        let plain = try await byExecutable { process in
            try await process.standardOutput.wait(for: "running\n")
            try await during()
        }
        checkBanner(plain, expected, location)
    }

    private func checkLibrary(_ error: SSHError?, _ expected: HopFailure, _ location: SourceLocation) {
        let seen = Comment(rawValue: error.map { "\($0.code) \($0.message) \($0.evidence)" } ?? "no error")
        #expect(error?.code == expected.code, seen, sourceLocation: location)
        #expect(error?.evidence.hop?.number == expected.hop, seen, sourceLocation: location)
        #expect(error?.evidence.hop?.count == hops.count, seen, sourceLocation: location)
        #expect(error?.evidence.hop?.via.count == expected.hop - 1, seen, sourceLocation: location)
        #expect(error?.evidence.port == hops[expected.hop - 1].port, seen, sourceLocation: location)
        #expect(error?.commandMayHaveRun == expected.commandMayHaveRun, seen, sourceLocation: location)
        #expect(error?.message.contains(expected.words) ?? false || expected.words.isEmpty, seen, sourceLocation: location)
        if expected.hop < hops.count {
            let place = "Jump host \(expected.hop) of \(hops.count - 1)"
            #expect(
                error?.message.hasPrefix(place) == true && error?.message.contains(hops[expected.hop - 1].host) == true, seen,
                sourceLocation: location)
        }
    }

    private func checkJSON(_ result: ProcessResult, _ expected: HopFailure, _ location: SourceLocation) throws {
        let seen = Comment(rawValue: "\(result.termination) \(result.output) \(result.errorOutput)")
        let status = FailureCatalogue.definition(of: expected.code).exitStatus.rawValue
        #expect(result.termination == .exited(status), seen, sourceLocation: location)
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofReport().faults(object) == [], seen, sourceLocation: location)
        #expect(object["port"] == .integer(endpoint.port), seen, sourceLocation: location)
        let error = object["error"]
        #expect(error?["code"] == .string(expected.code.rawValue), seen, sourceLocation: location)
        #expect(error?["commandMayHaveRun"] == .string(expected.commandMayHaveRun.rawValue), seen, sourceLocation: location)
        let hop = error?["evidence"]?["hop"]
        #expect(hop?["number"] == .integer(expected.hop), seen, sourceLocation: location)
        #expect(hop?["port"] == .integer(hops[expected.hop - 1].port), seen, sourceLocation: location)
    }

    private func checkBanner(_ result: ProcessResult, _ expected: HopFailure, _ location: SourceLocation) {
        let seen = Comment(rawValue: "\(result.termination) \(result.output) \(result.errorOutput)")
        let definition = FailureCatalogue.definition(of: expected.code)
        #expect(result.termination == .exited(definition.exitStatus.rawValue), seen, sourceLocation: location)
        #expect(result.errorOutput.contains(definition.title), seen, sourceLocation: location)
        if expected.hop < hops.count {
            #expect(
                result.errorOutput.contains("Jump host \(expected.hop) of \(hops.count - 1)"), seen, sourceLocation: location)
        }
    }
}
