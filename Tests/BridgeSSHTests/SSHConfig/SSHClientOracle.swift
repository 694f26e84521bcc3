import BridgeSSH
import Foundation
import SSHTestSupport

/// The installed ssh(1) and bridge-ssh, which read the same file.
enum SSHClientOracle {
    /// Variables that configurations of the tests name.
    static let variables = ["CONFIG_TEST_NAME": "value", "CONFIG_TEST_SOCKET": "/run/agent.sock"]

    /// What `ssh -G` prints; nil if it refuses. A machine without ssh fails the test.
    static func settings(_ arguments: [String]) async throws -> [String]? {
        var environment = ["PATH": "/usr/bin:/bin", "HOME": NSHomeDirectory(), "SHELL": "/bin/sh"]
        environment.merge(variables) { $1 }
        let result = try await ProcessRun.run("/usr/bin/ssh", ["-G"] + arguments, environment: .exactly(environment))
        guard result.termination == .exited(0) else { return nil }
        return String(decoding: result.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Lines with the same meaning in the installed ssh(1): configurations are read as in OpenSSH 10.0, and earlier releases
    /// differ in some defaults and in `%C`. scripts/compare-config compares all lines with OpenSSH 10.0.
    private static var isComparable: (String) -> Bool {
        get async throws {
            guard try await majorVersion.value < 10 else { return { _ in true } }
            let others = ["ciphers ", "kexalgorithms ", "ipqos ", "obscurekeystroketiming ", "channeltimeout "]
            return { line in
                !others.contains { line.hasPrefix($0) } && line != "identityfile ~/.ssh/id_dsa" && !hasDigest(line)
            }
        }
    }

    private static let majorVersion = Task {
        let result = try await ProcessRun.run("/usr/bin/ssh", ["-V"], environment: .exactly(["PATH": "/usr/bin:/bin"]))
        let text = String(decoding: result.standardError, as: UTF8.self)
        return text.firstMatch(of: /OpenSSH_(\d+)/).flatMap { Int($0.1) } ?? 0
    }

    /// Whether a line contains 40 hexadecimal digits in sequence.
    private static func hasDigest(_ line: String) -> Bool {
        var count = 0
        for byte in line.utf8 {
            count = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte ? count + 1 : 0
            if count == 40 { return true }
        }
        return false
    }

    /// The machine as ssh(1) sees it.
    static func context() throws -> SSHConfigContext {
        var name = [CChar](repeating: 0, count: 1025)
        gethostname(&name, name.count)
        let hostName = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var context = SSHConfigContext(
            home: NSHomeDirectoryForUser(NSUserName()) ?? "/", localUser: NSUserName(), userID: getuid(), localHostName: hostName)
        context.variable = { $0 == "HOME" ? NSHomeDirectory() : variables[$0] }
        context.homeOfUser = { NSHomeDirectoryForUser($0) }
        context.port = { $0 == "ssh" ? 22 : nil }
        context.execute = { command in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", command]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return nil }
            process.waitUntilExit()
            return process.terminationReason == .exit ? Int(process.terminationStatus) : nil
        }
        return context
    }

    /// The output of bridge-ssh for the same input.
    static func ours(file: String, host: String, options: [String] = []) throws -> [String]? {
        let configuration = SSHConfigFile(context: try context(), source: .file(file), options: options)
        guard let resolved = try? configuration.resolve(host: host) else { return nil }
        return resolved.settings.map { "\($0.name) \($0.value)" }
    }

    /// The lines that differ: ssh's with `-`, bridge-ssh's with `+`; empty if both agree, or both refuse.
    static func differences(_ text: String, host: String, options: [String] = []) async throws -> [String] {
        try await ScratchDirectory.with { directory in
            let file = try directory.write(text.replacing("@DIR@", with: directory.url.path), to: "config")
            return try await differences(file: file, host: host, options: options)
        }
    }

    static func differences(file: String, host: String, options: [String] = []) async throws -> [String] {
        let theirs = try await settings(options.flatMap { ["-o", $0] } + ["-F", file, host])
        let ours = try ours(file: file, host: host, options: options)
        if theirs == nil, ours == nil { return [] }
        guard let theirs else { return ["ssh refuses it, we do not"] }
        guard let ours else { return ["we refuse it, ssh does not"] }
        let isComparable = try await isComparable
        let trim = { (line: String) in line.hasSuffix(" ") ? String(line.dropLast()) : line }
        let (left, right) = (theirs.filter(isComparable).map(trim), ours.filter(isComparable).map(trim))
        if left == right { return [] }
        let only = left.filter { !right.contains($0) }.map { "-" + $0 } + right.filter { !left.contains($0) }.map { "+" + $0 }
        return only.isEmpty ? ["the same lines in another order or number"] : only
    }
}
