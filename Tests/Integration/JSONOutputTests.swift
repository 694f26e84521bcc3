import Foundation
import SSHTestSupport
import Testing

/// Each subcommand's `--json` output, in success and in failure, follows its schema in docs/.
@Suite("JSON outputs and their schemas") struct JSONOutputTests {
    struct Output: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let schema: String
        let status: Int32
        var input = ""
        var testDescription: String { arguments.joined(separator: " ") }

        /// `ACCESS`, `COPIES` and `KNOWN` are replaced by the options for the login, `LOCAL` by a local file.
        init(_ line: String, _ schema: String, _ status: Int32 = 0, input: String = "") {
            arguments = line.split(separator: " ").map(String.init)
            (self.schema, self.status, self.input) = (schema, status, input)
        }
    }

    private static let run = "json-schema.json"
    private static let copy = "json-schema-copy.json"
    private static let doctor = "json-schema-doctor.json"
    private static let trust = "json-schema-trust.json"
    private static let config = "json-schema-config.json"
    private static let persist = "json-schema-persist.json"
    private static let classify = "json-schema-classify.json"
    private static let explain = "json-schema-explain.json"
    private static let codes = "json-schema-codes.json"

    static let outputs: [Output] = [
        Output("run --json ACCESS 127.0.0.1 id", run), Output("run --json ACCESS 127.0.0.1 exit 3", run, 3),
        Output("run --json ACCESS 127.0.0.1 cat /nope", run, 1), Output("run --json ACCESS 127.0.0.1 printf '\\377'", run),
        Output("run --json ACCESS -i /nope/key 127.0.0.1 id", run),
        Output("run --json -p 1 --config none 127.0.0.1 id", run, 193),
        Output("run --json -J NOPE, host id", run, 199), Output("run --json", run, 199),
        Output("run --json --nope h id", run, 199),
        Output("run --json ACCESS --known-hosts /dev/null -o UserKnownHostsFile=/dev/null 127.0.0.1 true", run),
        Output("copy --json COPIES LOCAL 127.0.0.1:/tmp/json", copy),
        Output("copy --json COPIES LOCAL /nope 127.0.0.1:/tmp/", copy, 1),
        Output("copy --json COPIES 127.0.0.1:/nope /tmp", copy, 1), Output("copy --json a b", copy, 199),
        Output("copy --json -P 1 --config none LOCAL 127.0.0.1:", copy, 193),
        Output("doctor --json ACCESS 127.0.0.1", doctor), Output("doctor --json -p 1 --config none 127.0.0.1", doctor, 193),
        Output("doctor --json", doctor, 199), Output("trust --json --batch KNOWN 127.0.0.1", trust),
        Output("trust --json --batch --config none -p 1 127.0.0.1", trust, 193), Output("trust --json", trust, 199),
        Output("config --json --config none host", config), Output("config --json --origin --config none -o Port=2 host", config),
        Output("config --json", run, 199), Output("persist list --json", persist), Output("persist stop --json", run, 199),
        Output("explain --json 193", explain), Output("explain --json ssh.connect.refused", explain),
        Output("explain --json nope", run, 199), Output("codes --json", codes), Output("codes --json --markdown", run, 199),
        Output("classify --json", classify, input: "ssh: connect to host x port 22: Connection refused\n"),
        Output("classify --json", classify, input: "ssh: connect to host x port 22: Connection timed out\n"),
        Output(
            "classify --jsonl", classify,
            input: #"{"exit":255,"stderr":"ssh: connect to host x port 22: Connection refused\n"}"# + "\n"),
    ]

    @Test("each output follows its schema", arguments: outputs)
    func follows(_ output: Output) async throws {
        try await ScratchDirectory.with { home in
            let box = try await SharedSandbox.plain.box()
            let known = ["--known-hosts", try await box.knownHosts(), "--config", "none", "-p", "\(box.port)"]
            let login = known + ["--batch", "--agent", "none", "-l", SandboxUser.alice.name, "-i", box.clientKeyFile]
            let local = try home.write("content\n", to: "local")
            let arguments = output.arguments.flatMap { word in
                switch word {
                case "ACCESS": login
                case "COPIES": login.map { $0 == "-p" ? "-P" : $0 }
                case "KNOWN": known
                case "LOCAL": [local]
                default: [word]
                }
            }
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), arguments,
                environment: .exactly([
                    "PATH": "/usr/bin:/bin", "HOME": home.url.path, "XDG_RUNTIME_DIR": home.url.path, "LANG": "C.UTF-8",
                ]), input: .bytes(Array(output.input.utf8)))
            #expect(result.exitStatus == output.status, "\(result.output)\(result.errorOutput)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 1, "one object a line, and one run: \(result.output)\(result.errorOutput)")
            let schema = try JSONSchema.named(output.schema)
            for line in lines {
                let object = try JSON(parsing: Data(line.utf8))
                #expect(schema.faults(object) == [], "\(line)")
            }
        }
    }

    @Test("the destination is as typed, even if it is invalid", arguments: ["run", "doctor", "trust"])
    func destination(_ subcommand: String) async throws {
        let command = subcommand == "run" ? ["true"] : []
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), [subcommand, "--json", "-o", "Bogus=1", "web1"] + command,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
        let object = try JSON(parsing: Data(result.output.utf8))
        #expect(object["destination"]?.text == "web1", "\(result.output)")
        #expect(result.exitStatus == 199)
    }

    @Test("every schema in docs/ has an identifier and is compared with an output")
    func identities() throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasPrefix("json-schema") }
        // The fleet's program and the stand-in for ssh have tests of their own.
        #expect(
            Set(names)
                == Set(Self.outputs.map(\.schema)).union([
                    "json-schema-fleet.json", "json-schema-hosts.json", "json-schema-report.json", "json-schema-ssh.json",
                ]))
        for name in names {
            let root = try JSON(parsing: Data(contentsOf: docs.appending(path: name)))
            #expect(root["$id"]?.text == "https://bridge-ssh.invalid/\(name)")
            #expect(root["$schema"]?.text == "https://json-schema.org/draft/2020-12/schema")
        }
    }
}
