import Foundation
import Testing

/// Runs the programs that the tests measure the library against.
///
/// One that is missing fails the test.
enum Oracle {
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

/// A private directory that goes with its last holder.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        // Short, because the path of a unix-domain socket may have 104 bytes only.
        url = URL(fileURLWithPath: "/tmp/bsk-" + UUID().uuidString.prefix(13))
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file that only its owner can read, unless told otherwise.
    @discardableResult
    func write(_ content: some Sequence<UInt8>, to name: String, mode: Int = 0o600) throws -> String {
        let path = path(name)
        try Data(content).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: path(name), toPath: path(other))
    }
}
