package import BridgeSSH
internal import SSHRun
internal import Synchronization

/// Asks every server for its host keys, and logs in to jump hosts only.
package final class HostKeyScanRunner: HostRunner {
    private let targets: [String: TrustTarget]
    private let connections: FleetConnections
    private let openedKeys: OpenedKeys
    private let extent: HostKeyScanner.KeySelection
    private let timeLimit: Duration?
    private let scans = Mutex<[String: SSHHostKeyScan]>([:])

    /// - Parameters:
    ///   - targets: the servers, by the names that the run uses.
    ///   - extent: how many keys of each server are asked for.
    ///   - openedKeys: key files for jump hosts that are already decrypted.
    ///   - timeLimit: the most time that connecting to each server may take; nil for the limit of its configuration.
    package init(
        _ targets: [String: TrustTarget], _ connections: FleetConnections, _ extent: HostKeyScanner.KeySelection,
        openedKeys: OpenedKeys = OpenedKeys(), timeLimit: Duration? = nil
    ) {
        self.timeLimit = timeLimit
        self.openedKeys = openedKeys
        self.targets = targets
        self.connections = connections
        self.extent = extent
    }

    /// The host keys that a server has shown; nil if it could not be asked.
    package func scan(of name: String) -> SSHHostKeyScan? { scans.withLock { $0[name] } }

    package func perform(_ attempt: HostAttempt) async -> AttemptReport {
        guard let target = targets[attempt.host] else { return AttemptReport(.cancelled(signal: nil)) }
        var configuration = target.configuration
        configuration.executor = attempt.executor
        if let timeLimit { configuration.timeouts.connect = min(configuration.timeouts.connect, timeLimit) }
        connections.share(with: &configuration)
        for index in configuration.jumpHosts.indices {
            configuration.jumpHosts[index].configuration.openedKeys = openedKeys
        }
        do {
            let scan = try await SSHClient.hostKeys(
                of: target.endpoint, configuration: configuration, sharing: connections.hops, extent,
                timeLimit: timeLimit ?? HostKeyScanner.timeLimit)
            scans.withLock { $0[attempt.host] = scan }
            // The engine may now begin further hosts at this address.
            await attempt.loggedIn()
            return AttemptReport(.ended(.exited(0), nil), endpoint: target.endpoint)
        } catch {
            return AttemptReport(attempt.control.end(of: error), endpoint: target.endpoint)
        }
    }
}
