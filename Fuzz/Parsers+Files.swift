@testable import SSHConfig
@testable import SSHTrust

/// Files of OpenSSH's.
extension Parsers {
    /// ssh_config, with an `Include` of itself.
    @Sendable static func configuration(_ bytes: [UInt8]) {
        var context = SSHConfigContext(home: "/home/ann", localUser: "ann", userID: 1000, localHostName: "desk.example")
        context.files = SSHConfigFiles(
            read: { path, _ in path.hasSuffix("missing") ? .unreadable(errno: 2) : .bytes(bytes) },
            matching: { [$0] })
        context.variable = { $0 == "HOME" ? "/home/ann" : nil }
        context.execute = { _ in 0 }
        let configuration = SSHConfigFile(context: context, source: .file("/config"))
        _ = try? configuration.resolve(host: "web1")
    }

    @Sendable static func knownHosts(_ bytes: [UInt8]) { _ = KnownHostsContent(bytes, file: "known_hosts") }
}
