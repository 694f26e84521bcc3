public import BridgeSSH
internal import ErrorCore
public import HostSets
internal import SSHRun
internal import Synchronization

/// Runs a command, a script or a copy on many hosts.
public enum Fleet {
    /// Runs a command or a script on every host, at most once, or copies files to or from every host. Lends the run to `body`,
    /// which reads its events.
    ///
    /// ```swift
    /// try await Fleet.withRun(.command("uptime"), on: hosts, configuration: .standard(home: home), stop: [.failures(percent:
    /// 5)]) { run in
    ///     for try await event in run.events {
    ///         if case .ended(let result) = event { print(result.host, result.outcome) }
    ///     }
    ///     print(run.summary.outcomes)
    /// }
    /// ```
    /// A failure on a host is an outcome, and never thrown. If `body` returns without having read the events, the run
    /// still continues to its end, and its output is discarded as if ``FleetLimits/streamsOutput`` were false. If `body`
    /// stops reading the events before their end, throws, or calls ``FleetRun/end()``, or if the task is cancelled, no
    /// more hosts are begun and running commands are ended. Every host still gets its outcome.
    ///
    /// - Parameters:
    ///   - action: what to do on each host.
    ///   - hosts: each must name a user unless `user` is given; the port is 22 unless the host names one.
    ///   - user: the user to log in as on hosts that name none.
    ///   - configuration: which host keys to trust and how to authenticate, on all hosts. A password is offered to one host at
    ///     a time until one has accepted it. Three refusals end its use, unless as many hosts have accepted it.
    ///   - limits: the pace of the run, and the resources that it may use.
    ///   - stop: the rules that end the run early.
    ///   - options: settings for single hosts, what happens between batches, and a journal.
    ///   - isolation: the actor on which `body` runs; the caller's.
    ///   - body: reads the events of the run.
    /// - Throws: `SSHError`: `ssh.local.usage` before any host is contacted, if there are no hosts, a host is not valid, a
    ///   command or a limit makes no sense, a rule can never apply, or nothing can be fetched into the directory; what `body`
    ///   throws.
    @discardableResult
    public static func withRun<Result>(
        _ action: FleetAction, on hosts: HostSet, user: String? = nil, configuration: SSHConnectionConfiguration,
        limits: FleetLimits = FleetLimits(), stop: [StopRule] = [], options: FleetOptions = FleetOptions(),
        isolation: isolated (any Actor)? = #isolation, _ body: (FleetRun) async throws -> Result
    ) async throws -> Result {
        let settingsByHost = try accessSettings(of: hosts, user, configuration, limits, options)
        let subject = options.journal.map { _ in action.subject }
        let resumption = try subject.flatMap {
            try options.journal?.resumption($0, input: action.input, hosts: hosts.names, isIdempotent: limits.isIdempotent)
        }
        let names = resumption?.begin ?? hosts.names
        return try await withRun(
            action.program, on: names, of: resumption?.count, settingsByHost, limits: limits, stop: stop, onEach: nil,
            isolation: isolation,
            complete: { setting in
                if let between = options.betweenBatches {
                    setting.between = between
                    setting.plan.waitsBetween = true
                }
                guard let subject, let journal = try options.journal?.open(subject, hosts: names, resumption) else { return }
                setting.run = journal.name
                setting.journal = journal
                setting.journalPlace = journal.path
                setting.earlier = resumption?.earlier ?? []
            }, body)
    }

    /// Runs a command or a script on every host, at most once, or copies files, and returns the result of every host.
    ///
    /// ```swift
    /// let results = try await Fleet.run(.command("uptime"), on: hosts, configuration: .standard(home: home))
    /// for result in results { print(result.host, result.outcome) }
    /// ```
    ///
    /// - Parameters: as for ``withRun(_:on:user:configuration:limits:stop:options:isolation:_:)``. ``FleetLimits/outputLimit``
    ///   bounds the output that is kept for each host, and ``FleetLimits/memory`` bounds it for all running hosts together.
    /// - Returns: the results of all hosts, in the order of `hosts`. In a resumed run, hosts that were not run again have their
    ///   earlier results.
    /// - Throws: as ``withRun(_:on:user:configuration:limits:stop:options:isolation:_:)``; `CancellationError`.
    public static func run(
        _ action: FleetAction, on hosts: HostSet, user: String? = nil, configuration: SSHConnectionConfiguration,
        limits: FleetLimits = FleetLimits(), stop: [StopRule] = [], options: FleetOptions = FleetOptions()
    ) async throws -> [FleetHostResult] {
        var limits = limits
        limits.streamsOutput = false
        var (results, run) = try await withRun(
            action, on: hosts, user: user, configuration: configuration, limits: limits, stop: stop, options: options
        ) { run in
            var results: [String: FleetHostResult] = [:]
            for try await event in run.events {
                if case .ended(let result) = event { results[result.host] = result }
            }
            return (results, run.summary.run)
        }
        if let journal = options.journal, journal.resuming != nil {
            for result in try journal.results(of: run) where results[result.host] == nil { results[result.host] = result }
        }
        return hosts.names.compactMap { results[$0] }
    }

