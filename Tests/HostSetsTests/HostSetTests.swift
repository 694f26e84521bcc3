import HostSets
import Testing

@Suite("Host sets")
struct HostSetTests {
    private static let nineteen = (19...111).map { "n\($0)" }

    @Test(
        "expressions give what nodeset gives",
        arguments: [
            ("web[1-3]", ["web1", "web2", "web3"]), ("web[01-03]", ["web01", "web02", "web03"]),
            ("web[1-9/4]", ["web1", "web5", "web9"]), ("n[1,3,7-9]", ["n1", "n3", "n7", "n8", "n9"]),
            ("r[1-2]n[01-02].lan", ["r1n01.lan", "r1n02.lan", "r2n01.lan", "r2n02.lan"]),
            ("n[9-11]", ["n9", "n10", "n11"]), ("n[08-10]", ["n08", "n09", "n10"]), ("[1-2]", ["1", "2"]), ("n[00]", ["n00"]),
            ("n[1-3]5", ["n15", "n25", "n35"]), ("n1[2-3]", ["n12", "n13"]), ("1[2-3]4", ["124", "134"]),
            ("n0[1-2]", ["n01", "n02"]), ("a,b", ["a", "b"]), ("a b", ["a", "b"]), ("a , b", ["a", "b"]), ("a,a", ["a"]),
            ("web[1-4]!web2", ["web1", "web3", "web4"]), ("web[1-4] !web2", ["web1", "web3", "web4"]),
            ("web[1-4]&web[3-9]", ["web3", "web4"]), ("web[1-3]^web[2-4]", ["web1", "web4"]),
            // From left to right, without precedence.
            ("a,b!a,a", ["b", "a"]), ("a!a,b&b", ["b"]), ("web[3,1-2]", ["web3", "web1", "web2"]), ("", []), ("  ", []),
            ("a!a", []), ("a^a", []),
            // The digits go before both ends of the range.
            ("n1[9-11]", nineteen),
            (
                "n[99999999999999999999-100000000000000000001]",
                [
                    "n99999999999999999999", "n100000000000000000000", "n100000000000000000001",
                ]
            ),
        ] as [(String, [String])])
    func expansion(expression: String, names: [String]) throws {
        #expect(try HostSet(expression).names == names)
    }

    @Test(
        "folding gives what nodeset gives",
        arguments: [
            ("web1,web2,web3", "web[1-3]"), ("web3,web1,web2", "web[1-3]"), ("web01,web1,web02", "web[1,01-02]"),
            ("n[05,10-120]", "n[05,10-99,100-120]"), ("n[08-11,100]", "n[08-11,100]"), ("n[8-11,100]", "n[8-11,100]"),
            ("n[05,20-21,99-101]", "n[05,20-21,99-101]"), ("n[1,3,5]", "n[1,3,5]"), ("b,a", "a,b"), ("n7", "n7"),
            ("r[1-2]n[01-16]", "r[1-2]n[01-16]"), ("x[1-3]y[1-2]!x2y2", "x[2-3]y1,x1y[1-2],x3y2"),
            ("r[1-4]n[1-4]!r2n3", "r[1,3-4]n[1-4],r2n[1-2,4]"), ("a[1-2]b[1-2]c[1-2]!a1b1c1", "a2b[1-2]c[1-2],a1b2c[1-2],a1b1c2"),
            ("deploy@web[1-3]:2222", "deploy@web[1-3]:2222"), ("10.0.0.[9-11]", "10.0.0.[9-11]"), ("[::1]:22", "[::1]:22"),
            ("2001:db8::1,2001:db8::2", "2001:db8::[1-2]"), ("", ""),
        ])
    func folding(expression: String, folded: String) throws {
        #expect(try HostSet(expression).folded == folded)
    }

