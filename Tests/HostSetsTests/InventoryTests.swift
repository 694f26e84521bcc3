import HostSets
import Testing

@Suite("Inventories")
struct InventoryTests {
    private static let ini = """
        lone ansible_port=2200   # a comment
        [web]
        web[1:3].lan ansible_user=deploy
        web01:2222 ansible_host="10.0.0.1"
        [db]
        db[a:c]
        ; another
        [prod:children]
        web
        db
        [prod:vars]
        ansible_user=root
        ansible_ssh_private_key_file = '~/.ssh/prod'
        [all:vars]
        ansible_ssh_common_args=-o ProxyJump=bastion -v
        other={"a": 1}
        """

    @Test("INI is read as Ansible reads it")
    func groupsOfINI() throws {
        let inventory = try FleetInventory(ini: Self.ini)
        #expect(inventory.hosts == ["lone", "web1.lan", "web2.lan", "web3.lan", "web01", "dba", "dbb", "dbc"])
        #expect(inventory.hosts(ofGroup: "prod") == ["web1.lan", "web2.lan", "web3.lan", "web01", "dba", "dbb", "dbc"])
        #expect(inventory.hosts(ofGroup: "ungrouped") == ["lone"])
        #expect(Set(inventory.hosts(ofGroup: "all") ?? []) == Set(inventory.hosts))
        #expect(inventory.hosts(ofGroup: "none") == nil)
    }

