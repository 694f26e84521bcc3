import ArgumentParser
import Foundation
import SSHTestSupport

/// `ssh-sandbox attack`.
struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Run bridge-ssh against hostile servers and judge how it comes off.",
        discussion: """
            Prints a line for each attack that went wrong, one for each group, and a total. Exits with 1 if any went wrong. The
            executable is $BRIDGE_SSH, or the one beside this program; LD_LIBRARY_PATH says which libssh2 it loads.
            """)

    @Argument(help: ArgumentHelp("Only attacks whose name contains one of these.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "One of each kind, not all.")
    var quick = false

    @Flag(help: "List the attacks instead.")
    var list = false

    @Option(help: ArgumentHelp("How much memory a run may hold; by default 24 more than against an honest server.", valueName: "MiB"))
    var memory: Int?

    @Option(help: "How many attacks run at a time.")
    var jobs = 2

    func run() async throws {
        let attacks = (quick ? Attack.quick : Attack.all).filter { attack in
            names.isEmpty || names.contains(where: attack.name.contains)
        }
        guard !list else { return attacks.forEach { print($0.name) } }
        guard !attacks.isEmpty else { throw ValidationError("No attack has such a name; --list prints them.") }
        let executable = try ProcessInfo.processInfo.environment["BRIDGE_SSH"] ?? BuiltExecutable.path("bridge-ssh")
        var run = AttackRun(executable, limits: AttackRun.Limits(memory: 48 << 20))
        let baseline = try await run.baseline()
        guard baseline.ending == "success" else { throw ValidationError("Not even an honest server is served: \(baseline.ending)") }
        run.limits.memory = memory.map { $0 << 20 } ?? baseline.run.peakMemory + (24 << 20)
        let results = try await results(attacks, run)
        let wrong = results.count { !$0.problems.isEmpty }
        let skipped = results.count { !$0.isOffered }
        print("\(results.count) attacks, \(wrong) wrong" + (skipped > 0 ? ", \(skipped) not offered" : ""))
        Report.flush()
        if wrong > 0 { throw ExitCode(1) }
    }

    private func results(_ attacks: [Attack], _ run: AttackRun) async throws -> [AttackRun.Result] {
        var results: [AttackRun.Result] = []
        var waiting = Dictionary(grouping: attacks, by: \.group).mapValues(\.count)
        try await withThrowingTaskGroup(of: AttackRun.Result.self) { group in
            var rest = attacks[...]
            func begin() {
                guard let attack = rest.popFirst() else { return }
                group.addTask { try await run.result(of: attack) }
            }
            for _ in 0..<max(1, jobs) { begin() }
            while let result = try await group.next() {
                begin()
                results.append(result)
                if !result.problems.isEmpty { tell(result) }
                let name = result.attack.group
                waiting[name, default: 0] -= 1
                if waiting[name] == 0 { sum(name, results.filter { $0.attack.group == name }) }
            }
        }
        return results
    }

    private func tell(_ result: AttackRun.Result) {
        let run = result.run
        let cost = String(
            format: "%.1f s, CPU %.1f s, %d MiB", run.seconds, run.processorSeconds, run.peakMemory >> 20)
        print("WRONG \(result.attack.name): \(result.problems.joined(separator: ", ")) (\(result.ending); \(cost))")
        Report.flush()
    }

    private func sum(_ name: String, _ results: [AttackRun.Result]) {
        let wrong = results.count { !$0.problems.isEmpty }
        let offered = results.contains(where: \.isOffered) ? "" : " (not offered)"
        print("\(name): \(results.count) attacks, \(wrong) wrong\(offered)")
        Report.flush()
    }
}
