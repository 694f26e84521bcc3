/// An inventory that a program prints as JSON when called with `--list`.
struct ProgramInventory {
    private let path: String
    private let access: SourceAccess

    /// Adds the hosts and groups from the program's output.
    static func read(_ path: String, _ access: SourceAccess, into inventory: inout FleetInventory) throws(HostSetProblem) {
        // A name without a slash would be searched in PATH.
        let program = path.contains("/") ? path : "./\(path)"
        try ProgramInventory(path: program, access: access).read(&inventory)
    }

    private var location: HostSetProblem.Location { .init(file: path) }

    private func malformed(_ message: String) -> HostSetProblem { HostSetProblem(.malformed, message, location: location) }

    private func run(_ arguments: [String]) throws(HostSetProblem) -> String {
        try access.output(of: HostProgram([path] + arguments))
    }

    private func read(_ inventory: inout FleetInventory) throws(HostSetProblem) {
        let root = try JSONText.load(try run(["--list"]), file: "\(path) --list")
        guard let pairs = root.pairs else {
            throw malformed("The program's output is \(root.kindName), not a mapping of groups.")
        }
        var variables: [String: SourceNode]?
        var hosts: [String] = []
        for (key, value) in pairs {
            if key.text == "_meta" {
                variables = try hostVariables(in: value)
            } else {
                try takeGroup(key.text ?? "", value, &hosts, &inventory)
            }
        }
        var seen = Set<String>()
        for host in hosts where seen.insert(host).inserted {
            // An older program must be asked about each host.
            let found = if let variables { variables[host] } else { try answer(about: host) }
            guard let own = found else { continue }
            guard let pairs = own.pairs else {
                throw malformed("The variables of \(HostSetProblem.shown(host)) are \(own.kindName), not a mapping.")
            }
            guard let place = inventory.place(ofHost: host) else { continue }
            for (key, value) in pairs { try set(key, value, ofHost: place, &inventory) }
        }
    }

    private func answer(about host: String) throws(HostSetProblem) -> SourceNode? {
        let output = try run(["--host", host])
        return output.allSatisfy(\.isWhitespace) ? nil : try JSONText.load(output, file: "\(path) --host \(host)")
    }

    private func hostVariables(in meta: SourceNode) throws(HostSetProblem) -> [String: SourceNode] {
        guard let pairs = meta.pairs else { throw malformed("_meta is \(meta.kindName), not a mapping.") }
        let sections = Dictionary(pairs.map { ($0.key.text ?? "", $0.value) }, uniquingKeysWith: { $1 })
        if let profile = sections["profile"], profile.stringText?.hasPrefix("inventory_") != true {
            throw malformed(
                "_meta.profile is \(HostSetProblem.shown(profile.text ?? profile.kindName)), which is not a profile of inventories."
            )
        }
        guard let entry = sections["hostvars"] else { throw malformed("_meta has no hostvars.") }
        guard let byHost = entry.pairs else { throw malformed("_meta.hostvars is \(entry.kindName), not a mapping.") }
        return Dictionary(byHost.map { ($0.key.text ?? "", $0.value) }, uniquingKeysWith: { $1 })
    }

    private func set(
        _ key: SourceNode, _ value: SourceNode, ofHost place: Int, _ inventory: inout FleetInventory
    ) throws(HostSetProblem) {
        guard let name = key.text, InventoryVariables.isKept(name) else { return }
        try inventory.set(name, value.inventoryValue(path), ofHost: place)
    }

    private func takeGroup(
        _ name: String, _ value: SourceNode, _ hosts: inout [String], _ inventory: inout FleetInventory
    ) throws(HostSetProblem) {
        if name.isEmpty { throw malformed("The name of a group is empty.") }
        let group = inventory.addGroup(name)
        guard let pairs = value.pairs else {
            return try add(value, to: group, name, &hosts, &inventory)
        }
        let sections = Dictionary(pairs.map { ($0.key.text ?? "", $0.value) }, uniquingKeysWith: { $1 })
        if sections["hosts"] == nil, sections["vars"] == nil, sections["children"] == nil {
            // Then the group contains one host with the group's name, and the pairs are its variables.
            let place = try inventory.addHost(name, to: group, location)
            hosts.append(name)
            for (key, value) in pairs { try set(key, value, ofHost: place, &inventory) }
            return
        }
        if let list = sections["hosts"] { try add(list, to: group, name, &hosts, &inventory) }
        if let variables = sections["vars"] {
            guard let pairs = variables.pairs else {
                throw malformed("vars of the group \(HostSetProblem.shown(name)) is \(variables.kindName), not a mapping.")
            }
            for (key, value) in pairs {
                guard let name = key.text, InventoryVariables.isKept(name) else { continue }
                try inventory.set(name, value.inventoryValue(path), ofGroup: group)
            }
        }
        if let children = sections["children"] {
            // In a mapping, only the keys count.
            guard let list = children.list ?? children.pairs?.map({ $0.key }) else {
                throw malformed("children of the group \(HostSetProblem.shown(name)) is \(children.kindName), not a list.")
            }
            for child in list {
                guard let text = child.stringText, !text.isEmpty else {
                    throw malformed("A child of the group \(HostSetProblem.shown(name)) has no name.")
                }
                try inventory.addChild(inventory.addGroup(text), to: group, location)
            }
        }
    }

    private func add(
        _ list: SourceNode, to group: Int, _ name: String, _ hosts: inout [String], _ inventory: inout FleetInventory
    ) throws(HostSetProblem) {
        guard let list = list.list else {
            throw malformed("hosts of the group \(HostSetProblem.shown(name)) is \(list.kindName), not a list.")
        }
        inventory.reserve(list.count)
        for item in list {
            guard case .scalar(let host, .text) = item.content else {
                throw malformed("A host of the group \(HostSetProblem.shown(name)) is \(item.kindName), not a text in quotes.")
            }
            try inventory.addHost(host, to: group, location)
            hosts.append(host)
        }
    }
}
