import BridgeSSHFleet
import Glibc

/// A run without SSH that the tests end with SIGKILL: `journal-crash DIRECTORY SENT HOSTS [before|after COMMIT]`.
///
/// It begins a run, or resumes the one in DIRECTORY. To run the command on a host is to append the host's name to SENT. Every
/// fifth host cannot be reached the first time that a run comes to it.
@main
struct JournalCrash {
    private static let parallel = 8

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let count = Int(arguments[3]) else { exit(64) }
        let probe = Crash(arguments.dropFirst(4))
        do {
            try await run(JournalDirectory(arguments[1]), sent: arguments[2], count: count, probe)
        } catch let problem as JournalProblem {
            print("problem: \(problem.kind): \(problem.text)")
            exit(3)
        } catch {
            print("error: \(error)")
            exit(4)
        }
    }

    private static func run(_ directory: JournalDirectory, sent: String, count: Int, _ probe: Crash) async throws {
        let hosts = (0..<count).map { "host\($0)" }
        let history = RunHistory(directory)
        let isFirst = try history.names().isEmpty
        let journal =
            try isFirst
            ? SQLiteJournal.create(RunSubject(command: "append"), hosts: hosts, in: directory, probe: probe.see)
            : SQLiteJournal.resume(history.path(of: "last"), as: RunSubject(command: "append"), probe: probe.see)
        let begin = isFirst ? hosts : ResumePlan(try JournalReader(journal.path).records()).begin
        let descriptor = open(sent, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { exit(65) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, host) in begin.enumerated() {
                if index >= parallel { try await group.next() }
                group.addTask {
                    if isFirst, host.utf8.last == UInt8(ascii: "0") || host.utf8.last == UInt8(ascii: "5") {
                        return try await journal.record(FleetHostResult(host: host, outcome: .error, attempts: 1))
                    }
                    try await journal.arm(host)
                    let line = Array((host + "\n").utf8)
                    guard write(descriptor, line, line.count) == line.count else { exit(66) }
                    var result = FleetHostResult(host: host, outcome: .ok, attempts: 1, termination: .exited(0))
                    result.standardOutput = FleetKeptOutput(bytes: line)
                    try await journal.record(result)
                }
            }
            try await group.waitForAll()
        }
        let summary = FleetTally().summary(run: journal.name, duration: .zero) { $0.joined(separator: ",") }
        try await journal.finish(summary)
    }
}
