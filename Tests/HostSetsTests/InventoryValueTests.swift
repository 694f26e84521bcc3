import HostSets
import Testing

/// Ansible's reading of values, tested with ansible-core 2.19 and PyYAML 6.0. nil stands for a text without a value.
@Suite("Values in inventories")
struct InventoryValueTests {
    @Test(
        "a plain scalar of YAML is read by the rules of YAML 1.1",
        arguments: [
            ("022", "18"), ("-017", "-15"), ("00", "0"), ("0_7", "7"), ("08", "08"), ("0777", "511"), ("1_000", "1000"),
            ("1__0", "10"),
            ("_1", "_1"), ("0x1F", "31"), ("-0x1F", "-31"), ("0x_1f", "31"), ("0xg", "0xg"), ("0b101", "5"), ("0b2", "0b2"),
            ("0o17", "0o17"), ("+22", "22"), ("-0", "0"), ("1:30", "90"), ("1:30:00", "5400"), ("-1:30", "-90"),
            ("01:30", "01:30"),
            ("1:60", "1:60"), ("12:30.5", "750.5"), ("1.50", "1.5"), ("1.", "1.0"), (".5", "0.5"), ("-.5", "-.5"), ("1e3", "1e3"),
            ("1.0e3", "1.0e3"), ("1.0e+3", "1000.0"), ("1.0E-5", "1e-05"), ("1.0e+16", "1e+16"), ("1_0.5_0", "10.5"),
            (".inf", "inf"),
            ("-.INF", "-inf"), (".nan", "nan"), ("1.2.3", "1.2.3"), ("10.0.0.1", "10.0.0.1"), ("yes", "True"), ("On", "True"),
            ("off", "False"), ("FALSE", "False"), ("y", "y"), ("nUll", "nUll"), ("~", nil), ("null", nil), ("", nil),
            ("2001-01-02", "2001-01-02"), ("2001-1-2", "2001-1-2"), ("!!str 022", "022"), ("!!str yes", "yes"),
            ("!!int '22'", "22"),
            ("!!int 0x1F", "31"), ("!!float 3", "3.0"), ("!!bool 'ON'", "True"), ("!!null x", nil), ("! '022'", "18"),
            ("!unsafe '022'", "18"), ("'022'", "022"), ("\"\\x41\"", "A"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("0xffffffffffffffffffffffff", "79228162514264337593543950335"), ("9007199254740993.0", "9007199254740992.0"),
        ] as [(String, String?)])
    func yaml(written: String, expected: String?) throws {
        let inventory = try FleetInventory(yaml: "all: {hosts: {h: {ansible_ssh_private_key_file: \(written)}}}")
        #expect(try inventory.variables(of: "h")?.identityFile == expected)
    }

    @Test(
        "an INI value is a Python literal or a text",
        arguments: [
            ("22", "22"), ("022", "022"), ("0_0", "0"), ("000", "0"), ("0x_1F", "31"), ("0o17", "15"), ("0b11", "3"),
            ("0b2", "0b2"),
            ("0o8", "0o8"), ("1_000", "1000"), ("1__0", "1__0"), ("1_", "1_"), ("-22", "-22"), ("+22", "22"), ("--22", "--22"),
            ("-(1)", "-1"), ("-(-1)", "-(-1)"), ("(1)", "1"), ("((1))", "1"), ("1.50", "1.5"), (".5", "0.5"), ("1e3", "1000.0"),
            ("1e16", "1e+16"), ("1e15", "1000000000000000.0"), ("1e-5", "1e-05"), ("1e999", "inf"), ("09e1", "90.0"),
            ("1._5", "1._5"),
            ("1..2", "1..2"), ("...", "..."), ("1+2", "1+2"), ("1-1", "1-1"), ("10.0.0.1", "10.0.0.1"), ("None", nil),
            ("True", "True"),
            ("true", "true"), ("not True", "not True"), ("'a'", "a"), ("\"it's\"", "it's"), ("'a' 'b'", "ab"), ("'a'\"b\"", "ab"),
            ("r'a\\n'", "a\\n"), ("b'abc'", "abc"), ("'a'b'c'", "'a'b'c'"), ("u'x'", "x"), ("ur'x'", "ur'x'"), ("f'x'", "f'x'"),
            ("'''a'''", "a"), ("'\\x41'", "A"), ("'\\x4'", "'\\x4'"), ("'\\101'", "A"), ("'\\u00e9'", "é"), ("'\\q'", "\\q"),
            ("'a", "'a"), ("'a' # c", "a"), ("22 # c", "22"), ("x # c", "x # c"), ("[1", "[1"), ("[,]", "[,]"),
            ("{1:2,3}", "{1:2,3}"),
            ("[a]", "[a]"), ("'a'.b", "'a'.b"), ("1 if 1 else 2", "1 if 1 else 2"), ("22\u{A0}", "22"),
            ("0xffffffffffffffffffffffff", "79228162514264337593543950335"),
        ] as [(String, String?)])
    func ini(written: String, expected: String?) throws {
        let inventory = try FleetInventory(ini: "[g]\nh\n[g:vars]\nansible_ssh_private_key_file=\(written)\n")
        #expect(try inventory.variables(of: "h")?.identityFile == expected)
    }

    @Test(
        "a value that is not text is refused with its kind",
        arguments: [
            ("[1, 2]", "a list"), ("(1, 2)", "a list"), ("1,2", "a list"), ("()", "a list"), ("{1}", "a list"),
            ("set()", "a list"),
            ("{}", "a mapping"), ("{'a': [1, {'b': (2,)}]}", "a mapping"), ("1j", "a complex number"),
            ("-1 + 2j", "a complex number"),
            ("'\\N{BULLET}'", "a text with characters by name"), ("b'\\xff'", "bytes that are not text"),
        ])
    func kindsOfINI(written: String, kind: String) throws {
        let inventory = try FleetInventory(ini: "[g]\nh\n[g:vars]\nansible_user=\(written)\n")
        let problem = #expect(throws: HostSetProblem.self) { try inventory.variables(of: "h") }
        #expect(problem?.message == "ansible_user of h is \(kind), not a text.")
    }

    @Test(
        "a YAML value that is not text is refused with its kind",
        arguments: [
            ("2001-12-14T21:59:43.10-05:00", "a date with a time"), ("2001-1-2 1:02:03Z", "a date with a time"),
            ("[1]", "a list"), ("{a: 1}", "a mapping"), ("!!binary YQ==", "a value with the tag tag:yaml.org,2002:binary"),
            ("!!set {a, b}", "a value with the tag tag:yaml.org,2002:set"),
        ])
    func kindsOfYAML(written: String, kind: String) throws {
        let inventory = try FleetInventory(yaml: "all:\n  hosts:\n    h:\n      ansible_user: \(written)\n")
        let problem = #expect(throws: HostSetProblem.self) { try inventory.variables(of: "h") }
        #expect(problem?.message == "ansible_user of h is \(kind), not a text.")
    }

    @Test(
        "a YAML value that Ansible cannot construct is refused anywhere, with its line",
        arguments: [
            ("2001-13-45", "a day that does not exist"), ("1900-02-29", "a day that does not exist"),
            ("1900-02-29 10:00:00", "a day that does not exist"), ("2001-01-02T24:00:00", "a time that does not exist"),
            ("2001-01-02T10:60:00Z", "a time that does not exist"), ("2001-01-02T10:00:00+24:00", "a time that does not exist"),
            ("0b_", "a number without digits"), ("<<", "a key, and no value"), ("=", "a key, and no value"),
            ("!!int x", "no whole number"), ("!!float x", "no number"), ("!!bool x", "neither true nor false"),
            ("!foo bar", "The tag !foo is not known"), ("!foo {}", "The tag !foo"), ("!!map x", "The tag"),
            ("!!seq {}", "The tag"),
            ("!!map []", "The tag"), ("!!str []", "The tag"), ("!!omap {}", "The tag"), ("!!python/name:x y", "The tag"),
        ])
    func malformedValues(written: String, reason: String) {
        for place in ["other: \(written)", "other: [a, \(written)]", "other: {a: \(written)}"] {
            let problem = #expect(throws: HostSetProblem.self) {
                try FleetInventory(yaml: "all:\n  hosts:\n    h:\n      \(place)\n")
            }
            #expect(problem?.message.contains(reason) == true, "\(problem?.message ?? "")")
            #expect(problem?.location?.line == 4)
        }
    }

