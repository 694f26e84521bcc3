import ErrorCore
import HostSets
import SSHRun
import Testing

import enum SSHTestSupport.TestExtent
import func SSHTestSupport.withDedicatedThread

@testable import BridgeSSHFleet

@Suite("The engine of a fleet run, simulated")
struct FleetEngineTests {
    static let ways: [(weight: Int, attempt: SimulatedFleet.Attempt)] = [
        (60, .init()),
        (8, .init(end: AttemptEnd(.failed, code: "ssh.command.exit-nonzero"))),
        (4, .init(logsIn: false, end: AttemptEnd(.error, code: "ssh.connect.refused", retry: .backoff()))),
        (4, .init(logsIn: false, end: AttemptEnd(.error, code: "ssh.auth.key-rejected"))),
        (
            3,
            .init(
                logsIn: false, end: AttemptEnd(.error, code: "ssh.connect.timed-out", retry: .backoff(), sharedProblem: .timedOut)
            )
        ),
        (
            3,
            .init(
                logsIn: false,
                end: AttemptEnd(.error, code: "ssh.banner.server-busy", retry: .backoff(), sharedProblem: .serverBusy))
        ),
        (
            2,
            .init(
                logsIn: false,
                end: AttemptEnd(.error, code: "ssh.resolve.temporary-failure", sharedProblem: .local(reason: "no name service")))
        ),
        (
            2,
            .init(
                logsIn: false,
                end: AttemptEnd(.error, code: "ssh.connect.local-resources", sharedProblem: .shortage(reason: "no descriptors")))
        ),
        (3, .init(end: AttemptEnd(.unknown, code: "ssh.session.connection-lost", retry: .backoff()))),
        (2, .init(arms: false, end: AttemptEnd(.error, code: "ssh.channel.exec-denied"))),
        (6, .init(asksPassword: true)),
        (2, .init(asksPassword: true, acceptsPassword: false)),
        (1, .init(asksPassword: true, hangsUpAtPassword: true)),
        (1, .init(asksPassword: true, sendsPassword: false)),
        (
            2,
            .init(
                asksPassword: true, logsIn: false, end: AttemptEnd(.error, code: "ssh.session.connection-lost", retry: .backoff())
            )
        ),
    ]

    /// Each host and attempt keeps its order of phases in any sequence of events.
    static func mixed(seed: UInt64) -> (Int, Int, Duration) -> SimulatedFleet.Attempt {
        let total = ways.reduce(0) { $0 + $1.weight }
        return { host, attempt, _ in
            var generator = SplitMix64(seed: seed &+ UInt64(host) &* 7919 &+ UInt64(attempt) &* 104_729)
            var number = Int.random(in: 0..<total, using: &generator)
            for way in ways {
                if number < way.weight { return way.attempt }
                number -= way.weight
            }
            return .init()
        }
    }

