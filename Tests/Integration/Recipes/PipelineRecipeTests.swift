import Foundation
import SSHTestSupport
import Testing

/// The files for GitHub Actions and GitLab in docs/guides/scripting.md, with their commands run as the two systems run them.
@Suite("Recipes for CI systems") struct PipelineRecipeTests {
    /// A YAML file of the guide, as far as these recipes go: keys with their indentation.
    private struct Recipe {
        let lines: [Substring]

        /// The first YAML block below a heading of the guide.
        init(below heading: String) throws {
            let guide = try String(
                contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
                    path: "../../../docs/guides/scripting.md"),
                encoding: .utf8)
            let section = try #require(guide.components(separatedBy: "\n#### \(heading)\n").dropFirst().first)
            let block = try #require(section.components(separatedBy: "```yaml\n").dropFirst().first)
            lines = block.prefix { $0 != "`" }.split(separator: "\n")
        }

        private init(lines: [Substring]) { self.lines = lines }

        /// The lines below a key with more indentation.
        func below(_ key: String) throws -> Recipe {
            let start = try #require(
                lines.firstIndex { $0.drop { $0 == " " } == "\(key):" || $0.drop { $0 == " " }.hasPrefix("\(key): ") }, "\(key)")
            let depth = lines[start].prefix { $0 == " " }.count
            return Recipe(lines: Array(lines[(start + 1)...].prefix { $0.prefix { $0 == " " }.count > depth }))
        }

        /// The value of a key.
        func value(_ key: String) throws -> String {
            let found = lines.lazy.map { $0.drop { " -".contains($0) } }.first { $0.hasPrefix("\(key): ") }
            return String(try #require(found, "\(key)").dropFirst(key.count + 2))
        }

        /// The entries of a list of texts.
        var list: [String] { lines.compactMap { $0.firstMatch(of: /^ *- (.+)$/).map { String($0.1) } } }
    }

    /// A job's working directory, in which hosts are those of the user's own configuration of ssh.
    private struct Runner {
        let fixture: FleetFixture
        let directory: String
        var variables: [String: String]

        init(_ fixture: FleetFixture, _ marks: [String: String]) async throws {
            self.fixture = fixture
            directory = try fixture.directory("job")
            variables = fixture.variables
            let programs = URL(filePath: try BuiltExecutable.path("bridge-ssh")).deletingLastPathComponent().path
            variables["PATH"] = programs + ":/usr/bin:/bin"
            variables.merge(marks) { $1 }
            try await configure()
        }

        /// Writes the configuration again after hosts have changed.
        func configure() async throws {
            _ = try await fixture.words(["run"])
            _ = try fixture.directory(".ssh")
            let text = try String(contentsOfFile: fixture.home.path("config"), encoding: .utf8)
            _ = try fixture.write(text, to: ".ssh/config")
        }

        /// All commands in one shell that stops at the first that fails, as both systems do it.
        func script(_ commands: [String]) async throws -> ProcessResult {
            try await ProcessRun.run(
                "/bin/bash", ["-e", "-o", "pipefail", "-c", commands.joined(separator: "\n")], environment: .exactly(variables),
                directory: directory)
        }

        /// The test cases that Python's parser finds in a file.
        func cases(_ name: String) async throws -> String {
            let program = """
                import sys, xml.etree.ElementTree as xml
                cases = list(xml.parse(sys.argv[1]).iter("testcase"))
                print(len(cases))
                for case in cases:
                    for kind in ("failure", "error", "skipped"):
                        for found in case.findall(kind): print(case.get("name"), kind, found.get("type"))
                print([case.findtext("system-out") for case in cases if case.get("name") == "web1"])
                print([case.findtext("system-err") for case in cases if case.get("name") == "web2"])
                """
            return try await ProcessRun.run("/usr/bin/python3", ["-c", program, directory + "/" + name]).output
        }
    }

    /// How often a job ran, how it ended, and the variables of later jobs.
    private struct JobEnd: Equatable {
        let tries: Int
        let status: Int32?
        let variables: String
    }

    /// Twenty hosts: the command fails on one, and another cannot be reached.
    private static func with(_ body: (inout FleetFixture) async throws -> Void) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...20 { fixture.add("web\(number)", port: number == 3 ? 1 : nil) }
            let command = "case $LC_HOST in web2) echo no space >&2; exit 3;; esac; echo deployed; echo x >> ran"
            let made = try await fixture.fleet([
                "run", "web1", "printf '%s\\n' '#!/bin/sh' '\(command)' > deploy && chmod +x deploy",
            ])
            #expect(made.exitStatus == 0, "\(made.errorOutput)")
            try await body(&fixture)
        }
    }

    private static let cases = """
        20
        web2 failure ssh.command.exit-nonzero
        web3 error ssh.connect.refused
        ['deployed']
        ['no space']

        """

    @Test("GitHub: the step fails, has an annotation for each cause, and writes the file that the next step uploads")
    func github() async throws {
        let recipe = try Recipe(below: "GitHub Actions")
        try await Self.with { fixture in
            let runner = try await Runner(
                fixture, ["CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": fixture.home.path("summary.md")])
            let result = try await runner.script([try recipe.value("run")])
            #expect(result.exitStatus == 1)
            #expect(result.errorOutput.contains("::error title=ssh.connect.refused::web3: "), "\(result.errorOutput)")
            #expect(result.errorOutput.contains("::error title=ssh.command.exit-nonzero::web2: "))
            #expect(try await runner.cases(try recipe.value("path")) == Self.cases)
            let summary = try String(contentsOfFile: fixture.home.path("summary.md"), encoding: .utf8)
            #expect(summary.contains("2 of 20 hosts are not ok"))
        }
    }

    @Test("GitLab: the log has no syntax of another system, the report has every host, and later jobs get the code")
    func gitlab() async throws {
        let recipe = try Recipe(below: "GitLab")
        try await Self.with { fixture in
            var runner = try await Runner(fixture, ["CI": "true", "GITLAB_CI": "true"])
            let rollout = try recipe.below("rollout")
            let result = try await runner.script(rollout.below("script").list)
            #expect(result.exitStatus == 1)
            #expect(!(result.output + result.errorOutput).contains("::error"))
            #expect(try await runner.cases(try rollout.value("junit")) == Self.cases)

            let deploy = try recipe.below("deploy")
            let retried = try deploy.value("exit_codes").split { "[], ".contains($0) }.compactMap { Int32($0) }
            let most = try #require(Int(deploy.value("max")))
            func job() async throws -> JobEnd {
                var (tries, status) = (0, nil as Int32?)
                repeat {
                    tries += 1
                    status = try await runner.script(deploy.below("script").list).exitStatus
                    let after = try await runner.script(deploy.below("after_script").list)
                    #expect(after.exitStatus == 0, "\(after.errorOutput)")
                } while tries <= most && status.map(retried.contains) == true
                let file = runner.directory + "/" + (try deploy.value("dotenv"))
                return JobEnd(tries: tries, status: status, variables: try String(contentsOfFile: file, encoding: .utf8))
            }
            let good = try await job()
            #expect(good == JobEnd(tries: 1, status: 0, variables: "DEPLOY_CODE=-\n"))
            fixture.replace(port: fixture.box.port, with: 1)
            runner = try await Runner(fixture, ["CI": "true", "GITLAB_CI": "true"])
            let refused = try await job()
            #expect(refused == JobEnd(tries: most + 1, status: 193, variables: "DEPLOY_CODE=ssh.connect.refused\n"))
        }
    }
}
