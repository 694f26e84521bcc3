package import BridgeSSH
internal import Synchronization

/// ssh's configuration for any number of hosts. Each host has the settings for its own name. The files are read once, so all
/// hosts see the same state.
package struct HostConfigurations: Sendable {
    private let request: AccessRequest
    private let configuration: SSHConfigFile

    /// Reads no file yet.
    package init(_ request: AccessRequest, in environment: LaunchEnvironment) {
        self.request = request
        var context =
            environment.machine
            ?? SSHConfigContext(home: environment.home, localUser: environment.loginName, userID: 0, localHostName: "")
        context.session = request.session
        context.files = context.files.readOnce()
        configuration = SSHConfigFile(
            context: context, source: request.configuration ?? (environment.machine == nil ? .none : .standard),
            options: request.settings)
    }

    /// The settings for a destination given as text, together with the user and port of the request.
    ///
    /// - Throws: `UsageProblem`.
    package func settings(for destination: String) throws -> HostSettings {
        try settings(for: Self.destination(destination, user: request.user, port: request.port))
    }

    /// - Throws: `UsageProblem` for an invalid configuration.
    package func settings(for destination: SSHDestination) throws -> HostSettings {
        try HostSettings(for: destination, configuration)
    }

    /// The destination given as text, together with the options that apply to it.
    ///
    /// - Throws: `UsageProblem`.
    package static func destination(_ text: String, user: String?, port: Int?) throws -> SSHDestination {
        do {
            let named = try SSHDestination(parsing: text)
            if let user { try check(user: user) }
            return try SSHDestination(user: user ?? named.user, host: named.host, port: port ?? named.port)
        } catch let problem as SSHDestinationProblem {
            throw UsageProblem(problem)
        }
    }

    /// Checks the option separately, so that its errors are not attributed to the host.
    private static func check(user: String) throws {
        if user == "" { throw UsageProblem(field: "user", problem: "it is empty; name one after --user") }
        do { _ = try SSHDestination(user: user, host: "host") } catch let problem as SSHDestinationProblem {
            throw UsageProblem(field: "--user", problem: problem.description)
        }
    }
}

extension SSHConfigFiles {
    /// The same files, each in the state of its first reading.
    func readOnce() -> SSHConfigFiles {
        let seen = SeenFiles(self)
        var files = SSHConfigFiles(read: { seen.read($0, checkingOwner: $1) }, matching: { seen.matching($0) })
        files.parsed = ParsedConfigurationFiles()
        return files
    }
}

/// Files that were read, and patterns that were matched.
private final class SeenFiles: Sendable {
    private struct FileKey: Hashable {
        let path: String
        let checkingOwner: Bool
    }

    private let files: SSHConfigFiles
    private let contents = Mutex<[FileKey: SSHConfigFiles.Content]>([:])
    private let matches = Mutex<[String: [String]]>([:])

    init(_ files: SSHConfigFiles) {
        self.files = files
    }

    /// Reads while locked, so that a file that many hosts wait for is read once.
    func read(_ path: String, checkingOwner: Bool) -> SSHConfigFiles.Content {
        let reading = FileKey(path: path, checkingOwner: checkingOwner)
        return contents.withLock { contents in
            if let content = contents[reading] { return content }
            let content = files.read(path, checkingOwner)
            contents[reading] = content
            return content
        }
    }

    func matching(_ pattern: String) -> [String] {
        matches.withLock { matches in
            if let paths = matches[pattern] { return paths }
            let paths = files.matching(pattern)
            matches[pattern] = paths
            return paths
        }
    }
}