    /// A plan whose values are all chosen by a seed.
    static func plan(hosts: Int, seed: UInt64) throws -> EnginePlan {
        var random = SplitMix64(seed: seed)
        var plan = EnginePlan(hosts: hosts)
        plan.seed = seed
        plan.retry = RetryPolicy(
            maxAttempts: Int.random(in: 1...4, using: &random), initialDelay: .milliseconds(200), maxDelay: .seconds(5),
            isIdempotent: Int.random(in: 0..<4, using: &random) == 0)
        if Bool.random(using: &random) { plan.parallel = Int.random(in: 1...300, using: &random) }
        if Bool.random(using: &random) {
            let count = Int.random(in: 1...max(1, hosts), using: &random)
            plan.addresses = (0..<hosts).map { Int32($0 % count) }
        }
        if Int.random(in: 0..<4, using: &random) == 0 { plan.rate = Double.random(in: 20...2000, using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { plan.splay = .seconds(Int.random(in: 1...20, using: &random)) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            plan.batches = try BatchPlan.sizes(
                parsing: ["1,10%,100%", "10%", "3,7", "33.3%"][Int.random(in: 0..<4, using: &random)])
            plan.waitsBetween = Bool.random(using: &random)
        }
        let rules = ["any=1", "failed=5%", "error=10", "ssh.auth.*=3", "unknown=2"]
        if Bool.random(using: &random) {
            for text in rules where Int.random(in: 0..<3, using: &random) == 0 {
                let rule = try StopRule(parsing: text)
                if let at = try? rule.number(of: hosts, codes: ["ssh.auth.key-rejected"], runsCommand: true) {
                    plan.stop.append((rule, at))
                }
            }
            plan.stopEndsRunningCommands = Bool.random(using: &random)
        }
        return plan
    }

    @Test(
        "10,000 hosts that fail in every way: every invariant holds, and every run ends",
        arguments: 1...TestExtent.choose(sample: 2, all: 6) as ClosedRange<UInt64>)
    func large(seed: UInt64) async throws {
        try await withDedicatedThread { () async throws -> Void in
            var fleet = SimulatedFleet(try Self.plan(hosts: 10_000, seed: seed), seed: seed, script: Self.mixed(seed: seed))
            try fleet.run()
        }
    }

    @Test("small fleets of every size and setting")
    func small() async throws {
        try await withDedicatedThread { () async throws -> Void in
            for seed in 1...TestExtent.choose(sample: 500, all: 1500) as ClosedRange<UInt64> {
                var random = SplitMix64(seed: seed)
                let plan = try Self.plan(hosts: Int.random(in: 0...60, using: &random), seed: seed)
                var fleet = SimulatedFleet(plan, seed: seed, script: Self.mixed(seed: seed))
                if seed % 3 == 0 { fleet.between = { $0 == 2 ? "the check failed" : nil } }
                for _ in 0..<Int.random(in: 0...4, using: &random) where seed % 2 == 0 {
                    fleet.schedule(
                        .interrupted(reason: "interrupted"), at: .milliseconds(Int.random(in: 0...900, using: &random)))
                }
                if seed % 7 == 0 { fleet.schedule(.broken(reason: "no journal"), at: .milliseconds(300)) }
                if seed % 5 == 0 { fleet.schedule(.parallel(Int.random(in: 1...40, using: &random)), at: .milliseconds(100)) }
                do { try fleet.run() } catch { throw SimulatedFleet.Violation(description: "seed \(seed): \(error)") }
            }
        }
    }

    @Test("a host that does not accept logins yet is waited for until the limit, without using retries")
    func waitsForLogins() throws {
        let closed = AttemptEnd(.error, code: "ssh.auth.logins-closed", retry: .backoff(), reason: .closed)
        var plan = EnginePlan(hosts: 40)
        plan.wait = LoginWait(.seconds(60))
        // Host n accepts the login after n seconds; from 20 on, never; a wrong key ends it at once.
        var fleet = SimulatedFleet(plan) { host, _, now in
            if host == 39 { return .init(logsIn: false, end: AttemptEnd(.error, code: "ssh.auth.key-rejected")) }
            return host < 20 && now >= .seconds(host) ? .init() : .init(logsIn: false, end: closed)
        }
        try fleet.run()
        #expect(fleet.tally[.ok] == 20 && fleet.tally[.error] == 20)
        #expect(fleet.attempts[39] == 1)
        // 2, 3, 4.5, 6.75 and then 10 seconds apart: nine attempts in a minute.
        #expect((20..<39).allSatisfy { fleet.attempts[$0] == 9 }, "\(fleet.attempts)")
        #expect(fleet.duration > .seconds(50) && fleet.duration < .seconds(70))
    }

    @Test("a wait for logins is at least as long as the server wants")
    func waitsAsTheServerWants() throws {
        var plan = EnginePlan(hosts: 1)
        plan.wait = LoginWait(.seconds(60))
        let penalised = AttemptEnd(
            .error, code: "ssh.banner.source-penalised", retry: .backoff(minimumWait: .seconds(25)), reason: .closed)
        var fleet = SimulatedFleet(plan) { _, _, _ in .init(logsIn: false, end: penalised) }
        try fleet.run()
        #expect(fleet.attempts[0] == 3)
    }

    @Test("failures after the login use up retries, and a missing name is waited for only on request")
    func waitsAndRetries() throws {
        var plan = EnginePlan(hosts: 10)
        plan.wait = LoginWait(.seconds(60))
        plan.retry = RetryPolicy(maxAttempts: 2, initialDelay: .seconds(1), maxDelay: .seconds(5))
        let lost = AttemptEnd(.error, code: "ssh.session.connection-lost", retry: .backoff())
        let closed = AttemptEnd(.error, code: "ssh.connect.refused", retry: .backoff(), reason: .closed)
        let noName = AttemptEnd(.error, code: "ssh.resolve.host-not-found", retry: .afterFix, reason: .noName)
        let script: (Int, Int, Duration) -> SimulatedFleet.Attempt = { host, attempt, _ in
            if host == 9 { return attempt < 4 ? .init(logsIn: false, end: noName) : .init() }
            // The port is closed three times; afterwards every connection is lost.
            return attempt <= 3 ? .init(logsIn: false, end: closed) : .init(arms: false, end: lost)
        }
        var fleet = SimulatedFleet(plan, script: script)
        try fleet.run()
        #expect(fleet.attempts[9] == 1 && fleet.tally[.ok] == 0)
        // The budget of ten hosts is three retries.
        #expect(fleet.attempts.values.filter { $0 == 5 }.count == 3, "\(fleet.attempts)")
        plan.wait = LoginWait(.seconds(60), awaitsName: true)
        fleet = SimulatedFleet(plan, script: script)
        try fleet.run()
        #expect(fleet.attempts[9] == 4 && fleet.outcomes[9] == .ok)
    }

    @Test("the automatic pace grows to 256 hosts at once while there is no trouble")
    func doubling() throws {
        var fleet = SimulatedFleet(EnginePlan(hosts: 10_000)) { _, _, _ in .init() }
        try fleet.run()
        #expect(fleet.mostRunning == 256)
        #expect(fleet.tally[.ok] == 10_000)
    }

    @Test("attempts that began before the number was halved do not halve it again")
    func halvingOnce() {
        var state = AdaptiveParallelism(fixed: nil)
        for _ in 0..<5 { state.ended(.serverBusy, begun: 0) }
        #expect(state.limit == 4)
        state.ended(.serverBusy, begun: state.generation)
        #expect(state.limit == 2)
    }

    @Test("a password is not offered any more once three hosts have refused it, and more than have accepted it")
    func quarantine() {
        var password = PasswordQuarantine()
        for host in 0..<6 {
            #expect(password.wanted(by: host) == .offered)
            _ = password.answered(by: host, accepted: host < 3)
        }
        #expect(!password.isEnded && password.wanted(by: 6) == .offered)
        _ = password.answered(by: 6, accepted: false)
        #expect(password.isEnded && password.wanted(by: 7) == .refusedElsewhere)
    }

    @Test("three hosts in a row that fail for a cause on this machine pause the run")
    func pauseThreshold() {
        var pause = LocalPause(limit: .seconds(60))
        func failures(_ count: Int) -> [Bool] {
            (0..<count).map { _ in pause.failed("no network", left: 10, at: .zero) }
        }
        #expect(failures(2) == [false, false])
        #expect(pause.hostSucceeded(at: .zero) == nil)
        #expect(failures(3) == [false, false, true])
        #expect(pause.hostSucceeded(at: .zero) == "no network" && !pause.isActive)
    }

    @Test("busy servers halve the number of hosts at once")
    func halving() throws {
        var plan = EnginePlan(hosts: 4000)
        plan.retry.maxAttempts = 1
        var fleet = SimulatedFleet(plan) { host, _, _ in
            host >= 1000
                ? .init(logsIn: false, end: AttemptEnd(.error, code: "ssh.banner.server-busy", sharedProblem: .serverBusy))
                : .init()
        }
        try fleet.run()
        var state = AdaptiveParallelism(fixed: nil)
        #expect(state.limit == 8)
        #expect(fleet.tally[.error] == 3000)
        state = AdaptiveParallelism(fixed: 40)
        #expect(state.limit == 40)
        #expect(AdaptiveParallelism(fixed: 500, ceiling: 90).limit == 90)
    }

    @Test(
        "a rule stops the run exactly at its number; hosts that have not begun are skipped",
        arguments: ["any=7", "error=7", "ssh.auth.*=7"])
    func stopping(rule text: String) throws {
        let rule = try StopRule(parsing: text)
        var plan = EnginePlan(hosts: 1000)
        plan.parallel = 50
        plan.stop = [(rule, 7)]
        var fleet = SimulatedFleet(plan) { host, _, _ in
            host % 5 == 0 ? .init(logsIn: false, end: AttemptEnd(.error, code: "ssh.auth.key-rejected")) : .init()
        }
        try fleet.run()
        #expect(fleet.stopped?.rule == text)
        #expect(fleet.stoppedAt == 7)
        #expect(fleet.attempts.count < 200)
        #expect(fleet.tally[.skipped] == 1000 - fleet.attempts.count)
    }

    @Test("a lost network pauses the run, and no host fails")
    func pausing() throws {
        var plan = EnginePlan(hosts: 2000)
        plan.parallel = 20
        var fleet = SimulatedFleet(plan) { _, _, now in
            (.milliseconds(500)...(.seconds(20))).contains(now)
                ? .init(logsIn: false, end: AttemptEnd(.error, sharedProblem: .local(reason: "the network is unreachable")))
                : .init()
        }
        try fleet.run()
        #expect(fleet.pauses == ["the network is unreachable"])
        #expect(fleet.resumes == 1)
        #expect(fleet.tally[.ok] == 2000)
        // While the network is lost, one host at a time is tried.
        #expect(fleet.startTimes.filter { ($0 > .seconds(2)) && ($0 < .seconds(20)) }.count < 25)
    }

    @Test("a network that stays lost ends the run after the limit")
    func givingUp() throws {
        var plan = EnginePlan(hosts: 100)
        plan.pauseLimit = .seconds(60)
        var fleet = SimulatedFleet(plan) { _, _, _ in
            .init(logsIn: false, end: AttemptEnd(.error, sharedProblem: .local(reason: "the network is unreachable")))
        }
        try fleet.run()
        #expect(fleet.stopped?.reason == "the network is unreachable, and it was not over within 60 s")
        #expect(fleet.duration < .seconds(63))
        #expect(fleet.tally[.skipped, default: 0] > 50)
    }

    @Test("a host without a route from here fails alone and does not delay the others")
    func ownFault() throws {
        var plan = EnginePlan(hosts: 200)
        plan.parallel = 4
        var fleet = SimulatedFleet(plan) { host, _, _ in
            host % 50 == 7 ? .init(logsIn: false, end: AttemptEnd(.error, sharedProblem: .local(reason: "no route"))) : .init()
        }
        try fleet.run()
        #expect(fleet.pauses.isEmpty)
        #expect(fleet.tally[.error] == 4)
        #expect(fleet.tally[.ok] == 196)
        #expect(fleet.attempts[7] == 2)
    }

    @Test("names that cannot be resolved fail alone and do not delay the others", arguments: [0, 100, 210])
    func unresolved(first: Int) throws {
        var plan = EnginePlan(hosts: 220)
        plan.parallel = 50
        let names = first..<(first + 10)
        var fleet = SimulatedFleet(plan) { host, _, _ in
            names.contains(host)
                ? .init(logsIn: false, end: AttemptEnd(.error, sharedProblem: .unresolved(reason: "no name service"))) : .init()
        }
        try fleet.run()
        #expect(fleet.stopped == nil)
        #expect(fleet.tally[.error] == 10)
        #expect(fleet.tally[.ok] == 210)
        #expect(fleet.duration < .seconds(20))
    }

    @Test("no name can be resolved, and the run ends after the limit")
    func noNames() throws {
        var fleet = SimulatedFleet(EnginePlan(hosts: 100)) { _, _, _ in
            .init(logsIn: false, end: AttemptEnd(.error, sharedProblem: .unresolved(reason: "no name service")))
        }
        try fleet.run()
        #expect(fleet.stopped?.reason == "no name service, and it was not over within 60 s")
    }

    @Test("a wrong password is offered to at most three hosts")
    func wrongPassword() throws {
        var fleet = SimulatedFleet(EnginePlan(hosts: 1000)) { _, _, _ in .init(asksPassword: true, acceptsPassword: false) }
        try fleet.run()
        #expect(fleet.refusals == 3)
        #expect(fleet.tally[.error] == 1000)
    }

    @Test("once one host has accepted the password, all hosts get it")
    func rightPassword() throws {
        var fleet = SimulatedFleet(EnginePlan(hosts: 1000)) { host, _, _ in
            .init(asksPassword: true, acceptsPassword: host > 1)
        }
        try fleet.run()
        #expect(fleet.refusals == 2)
        #expect(fleet.tally[.ok] == 998)
    }

    @Test("a server that hangs up after the password counts as a refusal", arguments: [1, 2, 3], [0, 3])
    func hangUp(seed: UInt64, retries: Int) throws {
        var plan = EnginePlan(hosts: 1000)
        plan.retry.maxAttempts = 1 + retries
        var fleet = SimulatedFleet(plan, seed: seed) { host, _, _ in
            .init(asksPassword: true, acceptsPassword: false, hangsUpAtPassword: !host.isMultiple(of: 3))
        }
        try fleet.run()
        #expect(fleet.refusals == 3)
        #expect(fleet.tally[.error] == 1000)
    }

    @Test("a host that has accepted the password gets it again with every retry")
    func acceptedBefore() throws {
        var plan = EnginePlan(hosts: 1)
        plan.retry.maxAttempts = 4
        var fleet = SimulatedFleet(plan) { _, attempt, _ in
            attempt < 4
                ? .init(
                    asksPassword: true, hangsUpAtPassword: attempt == 2, arms: false,
                    end: AttemptEnd(.error, code: "ssh.session.connection-lost", retry: .backoff()))
                : .init(asksPassword: true)
        }
        try fleet.run()
        #expect(fleet.tally[.ok] == 1 && fleet.attempts[0] == 4 && fleet.acceptances == 1)
    }

    @Test("a password that was offered but not sent does not count")
    func notSent() throws {
        var fleet = SimulatedFleet(EnginePlan(hosts: 100)) { host, _, _ in
            .init(asksPassword: true, acceptsPassword: host >= 50, sendsPassword: host >= 50)
        }
        try fleet.run()
        #expect(fleet.refusals == 0 && fleet.tally[.ok] == 100)
    }

    @Test("retries share a budget: a tenth of the hosts, at least three", arguments: [(1000, 100), (5, 3), (40, 4)])
    func budget(hosts: Int, retries: Int) throws {
        var plan = EnginePlan(hosts: hosts)
        plan.retry.maxAttempts = 5
        var fleet = SimulatedFleet(plan) { _, _, _ in
            .init(logsIn: false, end: AttemptEnd(.error, code: "ssh.connect.refused", retry: .backoff()))
        }
        try fleet.run()
        #expect(fleet.retries == retries)
        #expect(fleet.tally[.error] == hosts)
    }

    @Test("a command that may have run is run again only if it is declared idempotent", arguments: [false, true])
    func idempotence(isIdempotent: Bool) throws {
        var plan = EnginePlan(hosts: 10)
        plan.retry.maxAttempts = 2
        plan.retry.isIdempotent = isIdempotent
        var fleet = SimulatedFleet(plan) { host, attempt, _ in
            host == 0 && attempt == 1
                ? .init(end: AttemptEnd(.unknown, code: "ssh.session.connection-lost", retry: .backoff())) : .init()
        }
        try fleet.run()
        #expect(fleet.attempts[0] == (isIdempotent ? 2 : 1))
        #expect(fleet.tally[.unknown] == (isIdempotent ? 0 : 1))
    }

    @Test("the first interrupt starts no more hosts, the second ends commands, the third leaves", arguments: [1, 2, 3])
    func interrupting(times: Int) throws {
        var plan = EnginePlan(hosts: 500)
        plan.parallel = 10
        var fleet = SimulatedFleet(plan) { _, _, _ in .init() }
        for number in 0..<times { fleet.schedule(.interrupted(reason: "interrupted"), at: .milliseconds(300 + number)) }
        try fleet.run()
        #expect(fleet.stopped?.reason == "interrupted")
        #expect(fleet.tally[.skipped, default: 0] > 300)
        if times == 1 { #expect(fleet.tally[.ok] == fleet.attempts.count) }
        if times == 3 { #expect(fleet.tally[.unknown, default: 0] + fleet.tally[.error, default: 0] == 10) }
    }

    @Test("a batch begins after the previous one has ended, and only if the step between them allows it")
    func batches() throws {
        var plan = EnginePlan(hosts: 100)
        plan.batches = try BatchPlan.sizes(parsing: "1,10%,100%")
        plan.waitsBetween = true
        var fleet = SimulatedFleet(plan) { _, _, _ in .init() }
        fleet.between = { $0 == 2 ? "the load balancer is not healthy" : nil }
        try fleet.run()
        #expect(fleet.tally[.ok] == 11)
        #expect(fleet.tally[.skipped] == 89)
        #expect(fleet.stopped?.reason == "the load balancer is not healthy")
    }
}
