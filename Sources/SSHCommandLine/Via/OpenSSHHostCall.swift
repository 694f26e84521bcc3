package import BridgeSSH
package import SSHRun

/// One attempt on a host of a fleet, made by OpenSSH's ssh.
package struct OpenSSHHostCall: Sendable {
    private let call: OpenSSHCall

    /// - Parameters:
    ///   - command: nil to log in and run nothing.
    ///   - variables: those of options.
    package init(
        _ route: OpenSSHRoute, command: String?, variables: [(name: String, value: String)], _ options: SSHCommandOptions,
        _ credentials: SSHCredentials, _ control: RunControl, timeline: Timeline
    ) {
        call = OpenSSHCall(
            route: route, request: command.map { .command($0, variables) } ?? .login, timeline: timeline, control: control,
            log: SilentLog(), options: options, credentials: credentials, known: KnownSecrets())
    }

    /// - Parameters:
    ///   - input: what the command reads.
    ///   - running: called when the host has let us in and the command runs.
    package func perform(
        _ sinks: (any OutputSink, any OutputSink), input: @escaping @Sendable () async throws -> [UInt8]?,
        running: @escaping @Sendable () async -> Void
    ) async -> RunOutcome.End {
        var streams = OpenSSHCall.Streams(output: .passing(sinks.0, sinks.1))
        streams.input = CommandInput(next: input, isRepeatable: true, isTerminal: false)
        streams.running = running
        return await call.perform(streams)
    }
}
