import HostSets
import Testing

@Suite("Patterns with an inventory")
struct PatternTests {
    private let sources: HostSources

    init() throws {
        sources = HostSources(
            inventory: try FleetInventory(
                ini: """
                    [web]
                    web[1:4]
                    [db]
                    db[1:2].lan
                    web4
                    [eu]
                    web1
                    db1.lan
                    [empty]
                    """))
    }

    @Test(
        "Ansible's patterns give the same hosts as in Ansible",
        arguments: [
            ("web", ["web1", "web2", "web3", "web4"]), ("web:db", ["web1", "web2", "web3", "web4", "db1.lan", "db2.lan"]),
            ("web:!db", ["web1", "web2", "web3"]), ("web:&eu", ["web1"]), ("!db:web", ["web1", "web2", "web3"]),
            ("web:!eu:&db", ["web4"]), ("web,!db", ["web1", "web2", "web3"]), ("!db", ["web1", "web2", "web3"]),
            ("web[0:1]", ["web1", "web2"]), ("web[2:]", ["web3", "web4"]), ("web[1:1]:eu", ["web2", "web1", "db1.lan"]),
            ("*.lan", ["db1.lan", "db2.lan"]), ("~db\\d", ["db1.lan", "db2.lan"]),
            ("~we(?<=e)(?<!w{2}|xx|(?=y*)yy)b1", ["web1"]), ("~(?P<a_1>w)(?P<é>e)b2", ["web2"]),
            ("~web[12]$:db1.lan", ["web1", "web2", "db1.lan"]),
            ("~(?!web).*", ["web1", "web2", "web3", "web4", "db1.lan", "db2.lan"]), ("w*", ["web1", "web2", "web3", "web4"]),
            ("web3", ["web3"]), ("all:!web:!db", []), ("eu[0:0]", ["web1"]),
            // Without the colon: nodeset's operators, from left to right.
            ("web!db", ["web1", "web2", "web3"]), ("web&eu,db2.lan", ["web1", "db2.lan"]), ("web[1-2]", ["web1", "web2"]),
            ("@web!web[2-4]", ["web1"]),
            ("deploy@web[1-2]:22", ["deploy@web1:22", "deploy@web2:22"]), ("root@eu", ["root@web1", "root@db1.lan"]),
            ("@*!web", ["db1.lan", "db2.lan"]),
        ] as [(String, [String])])
    func patterns(pattern: String, hosts: [String]) throws {
        #expect(Set(try sources.resolve(pattern).hosts.map(\.description)) == Set(hosts))
    }

    @Test("an unknown name is refused with the nearest ones, unless it is allowed")
    func unknown() throws {
        for (name, nearest) in [("wbe1", "web1"), ("db1.la", "db1.lan"), ("evu", "eu"), ("web[4-6]", "web1"), ("web:!dc", "db")] {
            let problem = #expect(throws: HostSetProblem.self) { try sources.resolve(name) }
            #expect(problem?.kind == .unknownHost)
            #expect(problem?.nearest.contains(nearest) == true, "\(problem?.description ?? "")")
        }
        var allowing = sources
        allowing.allowsUnknown = true
        #expect(try allowing.resolve("wbe1,web1").hosts.names == ["wbe1", "web1"])
        let group = #expect(throws: HostSetProblem.self) { try sources.resolve("@wbe,web1") }
        #expect(group?.kind == .unknownGroup)
        #expect(group?.nearest.first == "@web")
    }

    @Test("a pattern without a match gives a notice if others match, and is refused if it is the only one")
    func nothing() throws {
        let resolved = try sources.resolve("x*,web1,@empty")
        #expect(resolved.hosts.names == ["web1"])
        #expect(resolved.notices.count == 2)
        for pattern in ["x*", "@empty", "empty", "~x", "x*,@empty", "web[7:]"] {
            let problem = #expect(throws: HostSetProblem.self) { try sources.resolve(pattern) }
            #expect(problem?.kind == .nothingMatches, "\(pattern)")
        }
        #expect(try sources.resolve("web1!web*").hosts.isEmpty)
    }

    @Test(
        "invalid patterns are refused",
        arguments: [
            "web:db^eu", "web:db!eu", "web[-1:]", "web[:2]", "web[0:2]x", "web[0:x]", "~(", "~[", "~*", "~a\\1", "web:!",
            "web[a]", "~(?P=x)", "~(?P<1>w)", "~(?P<>w)", "~(?P<a b>w)", "~(?P<a>w)(?P<a>e)", "~(?<=w+)e", "~(?<!w|we)b",
            "~(?<=(?:a|bc){2})d",
        ])
    func refused(pattern: String) throws {
        let problem = #expect(throws: HostSetProblem.self) { try sources.resolve(pattern) }
        #expect(problem?.kind == .syntax, "\(problem?.description ?? "")")
        #expect(problem?.position != nil)
    }
}
