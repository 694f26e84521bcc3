import BridgeSSH
import Foundation
import Testing

/// OpenSSH's own tools, which define the meaning of a known_hosts file.
enum Oracle {
    /// Runs ssh-keygen and gives its standard output; a machine without it fails the test.
    @discardableResult
    static func sshKeygen(_ arguments: String..., allowingFailure: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-keygen")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        // Foundation on Linux keeps it otherwise.
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        if !allowingFailure { try #require(process.terminationStatus == 0, "ssh-keygen \(arguments)") }
        return String(decoding: data, as: UTF8.self)
    }

    /// The numbers of the lines whose key `ssh-keygen -F` can read and whose names it matches.
    static func lines(matching name: String, in file: String) throws -> Set<Int> {
        let output = try sshKeygen("-l", "-F", name, "-f", file, allowingFailure: true)
        let marker = "found: line "
        return Set(
            output.split(separator: "\n").compactMap { line in
                guard line.hasPrefix("# Host "), let range = line.range(of: marker) else { return nil }
                return Int(line[range.upperBound...].prefix { $0.isNumber })
            })
    }

    /// A fresh key of a real type: its public line's type and base64, and the fingerprint that ssh-keygen gives it.
    static func makeKey(
        type: String, bits: String? = nil, in directory: TemporaryDirectory, name: String = "key"
    ) throws -> (SSHHostKey, fingerprint: String) {
        let path = directory.path(name)
        if let bits {
            try sshKeygen("-q", "-t", type, "-b", bits, "-N", "", "-f", path)
        } else {
            try sshKeygen("-q", "-t", type, "-N", "", "-f", path)
        }
        let line = try String(contentsOfFile: path + ".pub", encoding: .utf8).split(separator: " ")
        let blob = try #require(Base64.decode(line[1].utf8))
        let fingerprint = try sshKeygen("-l", "-f", path + ".pub").split(separator: " ")[1]
        return (SSHHostKey(algorithm: String(line[0]), blob: blob), String(fingerprint))
    }
}

/// A directory that is removed after the test.
final class TemporaryDirectory: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "known-hosts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    @discardableResult
    func write(_ name: String, _ contents: String) throws -> String {
        try write(name, Array(contents.utf8))
    }

    @discardableResult
    func write(_ name: String, _ contents: [UInt8]) throws -> String {
        try Data(contents).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
}
