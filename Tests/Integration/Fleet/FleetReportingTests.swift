import Foundation
import SSHTestSupport
import Testing

/// `fleet report`, and the files that a run leaves.
@Suite("Fleet reporting") struct FleetReportingTests {
    /// F_SETPIPE_SZ, which Swift does not import: a whole page fits.
    private static let setPipeSize: Int32 = 1031

    @Test("a named pipe without a reader is refused before the run", arguments: ["--junit", "--html"])
    func unreadPipe(option: String) async throws {
        try await FleetFixture.with { fixture in
            fixture.add("web1")
            let pipe = "\(try fixture.directory("out"))/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let before = fixture.box.connectionCount
            let run = try await fixture.fleet(["run", option, pipe, "--output", "quiet", "web1", "true"])
            // The message is broken into lines, after a path of any length.
            let said = run.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(run.exitStatus == 199 && said.contains("without a reader"), "\(run.errorOutput)")
            #expect(fixture.box.connectionCount == before)
            // With a reader it is written to.
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            try #require(reader >= 0 && fcntl(reader, Self.setPipeSize, 1 << 20) > 0)
            defer { close(reader) }
            let again = try await fixture.fleet(["run", option, pipe, "--output", "quiet", "web1", "true"])
            #expect(again.exitStatus == 0, "\(again.errorOutput)")
            var bytes = [UInt8](repeating: 0, count: 1)
            #expect(read(reader, &bytes, 1) == 1 && bytes == Array("<".utf8))
        }
    }

    @Test("the report command writes the same files as the run: text, page, test cases and JSON")
    func files() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("web\(number)") }
            fixture.add("refused1", port: 1)
            let directory = try fixture.directory("out")
            let command = "case $LC_HOST in web3) echo '<b>bad' >&2; exit 7;; *) echo fine;; esac"
            let run = try await fixture.fleet([
                "run", "--html", "\(directory)/a.html", "--junit", "\(directory)/a.xml", "--output", "quiet", "web[1-4],refused1",
                command,
            ])
            #expect(run.exitStatus == 1)
            let page = try String(contentsOfFile: "\(directory)/a.html", encoding: .utf8)
            #expect(page.contains("2 of 5 hosts are not ok: the command failed on 1 and did not run on 1."))
            #expect(page.contains("&lt;b&gt;bad") && !page.contains("<b>"))
            #expect(try String(contentsOfFile: "\(directory)/a.xml", encoding: .utf8).contains("type=\"ssh.connect.refused\""))

            let again = try await fixture.program([
                "report", "--html", "\(directory)/b.html", "--junit", "\(directory)/b.xml", "last",
            ])
            #expect(again.exitStatus == 0 && again.output.isEmpty, "\(again.errorOutput)")
            for name in ["html", "xml"] {
                let (first, second) = try (
                    String(contentsOfFile: "\(directory)/a.\(name)", encoding: .utf8),
                    String(contentsOfFile: "\(directory)/b.\(name)", encoding: .utf8)
                )
                #expect(Self.withoutNumbers(first) == Self.withoutNumbers(second))
            }

            let text = try await fixture.program(["report", "last"])
            #expect(text.exitStatus == 0)
            #expect(text.output.contains("1 host: exit status 7 [ssh.command.exit-nonzero]\n  web3"), "\(text.output)")
            #expect(text.output.contains("5 hosts in") && text.output.contains("bridge-ssh fleet resume 2"))

            let object = try JSON(parsing: Data(try await fixture.program(["report", "--json", "last"]).output.utf8))
            #expect(try JSONSchema.named("json-schema-report.json").faults(object) == [])
            let hosts = object["hosts"]?.items ?? []
            #expect(hosts.first { $0["host"]?.text == "web3" }?["result"]?["stderr"]?.text == "<b>bad\n")
        }
    }

    @Test("a resumed run's report is of all its hosts")
    func resumed() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("web\(number)") }
            fixture.add("late", port: 1)
            let directory = try fixture.directory("out")
            _ = try await fixture.fleet(["run", "--output", "quiet", "web[1-3],late", "true"])
            fixture.replace(port: 1, with: fixture.box.port)
            _ = try await fixture.words(["run"])
            let result = try await fixture.program(["resume", "--junit", "\(directory)/all.xml", "last"])
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            let cases = try String(contentsOfFile: "\(directory)/all.xml", encoding: .utf8)
            #expect(cases.contains("tests=\"4\" failures=\"0\" errors=\"0\" skipped=\"0\""))
        }
    }

    @Test("an unwritable file is refused before the first host, and an unknown run by name")
    func refusals() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("web1")
            for path in ["/nowhere/at/all.html", "-", try fixture.directory("out")] {
                let result = try await fixture.fleet(["run", "--html", path, "web1", "echo ran"])
                #expect(result.exitStatus == 199 && result.output.isEmpty && result.errorOutput.contains("--html"))
            }
            let result = try await fixture.program(["report", "last"])
            #expect(result.exitStatus == 199 && result.errorOutput.contains("there is no run"))
        }
    }

    /// Times differ by the origins of the journal's clock and of the run's clock.
    private static func withoutNumbers(_ text: String) -> String {
        text.replacing(/[0-9.]+( ms| s|")/, with: "")
    }
}