    @Test("a host's variables override its groups', and a child's override its parent's")
    func variables() throws {
        let inventory = try FleetInventory(ini: Self.ini)
        let arguments = ["-o", "ProxyJump=bastion", "-v"]
        #expect(try inventory.variables(of: "lone") == HostVariables(port: 2200, commonArguments: arguments))
        #expect(
            try inventory.variables(of: "web2.lan")
                == HostVariables(user: "deploy", identityFile: "~/.ssh/prod", commonArguments: arguments))
        #expect(
            try inventory.variables(of: "web01")
                == HostVariables(
                    address: "10.0.0.1", port: 2222, user: "root", identityFile: "~/.ssh/prod", commonArguments: arguments))
        #expect(try inventory.variables(of: "none") == nil)
    }

    @Test("YAML is read as Ansible reads it")
    func yaml() throws {
        let inventory = try FleetInventory(
            yaml: """
                all:
                  vars: {ansible_user: root}
                  children:
                    web:
                      hosts:
                        web[01:03].lan:
                          ansible_port: 2022
                        "10": {ansible_host: "{{ inventory_hostname }}.example"}
                      vars: &shared
                        ansible_ssh_private_key_file: /k
                    db:
                      hosts: db1
                      vars:
                        <<: *shared
                        ansible_user: postgres
                    empty:
                """)
        #expect(inventory.hosts == ["web01.lan", "web02.lan", "web03.lan", "10", "db1"])
        #expect(inventory.groupNames == ["all", "ungrouped", "web", "db", "empty"])
        #expect(try inventory.variables(of: "web02.lan") == HostVariables(port: 2022, user: "root", identityFile: "/k"))
        #expect(try inventory.variables(of: "10") == HostVariables(address: "10.example", user: "root", identityFile: "/k"))
        #expect(try inventory.variables(of: "db1") == HostVariables(user: "postgres", identityFile: "/k"))
    }

    @Test(
        "a malformed inventory is refused with its line",
        arguments: [
            ("[web", 1), ("web1\n[a b]\n", 2), ("[web:odd]\n", 1), ("a\nweb1 x\n", 2), ("web[1:\n", 1), ("web[01:100]\n", 1),
            ("web1 'x\n", 1),
            ("[a:children]\nb\n", 2), ("\n[a:vars]\nx=1\n", 2), ("[a]\n[a:vars]\nx\n", 3), ("[a:children]\na\n", 2),
            ("web:\n", 1), ("---\n", 1),
            ("[a:children]\nb\n[b:children]\na\n", 4), ("web[c:a]\n", 1), ("web[1:9:0]\n", 1), ("web[]\n", 1),
        ])
    func malformedINI(text: String, line: Int) throws {
        let problem = #expect(throws: HostSetProblem.self) { try FleetInventory(ini: text, file: "hosts") }
        #expect(problem?.kind == .malformed)
        #expect(problem?.location == .init(file: "hosts", line: line), "\(problem?.description ?? "")")
    }

    @Test(
        "malformed YAML is refused with its line",
        arguments: [
            ("all:\n  hosts:\n    - web1\n", 3), ("- a\n", 1), ("all:\n  hosts:\n    10:\n", 3), ("all: [\n", 2),
            ("plugin: aws_ec2\n", 1),
            ("all:\n  hosts:\n    web1: x\n", 3), ("all:\n  hosts:\n    web1:\n    web1:\n", 4), ("all:\n\thosts:\n", 2),
            ("5:\n  hosts:\n", 1),
            ("all:\n  children:\n    all:\n", 3),
        ])
    func malformedYAML(text: String, line: Int) throws {
        let problem = #expect(throws: HostSetProblem.self) { try FleetInventory(yaml: text, file: "hosts.yaml") }
        #expect(problem?.location == .init(file: "hosts.yaml", line: line), "\(problem?.description ?? "")")
    }

    @Test("encrypted values and templates are refused by name, only for hosts that use them")
    func vault() throws {
        let inventory = try FleetInventory(
            yaml: """
                all:
                  hosts:
                    web1:
                      ansible_user: !vault |
                        $ANSIBLE_VAULT;1.1;AES256
                        6162
                    web2: {ansible_host: "{{ lookup('x') }}"}
                    web3: {ansible_port: many}
                    web4: {ansible_become_password: !vault "x"}
                """, file: "hosts.yaml")
        for (host, name, line) in [("web1", "ansible_user", 4), ("web2", "ansible_host", 7), ("web3", "ansible_port", 8)] {
            let problem = #expect(throws: HostSetProblem.self) { try inventory.variables(of: host) }
            #expect(problem?.message.contains("\(name) of \(host)") == true)
            #expect(problem?.location == .init(file: "hosts.yaml", line: line))
            #expect(problem?.description.contains("6162") == false)
        }
        #expect(try inventory.variables(of: "web4") == HostVariables())
    }

    @Test("a directory means all inventories in it, with the variable files next to them")
    func directory() throws {
        let files = MemoryFiles(files: [
            "/i/01-web.ini": "[web]\nweb1\nweb2\n", "/i/02-db.yaml": "db: {hosts: {db1: {ansible_user: a}}}", "/i/README.md": "[",
            "/i/.hidden": "[", "/i/old.bak": "[", "/i/group_vars/all.yml": "ansible_user: everyone\n",
            "/i/group_vars/web/1.yml": "ansible_port: 22",
            "/i/group_vars/web/2.yaml": "ansible_port: 23", "/i/host_vars/web2": "ansible_user: second",
            "/i/group_vars/db": "$ANSIBLE_VAULT;1.1;AES256",
        ])
        let inventory = try FleetInventory(path: "/i", files: files)
        #expect(inventory.hosts == ["web1", "web2", "db1"])
        #expect(try inventory.variables(of: "web1") == HostVariables(port: 23, user: "everyone"))
        #expect(try inventory.variables(of: "web2") == HostVariables(port: 23, user: "second"))
        #expect(try inventory.variables(of: "db1") == HostVariables(user: "a"))
        #expect(inventory.notices.count == 1)
    }

    @Test("a program is run and its JSON read")
    func program() throws {
        let files = MemoryFiles(files: ["/p": "#!/bin/sh\n"], executables: ["/p"])
        let output = """
            {"web": {"hosts": ["web1", "web2"], "vars": {"ansible_user": "u\\u00e9"}, "children": ["sub"]}, "sub": ["web3"],
             "_meta": {"hostvars": {"web1": {"ansible_port": 2200}}}}
            """
        let inventory = try FleetInventory(path: "/p", files: files) { program in
            #expect(program.arguments == ["/p", "--list"])
            return output
        }
        #expect(inventory.hosts(ofGroup: "web") == ["web1", "web2", "web3"])
        #expect(try inventory.variables(of: "web1") == HostVariables(port: 2200, user: "ué"))
        // An older program is asked for each host.
        let older = try FleetInventory(path: "/p", files: files) { program in
            program.arguments[1] == "--list"
                ? #"{"web": ["web1"]}"# : program.arguments[2] == "web1" ? #"{"ansible_port": 7}"# : "{}"
        }
        #expect(try older.variables(of: "web1") == HostVariables(port: 7))
        for output in [
            "", "[1]", "{", #"{"web": {"hosts": "x"}}"#, #"{"web": {"hosts": [1]}}"#, String(repeating: "[", count: 100_000),
            #"{"_meta": {}}"#, #"{"_meta": null}"#, #"{"_meta": {"hostvars": []}}"#,
            #"{"_meta": {"hostvars": {}, "profile": "x"}}"#, #"{"web": ["a"], "_meta": {"hostvars": {"a": null}}}"#,
            #"{"web": {"children": "db"}}"#, #"{"web": {"children": [5]}}"#, #"{"web": ["a\ud83d"]}"#,
            #"{"web": ["a\ud83d\ud83d"]}"#,
        ] {
            #expect(throws: HostSetProblem.self) { try FleetInventory(path: "/p", files: files) { _ in output } }
        }
        #expect(throws: HostSetProblem.self) { try FleetInventory(path: "/p", files: files) }
    }

    @Test("what Ansible wraps in JSON is unwrapped, and children may be a mapping")
    func wrapped() throws {
        let files = MemoryFiles(files: ["/p": "#!/bin/sh\n"], executables: ["/p"])
        let inventory = try FleetInventory(path: "/p", files: files) { _ in
            """
            {"web": {"hosts": ["a", "b"], "children": {"sub": {}}}, "sub": ["c"], "_meta": {"profile": "inventory_legacy", "hostvars":
             {"a": {"ansible_user": {"__ansible_unsafe": "me"}}, "b": {"ansible_user": {"__ansible_vault": "x"}}}}}
            """
        }
        #expect(inventory.hosts(ofGroup: "web") == ["a", "b", "c"])
        #expect(try inventory.variables(of: "a")?.user == "me")
        #expect(throws: HostSetProblem.self) { try inventory.variables(of: "b") }
    }

    @Test(
        "a file that is not a mapping is read as INI with any suffix, and a mapping without a suffix as YAML",
        arguments: [
            ("hosts.yaml", "web1\nweb2\n", ["web1", "web2"]), ("hosts.yml", "[web]\nweb1\n", ["web1"]),
            ("hosts.json", "5", ["5"]),
            ("hosts.yaml", "# empty\n", []), ("hosts", "\"a b\": {hosts: {web1: }}\n", ["web1"]),
            ("hosts", "? web\n: {hosts: {web1: }}\n", ["web1"]), ("hosts", "!!map {web: {hosts: {web1: }}}", ["web1"]),
            ("hosts", "web : {hosts: {web1: }}", ["web1"]), ("hosts", "web1 ansible_user='a: b'\nweb2\n", ["web1", "web2"]),
            ("hosts", "; note: first\nweb1\n", ["web1"]), ("hosts.ini", "web1\n", ["web1"]),
        ])
    func kinds(name: String, text: String, hosts: [String]) throws {
        #expect(try FleetInventory(path: "/" + name, files: MemoryFiles(files: ["/" + name: text])).hosts == hosts)
    }

    @Test(
        "a file that is neither is refused with its errors in the format that it resembles",
        arguments: [
            ("hosts.yaml", "- a\n", "mapping of groups; this is a list"), ("hosts.yaml", "---\n", "this names none"),
            ("hosts", "---\n- a\n", "this is a list"), ("hosts", "web:\n\thosts:\n", "not YAML"),
            ("hosts", "web1 x: y\nweb2 z\n", "not YAML"), ("hosts", "web1 a=b: c\nweb2\n", "A host is followed by variables"),
            ("hosts", "web1 x\n", "A host is followed by variables"), ("hosts.ini", "a: {}\n", "a colon"),
        ])
    func wrongKinds(name: String, text: String, reason: String) throws {
        let problem = #expect(throws: HostSetProblem.self) {
            try FleetInventory(path: "/" + name, files: MemoryFiles(files: ["/" + name: text]))
        }
        #expect(problem?.message.contains(reason) == true, "\(problem?.message ?? "")")
    }

    @Test("a missing inventory is refused by name")
    func missing() throws {
        let problem = #expect(throws: HostSetProblem.self) { try FleetInventory(path: "/none/at/all") }
        #expect(problem?.kind == .unreadable)
        #expect(problem?.location?.file == "/none/at/all")
    }

    @Test(
        "a host that belongs only to the group all and is named like one of its groups is refused, as by Ansible",
        arguments: ["all", "ungrouped"])
    func groupAsHost(name: String) throws {
        let problem = #expect(throws: HostSetProblem.self) { try FleetInventory(yaml: "all: {hosts: {\(name): }}") }
        #expect(problem?.message.contains("would contain itself") == true)
        #expect(try FleetInventory(ini: "\(name)\nx\n").hosts == [name, "x"])
    }
}