    @Test(
        "values that are false in Python, below a host or as plugin, count as nothing",
        arguments: ["", "[]", "''", "{}", "no", "0", "0.0"])
    func falseValues(written: String) throws {
        #expect(try FleetInventory(yaml: "plugin: \(written)\nall: {hosts: {h: \(written) }}").hosts == ["h"])
    }

    @Test(
        "a group's priority is read as by Python's int",
        arguments: [("2", true), ("' 2 '", true), ("'1_0'", true), ("2.5", true), ("yes", true), ("1", false), ("-3", false)])
    func priorities(written: String, isHigher: Bool) throws {
        let text =
            "b: {hosts: {h: }, vars: {ansible_user: b}}\na: {hosts: {h: }, vars: {ansible_user: a, ansible_group_priority: %}}"
        let user = try FleetInventory(yaml: text.replacing("%", with: written)).variables(of: "h")?.user
        #expect(user == (isHigher && written != "yes" ? "a" : "b"))
    }

    @Test(
        "a priority that is not a number is refused, with its line",
        arguments: ["x", "''", "null", "[1]", "'1__0'", "'2.5'", "'True'", "2001-01-01"])
    func wrongPriorities(written: String) {
        for text in [
            "a:\n  hosts: {h: }\n  vars: {ansible_group_priority: \(written)}\n",
            "a:\n  hosts:\n    a: {ansible_group_priority: \(written)}\n",
        ] {
            let problem = #expect(throws: HostSetProblem.self) { try FleetInventory(yaml: text) }
            #expect(problem?.message == "ansible_group_priority of the group a is not a whole number.")
            #expect(problem?.location?.line == 3)
        }
    }

