import ArgumentParser
import Foundation
import SSHTestSupport

/// `ssh-sandbox attack`.
struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Run bridge-ssh against hostile servers and judge the outcomes.",
        discussion: """
            Prints a line for each attack that went wrong, a line for each group, and a total. Exits with 1 if any went wrong. The
            executable is $BRIDGE_SSH, or the one in this program's directory. LD_LIBRARY_PATH selects its libssh2.
            """)

    @Argument(help: ArgumentHelp("Only attacks whose name contains one of these.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Run one attack of each kind only.")
    var quick = false

    @Flag(help: "List the attacks and do not run them.")
    var list = false

    @Option(
        help: ArgumentHelp("Memory limit of a run; by default 24 MiB more than a run against an honest server.", valueName: "MiB")
    )
    var memory: Int?

    @Option(help: "Number of attacks to run at a time.")
    var jobs = 2

    @Option(
        help: ArgumentHelp(
            "Try an attack that went wrong once more, with this deadline. For a busy machine.", valueName: "seconds"))
    var patience: Int?

    func run() async throws {
        let attacks = (quick ? Attack.quick : Attack.all).filter { attack in
            names.isEmpty || names.contains(where: attack.name.contains)
        }
        guard !list else { return attacks.forEach { print($0.name) } }
        guard !attacks.isEmpty else { throw ValidationError("No attack has such a name. List the names with --list.") }
        let executable = try ProcessInfo.processInfo.environment["BRIDGE_SSH"] ?? BuiltExecutable.path("bridge-ssh")
        var run = AttackRun(executable, limits: AttackRun.Limits(memory: 48 << 20))
        let baseline = try await run.baseline()
        guard baseline.ending == "success" else {
            throw ValidationError("The run against an honest server failed: \(baseline.ending)")
        }
        run.limits.memory = memory.map { $0 << 20 } ?? baseline.run.peakMemory + (24 << 20)
        var open = Dictionary(grouping: attacks, by: \.group).mapValues { (rest: $0.count, wrong: 0, isOffered: false) }
        run.limits.secondDeadline = patience
        let results = try await run.results(of: attacks, atATime: jobs) { result in
            if !result.problems.isEmpty { print("WRONG \(result)") }
            let name = result.attack.group
            guard var group = open.removeValue(forKey: name) else { return }
            group.rest -= 1
            group.wrong += result.problems.isEmpty ? 0 : 1
            group.isOffered = group.isOffered || result.isOffered
            open[name] = group
            if group.rest == 0 { print("\(name): \(group.wrong) wrong" + (group.isOffered ? "" : " (not offered)")) }
            Report.flush()
        }
        let wrong = results.count { !$0.problems.isEmpty }
        let skipped = results.count { !$0.isOffered }
        print("\(results.count) attacks, \(wrong) wrong" + (skipped > 0 ? ", \(skipped) not offered" : ""))
        Report.flush()
        if wrong > 0 { throw ExitCode(1) }
    }

    func validate() throws {
        if jobs < 1 { throw ValidationError("--jobs must be 1 or more.") }
        if let memory, memory < 1 { throw ValidationError("--memory must be 1 or more.") }
    }
}
