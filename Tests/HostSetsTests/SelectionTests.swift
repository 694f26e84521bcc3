import HostSets
import Testing

@Suite("Selections of hosts")
struct SelectionTests {
    @Test("parts are consecutive, and their sizes differ by at most one")
    func split() throws {
        let set = try HostSet("web[1-10]")
        #expect(set.split(into: 3).map(\.folded) == ["web[1-4]", "web[5-7]", "web[8-10]"])
        #expect(set.split(into: 20).count == 10)
        #expect(HostSet().split(into: 3).isEmpty)
    }

    @Test("a random choice has the requested size, keeps the order, and depends only on the seed")
    func pick() throws {
        let set = try HostSet("web[1-100]")
        let picked = set.picked(10, seed: 7)
        #expect(picked.count == 10)
        #expect(picked == set.picked(10, seed: 7))
        #expect(picked != set.picked(10, seed: 8))
        #expect(picked.names == set.names.filter(picked.names.contains))
        #expect(Set(set.ordered(.shuffled).picked(10, seed: 7).names) == Set(picked.names))
        #expect(set.picked(1000) == set)
    }

    @Test("orders are as given, by number, and at random")
    func order() throws {
        let set = try HostSet("web10,web9,db2,web09")
        #expect(set.ordered(.given).names == ["web10", "web9", "db2", "web09"])
        #expect(set.ordered(.sorted).names == ["db2", "web9", "web09", "web10"])
        #expect(set.ordered(.shuffled, seed: 3) == set.ordered(.shuffled, seed: 3))
        #expect(Set(set.ordered(.shuffled).names) == Set(set.names))
    }

    @Test("hosts are left out by name")
    func exclusion() throws {
        #expect(try HostSet("root@web[1-3]:22").subtracting(HostSet("web2")).names == ["web1", "web3"])
    }

    @Test("a list has a host or an expression on each line")
    func list() throws {
        let hosts = try HostList.parse("web1 # one\n\n# none\r\nroot@web[2-3]:22\nweb1\n", file: "l")
        #expect(hosts.map(\.description) == ["web1", "root@web2:22", "root@web3:22"])
        let problem = #expect(throws: HostSetProblem.self) { try HostList.parse("a\nb[\n", file: "l") }
        #expect(problem?.location == .init(file: "l", line: 2))
    }

    @Test(
        "a line means the same as an expression",
        arguments: [
            "a:22", "u@a", "u@a:22", "u@v@a", "[::1]:22", "u@[::1]:22", "[::1]", "::1", "fe80::1%eth0", "u@[n1-3]", "[1-3]",
            "n[1-2]:22",
            "[1-3]:22", "[::1][::2]", "[::1]:[22]", "n[::1]", "a:b", "a:0", "@a", "@a:b", "u@", "-u@a", "u%v@a", "1%", "a:",
            ":22", "a,b",
            "[a]", "[::1", "::1]", "a@[::g]", ".a:22", "u@.", "u@..:22", "a b", "a/b:22",
        ])
    func listedExpression(line: String) {
        let expression = Result { try HostSet(line) }
        switch Result(catching: { try HostList.parse(line, file: "l") }) {
        case .success(let hosts): #expect(hosts == (try? expression.get()))
        case .failure(let problem):
            #expect(throws: HostSetProblem.self) { try expression.get() }
            #expect((problem as? HostSetProblem)?.location == .init(file: "l", line: 1))
        }
    }

    @Test(
        "each line of a file is one expression, with any bytes",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n\r\nb\r\n", ["a", "", "b"]), ("a\rb\n", ["a\rb"]),
            ("a\u{2028}b\u{B}c\u{85}d\n", ["a\u{2028}b\u{B}c\u{85}d"]), ("a\0b\n\n \n", ["a\0b", "", " "]),
        ] as [(String, [String])])
    func expressionLines(text: String, lines: [String]) {
        #expect(ExpressionLine.lines(of: Array(text.utf8)).map(\.text) == lines)
    }

    @Test("a line that is not UTF-8 is refused, and the others are not")
    func invalidLine() throws {
        let lines = ExpressionLine.lines(of: [UInt8(ascii: "a"), 10, 0xFF, UInt8(ascii: "b"), 10, UInt8(ascii: "c")])
        #expect(lines.map(\.text) == ["a", "\u{FFFD}b", "c"])
        #expect(try lines[0].resolve(HostSources.none.resolve).hosts.names == ["a"])
        #expect(try lines[2].resolve(HostSources.none.resolve).hosts.names == ["c"])
        let problem = #expect(throws: HostSetProblem.self) { try lines[1].resolve(HostSources.none.resolve) }
        #expect(problem?.message == "The line is not valid UTF-8.")
    }
}
