internal import ArgumentParser
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

extension ShardRun {
    /// - Throws: `UsageProblem`, `SSHError`, `CancellationError`.
    func perform() async throws -> SSHExitStatus {
        var invocation = try invocation()
        if hosts.isEmpty {
            let count = Formatted.hosts(plan.hosts.count)
            FleetProcess.note("shard \(number) of \(plan.shards) has no host, because the plan has only \(count)")
            return .success
        }
        do {
            if directory.hasJournal(ofShard: number) { try resume(&invocation) }
            invocation.shard = self
            let status = try await invocation.perform()
            return invocation.pace.dryRun ? status : try concluded(status)
        } catch let error as ShardRestartRequired {
            FleetProcess.note(error.text)
            return Self.again
        }
    }

    /// The run that the plan and this command line request.
    private func invocation() throws -> FleetInvocation {
        try refuseOptions(of: command(["run"] + own + ["host", "--", "true"]))
        var invocation = try command(plan.arguments(adding: own)).invocation()
        guard invocation.subject.command == plan.command else {
            throw UsageProblem(
                field: "--plan", problem: "the options given here change the plan's command: \(plan.command)")
        }
        invocation.subject = plan.subject(planDigest: shardDigest)
        if plan.input == nil { invocation.input = RunInputChoice(.none) }
        return invocation
    }

    private func command(_ words: [String]) throws -> FleetRunCommand {
        do {
            guard let parsed = try FleetParser.parse(words) as? FleetRunCommand else {
                throw UsageProblem(field: "--plan", problem: "the plan's arguments are not those of `fleet run`")
            }
            return parsed
        } catch let problem as UsageProblem {
            throw problem
        } catch {
            throw UsageProblem(
                field: "--plan",
                problem: "its arguments and the options given here cannot be read: \(FleetCommand.message(for: error))")
        }
    }

    /// Refuses options that a shard cannot follow.
    ///
    /// - Parameter given: the options of this command line.
    private func refuseOptions(of given: FleetRunCommand) throws {
        if let named = given.show.journal {
            throw UsageProblem(
                field: "--journal", problem: "a shard keeps its journal at \(path); leave \(named.shellWord) out"
            )
        }
        if let option = given.selection.given.first {
            throw UsageProblem(field: option, problem: "the plan has the hosts of every shard; leave \(option) out")
        }
        if given.command.namesInput, plan.input == nil {
            throw UsageProblem(
                field: "--stdin",
                problem: "by the plan the command reads nothing; leave --stdin out, or write another plan with it")
        }
        if given.show.journalCommand != "all" {
            throw UsageProblem(
                field: "--journal-command", problem: "the plan has the command, and so has every journal of a shard; leave it out"
            )
        }
    }
}
