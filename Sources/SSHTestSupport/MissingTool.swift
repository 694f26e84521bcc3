import Foundation

/// A program that the tests need is not installed.
///
/// The test then fails; it is never skipped.
public struct MissingTool: Error, CustomStringConvertible {
    /// The program's name or path.
    public let tool: String
    /// The remedy.
    public let remedy: String

    /// The program and the remedy in one sentence.
    public var description: String { "\(tool) is missing: \(remedy)" }

    /// Debian's packages for the programs that this library runs.
    static let packages = [
        "sshd": "openssh-server", "ssh": "openssh-client", "ssh-keygen": "openssh-client", "ssh-agent": "openssh-client",
        "ssh-add": "openssh-client", "scp": "openssh-client", "sftp": "openssh-client", "rsync": "rsync", "git": "git",
        "bwrap": "bubblewrap", "setsid": "util-linux", "openssl": "openssl",
    ]

    init(_ tool: String) {
        self.tool = tool
        let name = tool.split(separator: "/").last.map(String.init) ?? tool
        remedy = Self.packages[name].map { "apt-get install \($0) (or run scripts/bootstrap)" } ?? "install it"
    }

    /// The path of `tool`. A name without a slash is looked up on PATH and in the directories of system programs.
    static func locate(_ tool: String) throws -> String {
        let candidates: [String]
        if tool.contains("/") {
            candidates = [tool]
        } else {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let directories = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/sbin", "/bin", "/sbin"]
            candidates = directories.filter { $0.hasPrefix("/") }.map { "\($0)/\(tool)" }
        }
        guard let found = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else { throw MissingTool(tool) }
        return found
    }
}

/// The executables of this package, as `swift build` left them beside the tests.
public enum BuiltExecutable {
    /// The path of an executable product.
    ///
    /// - Throws: ``MissingTool`` if it has not been built.
    public static func path(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments.first ?? ".").resolvingSymlinksInPath()
        return try MissingTool.locate(tests.deletingLastPathComponent().appendingPathComponent(name).path)
    }
}
