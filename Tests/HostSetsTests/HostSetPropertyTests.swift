import HostSets
import SSHTestSupport
import Testing

@Suite("Properties of host sets")
struct HostSetPropertyTests {
    private static func name(_ generator: inout SeededGenerator) -> String {
        var name = ["web", "n", "r", "db-", "x.y"].randomElement(using: &generator) ?? ""
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let number = String(Int.random(in: 0...12, using: &generator))
            name +=
                (Bool.random(using: &generator) ? String(repeating: "0", count: Int.random(in: 0...2, using: &generator)) : "")
                + number
            name += ["n", "-", ".lan", "x"].randomElement(using: &generator) ?? ""
        }
        return name + "z"
    }

    @Test("folding names and expanding them gives the names back", arguments: 0..<60)
    func roundTrip(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let names = Set((0..<Int.random(in: 1...300, using: &generator)).map { _ in Self.name(&generator) })
        let folded = try HostSet(names.map { FleetHost(name: $0) }).folded
        let back = try HostSet(folded)
        #expect(Set(back.names) == names)
        #expect(back.count == names.count)
        // The order of the names does not matter.
        #expect(back.folded == folded)
    }

    @Test(
        "many names fold and expand, with any gaps",
        arguments: [(1, 90_000), (2, 150), (2, 300), (2, 90_000), (3, 30), (3, 400), (4, 13), (5, 8), (9, 3)])
    func manyNames(dimensions: Int, numbers: Int) throws {
        var generator = SeededGenerator(seed: UInt64(dimensions * numbers))
        let names = Set(
            (0..<TestExtent.choose(sample: 4000, all: 20_000)).map { _ in
                (0..<dimensions).map { _ in "n\(Int.random(in: 0..<numbers, using: &generator))" }.joined()
            })
        let folded = try HostSet(names.map { FleetHost(name: $0) }).folded
        let back = try HostSet(folded)
        #expect(Set(back.names) == names && back.count == names.count)
        #expect(back.folded == folded)
    }

    @Test("names with hostile parts fold and expand: long numbers, zeros, percent signs, other scripts", arguments: 0..<60)
    func hostileNames(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 9000)
        let parts = [
            "9999999999999999999", "10000000000000000000", "18446744073709551616", "09999999999999999999", "0", "00", "9", "10",
            String(repeating: "9", count: 38), "0" + String(repeating: "9", count: 37), String(repeating: "1", count: 39), "1",
            "2",
            "3", "%", "%s", "%%", "é", "١", "²", "-", ".", "_", "n", "=", ":", "+", "名",
        ]
        var names: Set<String> = []
        while names.count < 200 {
            let name = (0..<Int.random(in: 1...6, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
                .joined()
            // Leave out names that would be read as a port or an address.
            if (try? FleetHost(parsing: name))?.description == name, !name.contains(":") { names.insert(name) }
        }
        let folded = try HostSet(names.map { FleetHost(name: $0) }).folded
        let back = try HostSet(folded)
        #expect(Set(back.names) == names && back.count == names.count)
        #expect(back.folded == folded)
    }

    @Test("folding keeps users, ports and addresses")
    func roundTripOfLogins() throws {
        for expression in ["a@web[1-3]:22,b@db[1-2],[::1]:22,[fe80::2%eth1]:2222,fe80::[1-3],10.0.0.[1-9]:22,web[4-9]"] {
            let set = try HostSet(expression)
            #expect(Set(try HostSet(set.folded).hosts) == Set(set.hosts))
        }
    }

    @Test("operators follow set theory", arguments: 0..<30)
    func algebra(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 1000)
        func some() -> Set<String> { Set((0..<20).map { _ in "n\(Int.random(in: 0..<30, using: &generator))" }) }
        let (one, other) = (some(), some())
        func text(_ names: Set<String>) throws -> String { try HostSet(names.map { FleetHost(name: $0) }).folded }
        let (left, right) = (try text(one), try text(other))
        // Commas inside an operand do not bind more tightly, so an operand with several parts is split.
        for (sign, expected) in [
            ("!", one.subtracting(other)), ("&", one.intersection(other)), ("^", one.symmetricDifference(other)),
        ] {
            #expect(Set(try HostSet("\(left)\(sign)\(right)").names) == expected)
        }
        #expect(Set(try HostSet("\(left),\(right)").names) == one.union(other))
    }

    @Test("no hostile text crashes the parser", arguments: 0..<40)
    func hostileText(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
        let alphabet = Array("[]{}()@:!&^,*?~-/ \t\n09a1.%\\\"'#$é\u{0}\u{202E}\u{1F600}".unicodeScalars)
        let inventory = try FleetInventory(ini: "[web]\nweb[1:3]\n[db]\ndb1\n")
        for _ in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                text.append(alphabet.randomElement(using: &generator) ?? "a")
            }
            for sources in [HostSources.none, HostSources(inventory: inventory)] {
                do {
                    let set = try sources.resolve(String(text)).hosts
                    #expect(Set(try HostSet(set.folded).names) == Set(set.names), "\(text)")
                } catch let problem as HostSetProblem {
                    #expect(!problem.description.isEmpty)
                }
            }
            _ = try? FleetInventory(ini: String(text))
            _ = try? FleetInventory(yaml: String(text))
        }
    }

    @Test("deep nesting and huge numbers are refused and do not trap")
    func extremes() throws {
        let deep = 100_000
        let hostile = [
            String(repeating: "[", count: deep), String(repeating: "a[1]", count: 5000), String(repeating: "n[1-2]x", count: 200),
            "n[" + String(repeating: "9", count: deep) + "]", "n[0-" + String(repeating: "9", count: 38) + "]",
            "n" + String(repeating: "9", count: 500),
            "n[1-2/" + String(repeating: "9", count: 60) + "]", String(repeating: "@", count: 1000),
            String(repeating: "a!", count: 5000),
            "~" + String(repeating: "(", count: deep), "~" + String(repeating: "(a{1000}){1000}", count: 5), "~(a*)*(a*)*b",
            "~a**", "~[z-a]",
            "~" + String(repeating: "a?", count: 3000) + String(repeating: "a", count: 3000),
            "web[" + String(repeating: "0:", count: 100) + "]",
            "web[0:99999999999999999999]",
        ]
        let inventory = try FleetInventory(ini: "web[1:3]\n" + String(repeating: "a", count: 900) + "\n")
        for text in hostile {
            for sources in [HostSources.none, HostSources(inventory: inventory, allowsUnknown: true)] {
                do { _ = try sources.resolve(text) } catch { #expect(error is HostSetProblem) }
            }
        }
        for text in [
            String(repeating: "[", count: deep), String(repeating: "{a: ", count: deep), String(repeating: "- ", count: deep),
            (0..<2000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(), "a: &a [*a]", "? ? ? ? a",
            "a: &a {x: 1, y: 1}\n"
                + (1...40).map { "k\($0): &b\($0) [*\($0 == 1 ? "a" : "b\($0 - 1)"), *\($0 == 1 ? "a" : "b\($0 - 1)")]" }
                .joined(separator: "\n"),
            "all: {hosts: {'web[1:99999999]': }}",
        ] {
            #expect(throws: HostSetProblem.self) { try FleetInventory(yaml: text) }
        }
        for text in [
            "web[1:99999999]", "web[a:b:c]", "x[1:2][", "[" + String(repeating: "a", count: deep),
            "a " + String(repeating: "'", count: 99_999),
        ] {
            #expect(throws: HostSetProblem.self) { try FleetInventory(ini: text) }
        }
    }
}