    /// Connects to every host, and lends each connection to `body`. Many hosts run at once.
    ///
    /// - Parameters:
    ///   - hosts: as for ``withRun(_:on:user:configuration:limits:stop:options:isolation:_:)``.
    ///   - user: the user to log in as on hosts that name none.
    ///   - configuration: which host keys to trust and how to authenticate, on all hosts.
    ///   - parallel: how many hosts run at once, at least 1; nil for that of `limits`.
    ///   - limits: the pace of the run, and the resources that it may use.
    ///   - body: called with each connection and its host. An error that it throws is that host's failure; the other hosts go
    ///     on.
    /// - Returns: for each host, in the order of `hosts`, what `body` returned, or the error.
    /// - Throws: as ``withRun(_:on:user:configuration:limits:stop:options:isolation:_:)``; `CancellationError`.
    public static func forEach<Value: Sendable>(
        _ hosts: HostSet, user: String? = nil, configuration: SSHConnectionConfiguration, parallel: Int? = nil,
        limits: FleetLimits = FleetLimits(), _ body: @escaping @Sendable (SSHConnection, String) async throws -> Value
    ) async throws -> [(host: String, result: Result<Value, any Error>)] {
        let settingsByHost = try accessSettings(of: hosts, user, configuration, limits, FleetOptions())
        var limits = limits
        if let parallel { limits.parallel = .exactly(parallel) }
        limits.streamsOutput = false
        let values = HostValues<Value>()
        let program = FleetJob(command: nil, title: "forEach")
        var failures: [String: any Error] = [:]
        try await withRun(
            program, on: hosts.names, settingsByHost, limits: limits, stop: [],
            onEach: { connection, host in
                do {
                    values.set(.success(try await body(connection, host)), of: host)
                } catch {
                    values.set(.failure(error), of: host)
                    throw error
                }
            }
        ) { run in
            for try await event in run.events {
                if case .ended(let result) = event { failures[result.host] = result.error }
            }
        }
        try Task.checkCancellation()
        return hosts.names.map { host in
            (host, values.result(of: host) ?? .failure(failures[host] ?? CancellationError()))
        }
    }

    private static func accessSettings(
        of hosts: HostSet, _ user: String?, _ configuration: SSHConnectionConfiguration, _ limits: FleetLimits,
        _ options: FleetOptions
    ) throws -> [String: HostAccessSettings] {
        guard !hosts.names.isEmpty || limits.allowsNoHosts else {
            throw UsageProblem(field: "hosts", problem: "no hosts are given; name at least one, or set limits.allowsNoHosts")
                .verdict(ofSubcommand: nil)
        }
        try configuration.check()
        var settingsByHost: [String: HostAccessSettings] = [:]
        for host in hosts {
            var settings = FleetHostSettings(host, user: user, configuration)
            if let change = options.settings {
                try change(&settings)
                try settings.configuration.check()
                settings.command.outputLimit = limits.outputLimit
                if let refusal = SSHCommand("", options: settings.command).refusal { throw refusal }
            }
            settingsByHost[host.name] = try settings.access
        }
        return settingsByHost
    }

    /// - Parameters:
    ///   - names: the hosts to run.
    ///   - whole: the number of hosts of the whole run, if it is a resumed run with only some of them.
    ///   - complete: completes the configuration once the run is known to be possible.
    private static func withRun<Result>(
        _ program: FleetJob, on names: [String], of whole: Int? = nil, _ settingsByHost: [String: HostAccessSettings],
        limits: FleetLimits, stop: [StopRule], onEach hostBody: SSHHostRunner.Body?,
        isolation: isolated (any Actor)? = #isolation,
        complete: (inout FleetRunConfiguration) throws -> Void = { _ in }, _ body: (FleetRun) async throws -> Result
    ) async throws -> Result {
        var (plan, program) = (EnginePlan(hosts: 0), program)
        var options = SSHCommandOptions()
        options.outputLimit = limits.outputLimit
        if let refusal = SSHCommand(program.command ?? "", options: options).refusal { throw refusal }
        do {
            plan = try EnginePlan(hosts: names.count, of: whole, limits, stop: stop, runsCommand: program.mayFail)
            try program.transfer?.check()
            program.transfer?.fit(&plan)
            try program.transfer?.prepare()
        } catch let problem as FleetPlanProblem {
            throw UsageProblem(problem, isOption: false).verdict(ofSubcommand: nil)
        } catch let problem as UsageProblem {
            throw problem.verdict(ofSubcommand: nil)
        }
        plan.addresses = AddressNumbers.of(names.map { settingsByHost[$0]?.endpoint })
        let job = program
        return try await FleetConnections.with(perJumpHost: limits.connectionsPerJumpHost) { connections in
            let work = SSHHostRunner(job, connections, body: hostBody) { host in
                guard let access = settingsByHost[host] else { throw CancellationError() }
                return access
            }
            var setting = FleetRunConfiguration(
                run: makeName(), job: job, on: names, plan: plan, limits, work: work,
                output: OutputPolicy(limit: limits.outputLimit, streams: limits.streamsOutput))
            if hostBody != nil { setting.runsAfterLogin = true }
            try complete(&setting)
            return try await withRun(setting, body)
        }
    }

