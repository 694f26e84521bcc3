import SSHTestSupport
import Testing

@testable import HostSets

@Suite("Refused host expressions")
struct RefusalTests {
    @Test(
        "expressions that nodeset refuses are refused, with the position",
        arguments: [
            ("web[1-", 3), ("web[", 3), ("web]", 3), ("a[1]]", 4), ("a[[1]]", 2), ("a[]", 2), ("a[1,]", 4), ("a[,1]", 2),
            ("a[1-2][3]", 6),
            ("a[3-1]", 2), ("a[1-2/0]", 6), ("a[1/2]", 2), ("a[x]", 2), ("a[1-]", 4), ("a[1-010]", 4), ("a[01-2]", 5),
            ("a[1-2/]", 6),
            ("a,", 1), (",a", 0), ("a,,b", 2), ("a!", 1), ("a!,b", 2), ("!a", 0), ("a&&b", 2), ("n[1-3/2]5", 8),
            ("a[1-2/3/4]", 7),
        ])
    func syntax(expression: String, position: Int) throws {
        let problem = #expect(throws: HostSetProblem.self) { try HostSet(expression) }
        #expect(problem?.kind == .syntax)
        #expect(problem?.position == position, "\(problem?.description ?? "")")
        #expect(problem?.expression == expression)
    }

    @Test(
        "blanks and signs in brackets are refused, although nodeset accepts them",
        arguments: [
            "web[1 -3]", "web[1, 2]", "web[ 1]", "web[-3]", "web[-3-5]", "web[1-+3]", "web[1-3/+2]", "web[1-2-3]", "web[1--3]",
        ])
    func decided(expression: String) throws {
        #expect(throws: HostSetProblem.self) { try HostSet(expression) }
    }

    @Test(
        "names that a shell, a path or a terminal would misread are refused",
        arguments: [
            "-oProxyCommand=x", "a/b", "..", "a;b", "$(x)", "a`b`", "a|b", "a'b", "a\"b", "a\u{7}b", "a\u{202E}b", "a{b}", "a<b",
            "a#b", "@",
            "a\\b", "web:x", "a:1:2", "web:0", "web:65536", "[::1", "[::1]x", "~a", "-u@web", "a@-b", ":22", "web:",
        ])
    func names(name: String) throws {
        #expect(throws: HostSetProblem.self) { try HostSet(name) }
    }

    @Test("without an inventory Ansible's patterns are refused, with the remedy", arguments: ["web:!db", "~web", "web[0:2]"])
    func patternsWithoutInventory(pattern: String) throws {
        let problem = #expect(throws: HostSetProblem.self) { try HostSet(pattern) }
        #expect(problem?.description.contains("inventory") == true, "\(problem?.description ?? "")")
    }

    @Test(
        "one host with two ports or two users is refused",
        arguments: ["web:22,web:23", "a@web,b@web", "web[1-2]:22,web2:23", "web:22&web:23"])
    func contradictions(expression: String) throws {
        let problem = #expect(throws: HostSetProblem.self) { try HostSet(expression) }
        #expect(problem?.kind == .contradiction)
    }

    @Test(
        "a program's remedy names no option; the command line's does",
        arguments: ["@nothing", "@no:thing", "web*", "~web", "db1"])
    func wordsForBothReaders(expression: String) throws {
        let sources = expression == "db1" ? HostSources(inventory: try FleetInventory(ini: "web1")) : .none
        let problem = try #require(throws: HostSetProblem.self) { try HostSet(expression, sources: sources) }
        #expect(problem.remedy?.contains("HostSources") == true && !problem.description.contains("--"), "\(problem)")
        #expect(problem.forCommandLine.description.contains("--"), "\(problem.forCommandLine)")
    }

    @Test("other remedies are the same for both", arguments: ["web[0:2]", "!web", "web[ab]", "a&", "a,,b", "web[1-2-3]", "a:0"])
    func wordsWithoutOptions(expression: String) throws {
        let problem = try #require(throws: HostSetProblem.self) { try HostSet(expression) }
        #expect(!problem.description.contains("--") && problem.forCommandLine == problem, "\(problem)")
    }

