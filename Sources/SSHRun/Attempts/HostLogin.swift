package import BridgeSSH

/// Connects to a host and authenticates: the beginning of a run, and of a copy.
package struct HostLogin: Sendable {
    private let endpoint: SSHEndpoint
    private let access: CompletedAccess
    private let context: RunContext

    package init(_ plan: AccessPlan, _ access: CompletedAccess, _ context: RunContext) {
        endpoint = plan.endpoint
        self.access = access
        self.context = context
    }

    /// Connects. The caller closes the connection.
    ///
    /// - Parameters:
    ///   - timeline: records it; the times are in it also if it fails.
    ///   - adjust: changes the configuration once it is complete.
    /// - Throws: `SSHError`; `UsageProblem` for a secret that cannot be read; what asking throws.
    package func connect(
        _ timeline: Timeline, adjust: @Sendable (inout SSHConnectionConfiguration) -> Void = { _ in }
    ) async throws -> SSHConnection {
        context.control.isConnected(false)
        var configuration = try await access.configuration()
        adjust(&configuration)
        let connection = try await context.connect(endpoint, configuration, timeline)
        // What was started at the server has to be ended in order from now on.
        context.control.isConnected(true)
        return connection
    }
}
