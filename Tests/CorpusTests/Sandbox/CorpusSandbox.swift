import Foundation
import SSHTestSupport

/// The sandbox of the corpus: separate namespaces with inaccessible places, a loopback-only network, misbehaving servers, and the
/// six languages. The script `prepare` in this folder sets it up. All processes in it end with it.
struct CorpusSandbox: Sendable {
    /// The first process in the namespaces.
    let keeper: Int32

    /// Gives `body` the sandbox, and removes it when the closure ends.
    static func with(_ body: @escaping @Sendable (CorpusSandbox) async throws -> Void) async throws {
        try await ScratchDirectory.with { scratch in
            try await makeLocales(in: scratch.path("locales"))
            let arguments = [
                "--mount", "--net", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation",
                "private", script, scratch.url.path,
            ]
            let result = try await ProcessRun.run("unshare", arguments, input: .pipe, limit: .seconds(1200)) { process in
                do {
                    try await process.standardOutput.wait(for: "ready")
                } catch {
                    throw NotReady(said: process.standardError.text)
                }
                try await body(CorpusSandbox(keeper: try firstChild(of: process.pid)))
            }
            guard result.termination == .exited(0) else { throw NotReady(said: result.errorOutput) }
        }
    }

    /// `unshare --fork` itself stays outside the process namespace that it makes.
    private static func firstChild(of pid: Int32) throws -> Int32 {
        let children = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        guard let child = children.split(separator: " ").first.flatMap({ Int32($0) }) else { throw NotReady(said: "no child") }
        return child
    }

    /// The sandbox could not be set up.
    struct NotReady: Error, CustomStringConvertible {
        let said: String
        var description: String { "\(CorpusSandbox.script) failed (does scripts/bootstrap --check find all it needs?):\n\(said)" }
    }

    /// Runs an entry as sshd would: the user's login shell gets the command line.
    func run(_ entry: Entry, number: Int) async throws -> Outcome {
        let directory = "/srv/desk/\(number)"
        let environment = [
            "env", "-i", "PATH=/usr/bin:/bin", "HOME=/home/\(entry.user)", "USER=\(entry.user)",
            "LOGNAME=\(entry.user)", "LANG=\(entry.language.rawValue)", "SHELL=\(entry.shell.path)",
        ]
        let identity = ["setpriv", "--reuid", entry.user, "--regid", entry.user, "--clear-groups"]
        let steps = #"mkdir "$1" && cd "$1" && { eval "$2"; } >/dev/null 2>&1; exec -a "$3" "$4" -c "$5""#
        let result = try await ProcessRun.run(
            "nsenter",
            ["--target", "\(keeper)", "--mount", "--net", "--uts", "--ipc", "--pid"] + environment + identity
                + [
                    "bash", "-c", steps, "steps", directory, entry.given + "\n:", entry.shell.name, entry.shell.path,
                    entry.command,
                ],
            limit: .seconds(60))
        let status: Int =
            switch result.termination {
            case .exited(let status): Int(status)
            case .signalled(let signal): 128 + Int(signal)
            }
        return Outcome(status: status, standardOutput: result.output, standardError: result.errorOutput)
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("prepare").path

    /// The languages' data, from Debian's package `locales`.
    private static func makeLocales(in directory: String) async throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "/usr/lib/locale/C.utf8", toPath: directory + "/C.utf8")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for language in Language.translated {
                let source = String(language.rawValue.prefix { $0 != "." })
                group.addTask {
                    try await ProcessRun.check(
                        "localedef", ["--no-archive", "-i", source, "-f", "UTF-8", "\(directory)/\(language.rawValue)"])
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The result of an entry's command.
struct Outcome: Sendable, Hashable {
    let status: Int
    let standardOutput: String
    let standardError: String
}
