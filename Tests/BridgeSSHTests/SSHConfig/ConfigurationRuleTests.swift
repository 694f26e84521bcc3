import BridgeSSH
import Synchronization
import Testing

/// Facts that ssh(1) cannot show: an injected environment, positions in errors, and the settings that a connection uses.
@Suite struct ConfigurationRuleTests {
    /// A machine with these files; others could have written those in `unsafe`.
    static func context(_ files: [String: String], unsafe: Set<String> = []) -> SSHConfigContext {
        var context = SSHConfigContext(home: "/home/me", localUser: "me", userID: 7, localHostName: "here.example")
        context.files = SSHConfigFiles(
            read: { path, checking in
                if checking, unsafe.contains(path) { return .unsafe }
                return files[path].map { .bytes(Array($0.utf8)) } ?? .unreadable(errno: 2)
            }, matching: { pattern in files.keys.filter { Pattern.fits(pattern, $0) }.sorted() })
        return context
    }

    static func resolve(
        _ text: String, options: [String] = [], host: String = "web1", _ change: (inout SSHConfigContext) -> Void = { _ in }
    ) throws -> SSHConfigSettings {
        var context = context(["/c": text])
        change(&context)
        return try SSHConfigFile(context: context, source: .file("/c"), options: options).resolve(host: host)
    }

    @Test("the user's file comes before the system's") func usersFileComesBeforeTheSystems() throws {
        let context = Self.context([
            "/home/me/.ssh/config": "User mine\nInclude more\nIdentityFile /a\n", "/home/me/.ssh/more": "Port 5\n",
            "/etc/ssh/ssh_config": "User theirs\nCompression yes\nInclude d/*\nIdentityFile /a\n",
            "/etc/ssh/d/x": "Port 6\nVisualHostKey yes\n",
        ])
        let resolved = try SSHConfigFile(context: context).resolve(host: "web1")
        #expect(resolved.user == "mine" && resolved.port == 5)
        #expect(resolved.isOn("compression") && resolved.isOn("visualhostkey"))
        #expect(resolved.values("identityfile") == ["/a", "/a"])
        #expect(resolved.place(of: "visualhostkey")?.description == "/etc/ssh/d/x:2")
        let none = try SSHConfigFile(context: context, source: .none, options: ["Port=9"]).resolve(host: "web1")
        #expect(none.user == "me" && none.port == 9 && !none.isOn("compression"))
    }

    @Test("missing files") func missingFiles() throws {
        let context = Self.context([:])
        #expect(try SSHConfigFile(context: context).resolve(host: "web1").port == 22)
        let problem = try #require(throws: SSHConfigProblem.self) {
            try SSHConfigFile(context: context, source: .file("/gone")).resolve(host: "web1")
        }
        #expect("\(problem.file): \(problem.problem)".contains("/gone") && problem.line == nil, "\(problem)")
    }

    @Test("the user's file must be safe") func ownFileMustBeSafe() throws {
        let path = "/home/me/.ssh/config"
        let context = Self.context([path: "User x\n"], unsafe: [path])
        let problem = try #require(throws: SSHConfigProblem.self) {
            try SSHConfigFile(context: context).resolve(host: "web1")
        }
        #expect(problem.file == path && problem.problem.contains("chmod"))
        #expect(try SSHConfigFile(context: context, source: .file(path)).resolve(host: "web1").user == "x")
    }

    @Test("the system's file may not use home directories") func systemsFileMayNotReachIntoHomes() throws {
        let context = Self.context(["/etc/ssh/ssh_config": "Port 5\nInclude ~/x\n"])
        let problem = try #require(throws: SSHConfigProblem.self) {
            try SSHConfigFile(context: context).resolve(host: "web1")
        }
        #expect(problem.file == "/etc/ssh/ssh_config" && problem.line == 2)
    }

    @Test("the command of Match exec runs only if the result depends on it") func matchExecRunsOnlyWhereItCanDecide() throws {
        let commands = Mutex<[String]>([])
        let list = { @Sendable (command: String) -> Int? in
            commands.withLock { $0.append(command) }
            return command.contains("dies") ? nil : 0
        }
        let text = """
            User x
            Match host other exec "never"
            Match user x exec "yes %h-%n-%r-%p-%u-%i-%L-%l-%k-%j-%d-%%"
            Port 7
            Match user x !exec "negated"
            Port 8
            """
        #expect(try Self.resolve(text) { $0.execute = list }.port == 7)
        #expect(commands.withLock { $0 } == ["yes web1-web1-x-22-me-7-here-here.example-web1--/home/me-%", "negated"])
        let problem = try #require(throws: SSHConfigProblem.self) {
            try Self.resolve("Match exec dies\n") { $0.execute = list }
        }
        #expect(problem.line == 1)
    }

    /// A keyword that collects values, and lines that are read again for `Match final`.
    @Test("a later pass sees the resolved host") func laterPassSeesTheResolvedHost() throws {
        let resolved = try Self.resolve("HostName Real.%h\nMatch final host real.*\nUser late\nHost real.web1\nPort 4\n")
        #expect(resolved.user == "late" && resolved.port == 4 && resolved.hostName == "real.web1")
    }

    @Test("every value has the place of its own line") func everyValueHasItsOwnPlace() throws {
        let resolved = try Self.resolve(
            "Port 9\nIdentityFile a\nPort 8\nSendEnv B\nIdentityFile c\n", options: ["SendEnv=A", "IdentityFile=o"])
        func places(_ name: String) -> [String] {
            resolved.settings.filter { $0.name == name }.map { "\($0.value) \($0.place.map { "\($0)" } ?? "default")" }
        }
        #expect(places("port").map { $0.hasSuffix(":1") } == [true])
        #expect(
            places("identityfile").map { $0.split(separator: ":").last.map(String.init) }
                == ["o -o IdentityFile=o", "2", "5"].map { Optional($0) })
        #expect(places("sendenv").first == "A -o SendEnv=A" && places("sendenv").last?.hasSuffix(":4") == true)
        #expect(places("batchmode") == ["no default"])
    }

    @Test("a user that a shell must not get is the fault of its option") func unsafeUser() throws {
        let problem = try #require(throws: SSHConfigProblem.self) { try Self.resolve("", options: ["User=a;b"]) }
        #expect(problem.file == "-o 'User=a;b'" && problem.line == nil && problem.problem.hasPrefix("“a;b”: "))
    }

    @Test("options have no line") func optionsHaveNoLine() throws {
        let problem = try #require(throws: SSHConfigProblem.self) { try Self.resolve("", options: ["Port=x"]) }
        #expect(problem.file == "-o Port=x" && problem.line == nil)
        #expect(problem.failure.code == .localConfigInvalid && problem.failure.message.contains("-o Port=x"))
    }

    @Test("paths are expanded on request") func pathsAreExpandedWhenAskedFor() throws {
        let resolved = try Self.resolve("IdentityFile ~/%r/${KEY}\nIdentityFile none\nIdentityFile ~you/k\nUser u\n") {
            $0.variable = { $0 == "KEY" ? "k%h" : nil }
            $0.homeOfUser = { $0 == "you" ? "/home/you" : nil }
        }
        // A variable's value is not expanded again.
        #expect(try resolved.paths("identityfile") == ["/home/me/u/k%h", "/home/you/k"])
        for wrong in ["~nobody/k", "%x", "a%", "${NO}", "${}", "${NO"] {
            let resolved = try Self.resolve("\nIdentityFile \(wrong)\n")
            let problem = try #require(throws: SSHConfigProblem.self) { try resolved.paths("identityfile") }
            #expect(problem.file == "/c" && problem.line == 2)
        }
    }
}
