import HostSets
import Testing

@Suite("Groups")
struct GroupTests {
    private static let yaml = """
        local:
          web: 'web[1-4]'
          db: ['db[1-2]', 'db9']
          both: '@web,@db'
          rack1: web[1-2]
          rack2: web[3-4]
          none: ''
          other: '@far:x'
          loop: '@pool'
          pool: '@loop'
        far:
          x: 'x[1-3]!x2'
          all: 'x[1-3]'
        """

    private let sources: HostSources

    init() throws {
        sources = HostSources(groups: try GroupSources(file: "/g.yaml", files: MemoryFiles(files: ["/g.yaml": Self.yaml])))
    }

    @Test(
        "groups give what nodeset gives",
        arguments: [
            ("@web", ["web1", "web2", "web3", "web4"]), ("@local:db", ["db1", "db2", "db9"]),
            ("@both!@web", ["db1", "db2", "db9"]),
            ("@rack[1-2]&web[2-9]", ["web2", "web3", "web4"]), ("@other", ["x1", "x3"]), ("@far:*", ["x1", "x2", "x3"]),
            ("@@far", ["x", "all"]),
            ("plain,@far:x", ["plain", "x1", "x3"]),
        ] as [(String, [String])])
    func groups(expression: String, names: [String]) throws {
        #expect(Set(try sources.resolve(expression).hosts.names) == Set(names))
    }

    @Test("unknown groups and sources are refused at any position")
    func unknown() throws {
        for (expression, nearest) in [("@wbe", "@web"), ("web1,@local:wbe", "@local:web"), ("@lokal:web", "local")] {
            let problem = #expect(throws: HostSetProblem.self) { try sources.resolve(expression) }
            #expect(problem?.kind == .unknownGroup)
            #expect(problem?.nearest.contains(nearest) == true, "\(problem?.description ?? "")")
        }
    }

    @Test("a group that contains itself is refused, and the circle is shown")
    func circle() throws {
        let problem = #expect(throws: HostSetProblem.self) { try sources.resolve("@loop") }
        #expect(problem?.message.contains("@local:loop → @local:pool → @local:loop") == true)
        #expect(problem?.location?.file == "/g.yaml")
    }

