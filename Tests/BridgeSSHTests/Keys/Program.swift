import Foundation
import Testing

/// Runs the programs that the tests measure the library against.
///
/// One that is missing fails the test.
enum Program {
    struct Output {
        var status: Int32
        var standardOutput: String
        var standardError: String
    }

    struct Missing: Error, CustomStringConvertible {
        var program: String
        var description: String { "the tests need \(program), which is not installed" }
    }

    struct Failed: Error, CustomStringConvertible {
        var command: [String]
        var output: Output
        var description: String { "\(command.joined(separator: " ")): status \(output.status): \(output.standardError)" }
    }

    static func locate(_ program: String) throws -> URL {
        for directory in ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/bin"] {
            let path = directory + "/" + program
            if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
        }
        throw Missing(program: program)
    }

    /// Runs to the end; the programs print too little to fill a pipe.
    static func output(
        of program: String, _ arguments: [String], input: URL? = nil, environment: [String: String] = [:]
    ) async throws -> Output {
        let process = Process()
        process.executableURL = try locate(program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"].merging(environment) { $1 }
        let (out, error) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = error
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        func text(_ pipe: Pipe) -> String {
            String(decoding: (try? pipe.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        }
        return Output(status: process.terminationStatus, standardOutput: text(out), standardError: text(error))
    }

    /// Runs and insists on success.
    @discardableResult
    static func run(
        _ program: String, _ arguments: [String], input: URL? = nil, environment: [String: String] = [:]
    ) async throws -> String {
        let output = try await output(of: program, arguments, input: input, environment: environment)
        guard output.status == 0 else { throw Failed(command: [program] + arguments, output: output) }
        return output.standardOutput
    }
}
