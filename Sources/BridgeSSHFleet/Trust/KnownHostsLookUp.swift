package import BridgeSSH
internal import Synchronization

/// Whether hosts are known, by files that are read once for all hosts.
package final class KnownHostsLookUp: Sendable {
    private let contents = Mutex<[SSHKnownHostsFiles: SSHKnownHosts]>([:])

    package init() {}

    /// Whether nothing has to be asked about the host before it is connected to: a key is known for it, or what is known of it will
    /// be found out only then.
    package func isKnown(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) -> Bool {
        guard configuration.trustedHostKeys.isEmpty, configuration.knownHostsCommand == nil else { return true }
        // Files that cannot be read are the connection's to report.
        guard let content = content(of: configuration.knownHosts) else { return true }
        let name = configuration.knownHostName(of: endpoint)
        return content.lines(for: name.host, port: name.port).contains { $0.marker == .trusted }
    }

    private func content(of files: SSHKnownHostsFiles) -> SSHKnownHosts? {
        contents.withLock { contents in
            if let content = contents[files] { return content }
            guard let content = try? files.load(policy: .acceptNew), content.unreadable.isEmpty else { return nil }
            contents[files] = content
            return content
        }
    }
}
