import Foundation
import SSHTestSupport
import Testing

/// Runs the programs with which the tests compare the library.
///
/// A missing program fails the test.
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

    /// Runs the program to its end.
    ///
    /// Foundation's `Process` is not used, because on Linux it keeps the pipes of ended processes.
    static func output(
        of program: String, _ arguments: [String], input: URL? = nil, environment: [String: String] = [:]
    ) async throws -> Output {
        let variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"].merging(environment) { $1 }
        let source = input.map { ProcessRun.Input.file($0.path) } ?? ProcessRun.Input.none
        let result = try await ProcessRun.run(
            try locate(program).path, arguments, environment: .exactly(variables), input: source)
        let status: Int32 =
            switch result.termination {
            case .exited(let status), .signalled(let status): status
            }
        return Output(status: status, standardOutput: result.output, standardError: result.errorOutput)
    }

    /// Runs the program and requires success.
    @discardableResult
    static func run(
        _ program: String, _ arguments: [String], input: URL? = nil, environment: [String: String] = [:]
    ) async throws -> String {
        let output = try await output(of: program, arguments, input: input, environment: environment)
        guard output.status == 0 else { throw Failed(command: [program] + arguments, output: output) }
        return output.standardOutput
    }
}