    @Test("groups nested too deeply are refused, and groups used often are read once")
    func depth() throws {
        let deep = "a:\n" + (0..<500).map { "  g\($0): '@g\($0 + 1)'\n" }.joined() + "  g500: x\n"
        let many =
            "a:\n" + (0..<50).map { "  g\($0): '@g\($0 + 1),@g\($0 + 1)!@g\($0 + 1),@g\($0 + 1)'\n" }.joined() + "  g50: x\n"
        let files = MemoryFiles(files: ["/d.yaml": deep, "/m.yaml": many])
        #expect(throws: HostSetProblem.self) {
            try HostSources(groups: GroupSources(file: "/d.yaml", files: files)).resolve("@g0")
        }
        #expect(try HostSources(groups: GroupSources(file: "/m.yaml", files: files)).resolve("@g0").hosts.names == ["x"])
    }

    @Test("groups.conf asks commands, with names that no shell can misread")
    func upcalls() throws {
        let files = MemoryFiles(files: [
            "/c/groups.conf": """
            [Main]
            default: asked
            autodir: $CFGDIR/groups.d /other
            [asked,second]
            map: map-of $GROUP in ${SOURCE} $$
            list: list
            """, "/c/groups.d/a.yaml": "auto: {x: 'x[1-2]'}",
        ])
        let groups = try GroupSources(file: "/c/groups.conf", files: files) { program in
            #expect(program.directory == "/c")
            switch program.arguments.last {
            case "map-of web in asked $": return "web[1-2]\nweb3\n"
            case "list": return "web empty"
            default: return ""
            }
        }
        let sources = HostSources(groups: groups)
        #expect(groups.names == ["asked", "auto", "second"])
        #expect(try sources.resolve("@web").hosts.names == ["web1", "web2", "web3"])
        #expect(try sources.resolve("@auto:x,@*").hosts.names == ["x1", "x2", "web1", "web2", "web3"])
        #expect(throws: HostSetProblem.self) { try sources.resolve("@nosuch") }
        #expect(throws: HostSetProblem.self) { try sources.resolve("@$(id)") }
        #expect(throws: HostSetProblem.self) { try sources.resolve("@a;b") }
    }

    @Test("a source whose list fails still gives its groups, and a source without a list gives an error")
    func missingLists() throws {
        let text = "[Main]\ndefault: a\n[a]\nmap: map-$GROUP\nlist: list\n[b]\nmap: map-$GROUP\n"
        let groups = try GroupSources(file: "/groups.conf", files: MemoryFiles(files: ["/groups.conf": text])) { program in
            switch program.arguments.last {
            case "map-web": return "web[1-2]"
            case "list": throw HostSetProblem(.programFailed, "The list failed.")
            default: return ""
            }
        }
        let sources = HostSources(groups: groups)
        #expect(try sources.resolve("@web,@empty").hosts.names == ["web1", "web2"])
        #expect(#expect(throws: HostSetProblem.self) { try sources.resolve("@@a") }?.message == "The list failed.")
        #expect(#expect(throws: HostSetProblem.self) { try sources.resolve("x,@@b") }?.kind == .unsupported)
    }

    @Test("a time that is not a number is refused, as nodeset does")
    func wrongCacheTime() {
        let files = MemoryFiles(files: ["/groups.conf": "[a]\nmap: x\ncache_time: often\n"])
        let problem = #expect(throws: HostSetProblem.self) { try GroupSources(file: "/groups.conf", files: files) }
        #expect(problem?.location == .init(file: "/groups.conf", line: 3))
    }

    @Test(
        "a malformed file of groups is refused with its line",
        arguments: [
            ("- a\n", Int?.none), ("a: b\n", 1), ("a:\n  1: x\n", 2), ("a:\n  'x y': z\n", 2), ("a:\n  b: {c: d}\n", 2),
            ("a: {b: [[c]]}\n", 1),
        ])
    func malformed(text: String, line: Int?) throws {
        let files = MemoryFiles(files: ["/g.yaml": text])
        let problem = #expect(throws: HostSetProblem.self) { try GroupSources(file: "/g.yaml", files: files) }
        #expect(problem?.location?.file == "/g.yaml")
        #expect(problem?.location?.line == line)
    }

    @Test("providers resolve their own names, and come before groups")
    func providers() throws {
        var sources = sources
        sources.providers = [
            "ssh": { $0.map { ["tagged-\($0)"] } ?? ["a", "b"] },
            "run": { argument in ["\(argument ?? "")".replacing(":", with: "-")] },
        ]
        #expect(try sources.resolve("@ssh!b,@ssh:prod").hosts.names == ["a", "tagged-prod"])
        #expect(try sources.resolve("@run:last:failed").hosts.names == ["last-failed"])
    }

    @Test("sets are expressed by groups as nodeset does")
    func regrouping() throws {
        func regrouped(_ expression: String) throws -> String { try simple().regrouped(HostSet(expression)) }
        func simple() throws -> HostSources {
            let text = "local: {web: 'web[1-4]', rack1: 'web[1-2]', rack2: 'web[3-4]', db: 'db[1-2]', none: ''}"
            return HostSources(groups: try GroupSources(file: "/g.yaml", files: MemoryFiles(files: ["/g.yaml": text])))
        }
        #expect(try regrouped("web[1-4],x") == "@web,x")
        #expect(try regrouped("web[1-2],db[1-2]") == "@db,@rack1")
        #expect(try regrouped("web[1-3]") == "@rack1,web3")
        #expect(try regrouped("x[1-2]") == "x[1-2]")
        #expect(try regrouped("web[1-4]:22") == "web[1-4]:22")
    }
}
