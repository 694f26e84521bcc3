internal import BridgeSSHFleet
internal import SSHCommandLine

extension HostSelectionOptions {
    /// The hosts that an expression names, each with what an inventory says of how it is reached.
    ///
    /// - Parameters:
    ///   - journal: what `--journal` says, for `@run:`.
    ///   - configuration: what `-F` says, for `@ssh`.
    /// - Returns: the hosts, and what the person should know.
    /// - Throws: `HostSetProblem`.
    func named(_ expression: String, journal: String?, configuration: String?) throws -> (hosts: [NamedHost], notices: [String]) {
        let sources = try sources(for: [expression] + exclude, .ofThisProcess(journal: journal, configuration: configuration))
        let resolved = try select(expression, from: sources)
        let hosts = try resolved.hosts.map { host in
            var named = NamedHost(name: host.name)
            let variables = try sources.inventory?.variables(of: host.name)
            named.user = host.user ?? variables?.user
            named.port = host.port ?? variables?.port
            named.address = variables?.address
            named.identity = variables?.identityFile
            named.arguments = variables?.commonArguments ?? []
            if noInventoryCommands { try InventoryArguments.refuseCommands(named) }
            return named
        }
        return (hosts, resolved.notices)
    }
}