    /// Carries out a run while `body` reads its events.
    package static func withRun<Result>(
        _ setting: FleetRunConfiguration, isolation: isolated (any Actor)? = #isolation, _ body: (FleetRun) async throws -> Result
    ) async throws -> Result {
        let run = FleetRun(setting)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await run.conduct() }
            do {
                let result = try await body(run)
                if run.abandonEvents() { await run.end() }
                try? await group.waitForAll()
                return result
            } catch {
                run.abandonEvents()
                await run.end()
                try? await group.waitForAll()
                throw error
            }
        }
    }

    /// A name for a run. Its time alone could occur twice.
    package static func makeName() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return String((0..<10).map { _ in digits.randomElement(using: &generator) ?? "a" })
    }
}

/// A fleet run in progress, as ``Fleet/withRun(_:on:user:configuration:limits:stop:options:isolation:_:)`` lends it.
public final class FleetRun: Sendable {
    package let coordinator: FleetCoordinator
    private let queue: FleetEventQueue
    private let latest: Mutex<FleetSummary>

    init(_ configuration: FleetRunConfiguration) {
        queue = FleetEventQueue(limit: MemoryShares(of: configuration.memory).unread)
        coordinator = FleetCoordinator(configuration, queue)
        latest = Mutex(
            FleetSummary(
                run: configuration.run, hosts: configuration.names.count, outcomes: [:], groups: [], duration: .zero,
                exitStatus: 0))
    }

    /// The events of the run, in order. Output waits until it is read, so a slow reader slows the servers. Several readers share
    /// the events: each event reaches one of them.
    public var events: Events { Events(queue: queue) }

    /// The summary of the run; empty until ``events`` have ended.
    public var summary: FleetSummary { latest.withLock { $0 } }

    /// Changes how many hosts run at once.
    ///
    /// - Parameter count: less than 1 counts as 1.
    public func setParallel(_ count: Int) async { await coordinator.setParallel(count) }

    /// Ends the run: no more hosts are begun, and running commands are ended. Every host gets its outcome.
    public func end() async { await coordinator.end() }

    /// Returns when the reader has handled all events so far.
    package func untilEventsAreHandled() async { await queue.untilHandled() }

    /// Carries out the run.
    func conduct() async -> FleetSummary {
        await coordinator.conduct { [self] summary in latest.withLock { $0 = summary } }
    }

    /// Marks that the reader has stopped.
    ///
    /// - Returns: whether a reader stopped before the end.
    @discardableResult
    package func abandonEvents() -> Bool {
        defer { queue.abandon() }
        return queue.wasAbandoned
    }

    /// The events of a run, as an asynchronous sequence.
    public struct Events: AsyncSequence, Sendable {
        /// An event of the run.
        public typealias Element = FleetEvent
        let queue: FleetEventQueue

        /// Reads the events of a run.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let queue: FleetEventQueue

            /// The next event; nil at the end.
            ///
            /// - Throws: `CancellationError`.
            public mutating func next() async throws -> FleetEvent? {
                let event = await queue.next()
                if event == nil { try Task.checkCancellation() }
                return event
            }
        }

        /// An iterator. All iterators of a run share its events.
        public func makeAsyncIterator() -> AsyncIterator {
            queue.beginReading()
            return AsyncIterator(queue: queue)
        }
    }
}

/// The values that the bodies returned, by host.
final class HostValues<Value: Sendable>: Sendable {
    private let results = Mutex<[String: Result<Value, any Error>]>([:])

    func set(_ result: Result<Value, any Error>, of host: String) { results.withLock { $0[host] = result } }
    func result(of host: String) -> Result<Value, any Error>? { results.withLock { $0[host] } }
}
