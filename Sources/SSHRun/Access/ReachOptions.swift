internal import BridgeSSH

/// The options of a command line that decide how its host is reached and which known_hosts files count. A remedy repeats them: without
/// them its command would be about another machine or file.
package struct ReachOptions: Sendable, Equatable {
    /// For every host on the way.
    private let shared: [String]
    /// For the destination, whose part the jump hosts have in their own configuration.
    private let own: [String]

    package init(shared: [String] = [], own: [String] = []) {
        self.shared = shared
        self.own = own
    }

    func put(into configuration: inout SSHConnectionConfiguration) {
        configuration.reachOptions = shared + own
        var before: [String] = []
        for index in configuration.jumpHosts.indices {
            let host = configuration.jumpHosts[index].endpoint
            let jump = before.isEmpty ? [] : ["-J", before.joined(separator: ",")]
            configuration.jumpHosts[index].configuration.reachOptions =
                shared + jump + ["-p", "\(host.port)", "-l", host.user]
            before.append(SSHEndpoint.text(host: host.name, port: host.port, user: host.user))
        }
    }
}
