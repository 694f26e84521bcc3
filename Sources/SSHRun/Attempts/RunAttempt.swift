package import BridgeSSH

/// One attempt of a run, as a carrier gets it.
package struct RunAttempt: Sendable {
    package let plan: RunPlan
    package let context: RunContext
    package let access: CompletedAccess
    /// Where this attempt's output goes.
    package let streams: RunStreams
    /// Records whether input was taken that no other attempt could read.
    package let inputUse: InputUse
    /// The secrets of all attempts: a server may print at the next one what it received at the last.
    package let secrets: KnownSecrets

    package init(
        plan: RunPlan, context: RunContext, access: CompletedAccess, streams: RunStreams, inputUse: InputUse = InputUse(),
        secrets: KnownSecrets = KnownSecrets()
    ) {
        self.plan = plan
        self.context = context
        self.access = access
        self.streams = streams
        self.inputUse = inputUse
        self.secrets = secrets
    }

    package var control: RunControl { context.control }

    /// A record of a connection, which reports what happens to the run's log.
    package func timeline() -> Timeline { Timeline(observer: context.log, logger: context.logger, secrets: secrets) }

    /// The command's options, with the terminal as it is now.
    package var commandOptions: SSHCommandOptions {
        var options = plan.commandOptions
        guard plan.wantsTerminal else { return options }
        let size = context.terminal?.size ?? (80, 24)
        var pty = SSHPTYOptions(terminal: plan.terminalType, columns: size.columns, rows: size.rows)
        pty.modes = context.terminal?.modes(for: plan.terminalType) ?? []
        options.pty = pty
        return options
    }

    /// The command runs.
    package func began(_ command: any ControlledCommand, inputIsTerminal: Bool) {
        control.running(command, hasTerminal: plan.wantsTerminal)
        if plan.wantsTerminal, inputIsTerminal { context.terminal?.makeRaw() }
    }

    package func end(by error: any Error) -> RunOutcome.End { context.control.end(of: error) }
}

extension RunControl {
    /// The outcome for an error that ended a run's work.
    package func end(of error: any Error) -> RunOutcome.End { named(RunOutcome.End(error, signal: signal)) }

    /// The outcome with the name of the signal that ended the run, where one did.
    package func named(_ end: RunOutcome.End) -> RunOutcome.End {
        switch end {
        case .failed(let error): .failed(named(error))
        case .cancelled(nil): .cancelled(signal: signal)
        default: end
        }
    }
}

/// Carries one attempt of a run to its host and back: over a connection of its own, over one that another process keeps, or, in
/// a simulation, over none.
package protocol CommandCarrier: Sendable {
    func perform(_ attempt: RunAttempt) async -> RunOutcome
}