    @Test("names with four numbers and many gaps fold to what nodeset gives")
    func foldingWithGaps() throws {
        let numbers = 8...11
        let names = numbers.flatMap { a in
            numbers.flatMap { b in
                numbers.flatMap { c in
                    numbers.filter { [1, 3, 4].contains((a * a * a + 3 * b * b + 5 * c * c * c + 7 * $0 * a) % 11) }
                        .map { FleetHost(name: "a\(a)b\(b)c\(c)d\($0)") }
                }
            }
        }
        let folded =
            "a11b[9-10]c11d[8-11],a11b11c9d[8-11],a8b10c10d[8,10-11],a8b8c9d[8,10-11],a8b9c8d[8,10-11],"
            + "a10b[9,11]c8d10,a10b11c10d[8,10],a10b8c11d[8,11],a10b8c8d[9,11],a10b9c9d[8,11],"
            + "a8b10c8d[8-9],a8b11c11d[8-9],a8b11c8d[9,11],a8b8c10d[8-9],a9b10c10d[10-11],a9b10c11d[8-9],"
            + "a9b10c8d[8,11],a9b11c10d[9-10],a9b11c11d[8,11],a9b8c10d[8,11],a9b8c9d[10-11],"
            + "a9b9c8d[10-11],a10b10c10d10,a10b10c11d8,a10b11c9d11,a10b8c9d10,a10b9c11d9,a8b10c9d10,"
            + "a8b11c10d11,a8b9c10d10,a8b9c11d8,a9b11c8d10,a9b8c11d9,a9b8c8d8,a9b9c11d11,a9b9c9d9"
        #expect(try HostSet(names).folded == folded)
        #expect(try HostSet(names.reversed()).folded == folded)
    }

    @Test("users and ports apply to all names of a range")
    func usersAndPorts() throws {
        let set = try HostSet("deploy@web[1-2]:2222,[::1]:22,fe80::1%eth0,db")
        #expect(
            set.hosts == [
                FleetHost(name: "web1", user: "deploy", port: 2222), FleetHost(name: "web2", user: "deploy", port: 2222),
                FleetHost(name: "::1", port: 22), FleetHost(name: "fe80::1%eth0"), FleetHost(name: "db"),
            ])
        #expect(set.map(\.description) == ["deploy@web1:2222", "deploy@web2:2222", "[::1]:22", "fe80::1%eth0", "db"])
    }

    @Test("names with different users and ports are one host")
    func identity() throws {
        #expect(try HostSet("web[1-3]:2222!web2").names == ["web1", "web3"])
        #expect(try HostSet("web1,root@web1:22").hosts == [FleetHost(name: "web1", user: "root", port: 22)])
        #expect(try HostSet("web[1-3]&root@web2:22").hosts == [FleetHost(name: "web2", user: "root", port: 22)])
    }

    @Test(
        "IPv6 addresses follow RFC 4291",
        arguments: [
            ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true), ("1:2:3:4:5:6:7::", true),
            ("::2:3:4:5:6:7:8", true),
            ("1::8", true), ("1:2:3:4:5:6:192.0.2.1", true), ("::ffff:192.0.2.1", true), ("fe80::1%eth0", true),
            ("ABCD::ef", true), ("1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:8:9", false), ("1::2::3", false), (":::", false),
            (":1::2", false), ("1:2:3:4:5:6:7:", false), ("12345::", false), ("g::", false), ("::1%", false),
            ("::1.2.3", false), ("::1.2.3.256", false), ("::+1.2.3.4", false), ("::1.+2.3.4", false), ("::1.2.3.4:5", false),
            ("1:2:3:4:5:6:7:1.2.3.4", false), ("::%", false), ("1:2:3:4:5:6:7:8::", false), ("1:2:3:4::5:6:7:8", false),
            ("1.2.3.4::", false), ("::1.2.3.", false),
        ] as [(String, Bool)])
    func addresses(text: String, isAddress: Bool) {
        #expect((try? FleetHost(parsing: text)) == (isAddress ? FleetHost(name: text) : nil))
    }

    @Test("a URL is refused, and its password is not shown") func url() throws {
        let problem = try #require(throws: HostSetProblem.self) { try FleetHost(parsing: "ssh://me:hunter2@web1") }
        #expect(problem.message == "Hosts are not written as URLs here." && !problem.description.contains("hunter2"))
        let shown = HostSetProblem(.syntax, "x", expression: "a,ssh://me:hunter2@web1", position: 2)
        #expect(!shown.description.contains("hunter2") && !shown.line.contains("hunter2"))
    }
}