    @Test(
        "in an INI file a quoted priority is a text, and may not have a fraction",
        arguments: [("2.5", true), ("'2'", true), ("'2.5'", false)])
    func quotedPriorities(written: String, isTaken: Bool) throws {
        let text = "[a]\nh\n[a:vars]\nansible_group_priority=\(written)\n"
        if isTaken {
            #expect(try FleetInventory(ini: text).hosts == ["h"])
        } else {
            #expect(#expect(throws: HostSetProblem.self) { try FleetInventory(ini: text) }?.location?.line == 4)
        }
    }

    @Test("a port may have blanks around it", arguments: ["' 22 '", "'022'", "+22", "0x16"])
    func ports(written: String) throws {
        #expect(try FleetInventory(yaml: "all: {hosts: {h: {ansible_port: \(written)}}}").variables(of: "h")?.port == 22)
    }

    @Test("a key tagged as text is text; the first of merged mappings counts, and own keys come before both")
    func keysAndMerging() throws {
        let inventory = try FleetInventory(
            yaml: """
                all:
                  hosts: {!!str 22: {<<: [&a {ansible_user: a, ansible_port: 1}, &b {ansible_user: b}], ansible_port: 2}}
                """)
        #expect(inventory.hosts == ["22"])
        #expect(try inventory.variables(of: "22") == HostVariables(port: 2, user: "a"))
    }

    @Test("lines of an INI end where Python ends them")
    func ends() throws {
        #expect(try FleetInventory(ini: "# c\u{0C}a\u{2028}b\u{85}c\r\nd\re\u{0B}f").hosts == ["a", "b", "c", "d", "e", "f"])
    }
}
