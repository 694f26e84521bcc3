import Testing

@testable import SSHCommandLine

@Suite("ssh's own command line") struct SSHArgumentsTests {
    @Test(
        "destination and command",
        arguments: [
            ("web1", "web1", ""),
            ("-p 22 web1 uptime", "web1", "uptime"),
            ("web1 -p 22 uptime -a", "web1", "uptime -a"),
            ("-vvvp22 web1 -- -x", "web1", "-x"),
            ("-- web1 -p 22", "web1", "-p 22"),
            ("web1 -- ls -l", "web1", "ls -l"),
            ("-o LogLevel=QUIET -L 1:a:2 -J jump ssh://me@web1:22 true", "ssh://me@web1:22", "true"),
            ("-P tag web1", "web1", ""),
        ])
    func places(_ line: String, _ destination: String, _ command: String) {
        let arguments = SSHArguments(line.split(separator: " ").map(String.init))
        #expect(arguments.destination == destination)
        #expect(arguments.command.joined(separator: " ") == command)
        #expect(!arguments.needsNoVerdict)
    }

    @Test(
        "calls that only query ssh",
        arguments: ["-V", "-G web1", "-Q cipher", "-O check web1", "-y web1", "-p 22", "", "-vOexit web1"])
    func questions(_ line: String) {
        #expect(SSHArguments(line.split(separator: " ").map(String.init)).needsNoVerdict)
    }

    @Test(
        "the level as ssh computes it (ssh.c: main)",
        arguments: [
            ("web1", nil), ("-v web1", .debug1), ("-vv web1", .debug2), ("web1 -vvvv true", .debug3), ("-q web1", .quiet),
            ("-q -v web1", .debug1), ("-v -q web1", .quiet), ("-vqv web1", .fatal), ("-o LogLevel=ERROR web1", .error),
            ("-oLogLevel=error -v web1", .debug1), ("-v -oLogLevel=error web1", .debug1),
            ("-o loglevel=VERBOSE -oLogLevel=quiet web1", .verbose),
            ("web1 true -v", nil),
        ] as [(String, SSHLogLevel?)])
    func level(_ line: String, _ level: SSHLogLevel?) {
        #expect(SSHArguments(line.split(separator: " ").map(String.init)).level == level)
    }

    @Test("a setting with blanks") func blanks() {
        #expect(SSHArguments(["-o", "LogLevel  ERROR", "web1"]).level == .error)
        #expect(SSHArguments(["-o", "LogLevel = \"ERROR\"", "web1"]).level == .error)
        #expect(SSHArguments(["-oUpdateHostKeys=ask", "web1"]).asksAboutHostKeys)
        #expect(SSHArguments(["-o", "LogVerbose=kex.c:*", "web1"]).setsLogVerbose)
    }

    @Test("the place of the last -E") func logFile() {
        var found = SSHArguments(["-E", "one", "web1", "-vEtwo", "true"]).logFile
        #expect(found?.path == "two" && found?.place == .init(argument: 3, offset: 3))
        found = SSHArguments(["-Eone", "-E", "two", "web1", "-E"]).logFile
        #expect(found?.path == "two" && found?.place == .init(argument: 2, offset: 0))
    }

    @Test("options of bridge-ssh ssh before ssh's arguments") func own() {
        func call(_ line: String) -> [Int]? {
            StandIn.ownOptions(of: ("bridge-ssh ssh " + line).split(separator: " ").map(String.init)).map {
                [$0.first, $0.retries ?? -1]
            }
        }
        #expect(call("web1 --retries 3") == [2, -1])
        #expect(call("--retries 3 -- -p 22 web1") == [5, 3])
        #expect(call("--retries=0 web1") == [3, 0])
        #expect(call("-- web1") == [3, -1])
        #expect(call("--help") == nil)
        #expect(call("--retries many web1") == nil)
    }
}