    @Test("a caret marks the position")
    func caret() throws {
        let problem = #expect(throws: HostSetProblem.self) { try HostSet("web[1-3],db[1 -3]") }
        #expect(
            problem?.description == """
                There is a blank between the brackets.
                  web[1-3],db[1 -3]
                               ^
                Write the range without blanks: [1-20].
                """)
    }

    @Test(
        "a caret is in the right column, after any text",
        arguments: [
            ("名前[1-3", "  名前[1-3", 6), ("e\u{301}[1-3", "  e\u{301}[1-3", 3), ("a\tb[1 -3]", "  a\\u{9}b[1 -3]", 11),
            ("ｗ１[1 -3]", "  ｗ１[1 -3]", 8), ("😀[x]", "  😀[x]", 5),
        ])
    func columns(expression: String, shown: String, column: Int) throws {
        let problem = try #require(#expect(throws: HostSetProblem.self) { try HostSet(expression) })
        #expect(problem.caret == [shown, String(repeating: " ", count: column) + "^"])
    }

    @Test(
        "too many hosts are refused with their number",
        arguments: [
            ("web[1-1000001]", "This names 1,000,001 hosts"), ("a[1-2000]b[1-2000]", "This names 4,000,000 hosts"),
            ("1[1-999999]", "This names 1,999,989 hosts"), ("a[1-600000],b[1-600000]", "More than 1,000,000 hosts"),
            ("x[0-2999999999/2]", "This names 1,500,000,000 hosts"), ("n1[9-9999999]", "This names 9,999,991 hosts"),
            ("n[0-99999999999999999999999999999]", "This names 100,000,000,000,000,000,000,000,000,000 hosts"),
            (String(repeating: "a[1-99999]", count: 8), "This names more hosts than can be counted"),
            ("x[0-999999999/1000]", "The range spans more than 999,999,999 numbers."),
            ("x[0-\(String(repeating: "9", count: 44))]", "A number has more than 38 digits."),
        ])
    func tooMany(expression: String, message: String) throws {
        let problem = #expect(throws: HostSetProblem.self) { try HostSet(expression) }
        #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
    }

    @Test("a million hosts are allowed, and not one more") func limit() throws {
        func count(_ range: String) throws -> UInt128 {
            try NumberRange.parse(Array(range.utf8)[...]).reduce(0) { $0 + $1.count }
        }
        #expect(try count("1-1000000") == 1_000_000 && count("1-999999,2000000") == 1_000_000)
        #expect(throws: RangeProblem.self) { try count("0-1000000") }
        #expect(throws: RangeProblem.self) { try count("1-999999,2000000-2000001") }
    }

    @Test("as many hosts as are allowed are accepted") func many() throws {
        let count = TestExtent.choose(sample: 10_000, all: 1_000_000)
        #expect(try HostSet("n[1-\(count)]").count == count)
    }

    @Test("a name of more than 1024 bytes is refused, of ordinary letters too", arguments: ["a", "[1-1]x", "é"])
    func length(part: String) throws {
        let problem = #expect(throws: HostSetProblem.self) { try HostSet(String(repeating: part, count: 1025)) }
        #expect(problem?.message.hasSuffix("it is longer than 1024 bytes.") == true)
        #expect(try HostSet(String(repeating: "a", count: 1024)).count == 1)
    }

    @Test("a long expression is shown around the position, with terminal controls as text")
    func hostileExcerpt() throws {
        let long = String(repeating: "web,", count: 5000) + "\u{1B}[31m!!"
        let problem = try #require(#expect(throws: HostSetProblem.self) { try HostSet(long) })
        let text = problem.description
        #expect(text.utf8.count < 1000)
        #expect(!text.contains("\u{1B}"))
    }
}
