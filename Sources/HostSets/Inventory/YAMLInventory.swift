/// Ansible's YAML format: groups with `hosts`, `children` and `vars`.
struct YAMLInventory {
    private let file: String

    private init(file: String) { self.file = file }

    private func location(_ node: SourceNode) -> HostSetProblem.Location { .init(file: file, line: node.line) }

    private func malformed(_ message: String, _ node: SourceNode, remedy: String? = nil) -> HostSetProblem {
        HostSetProblem(.malformed, message, location: location(node), remedy: remedy)
    }

    /// Checks that the document is a non-empty mapping, as an inventory must be.
    static func checked(_ root: SourceNode?, file: String) throws(HostSetProblem) -> SourceNode {
        if root?.isVaulted == true { throw HostSetProblem.vaulted(file) }
        if let root, root.pairs?.isEmpty == false { return root }
        let isEmpty = root?.isNull != false || root?.pairs != nil
        let found = isEmpty ? "this names none" : "this is \(root?.kindName ?? "nothing")"
        throw HostSetProblem(
            .malformed, "An inventory in YAML is a mapping of groups; \(found).",
            location: .init(file: file, line: root?.line), remedy: "Write all: and below it hosts: or children:.")
    }

    /// Adds the hosts and groups of a document.
    static func read(_ root: SourceNode, file: String, into inventory: inout FleetInventory) throws(HostSetProblem) {
        let pairs = root.pairs ?? []
        if let plugin = pairs.first(where: { $0.key.text == "plugin" })?.value, !plugin.isFalse {
            throw HostSetProblem(
                .unsupported, "This configures Ansible's inventory plugin \(HostSetProblem.shown(plugin.text ?? "")).",
                location: .init(file: file, line: plugin.line),
                remedy: "Give the output of ansible-inventory -i \(HostSetProblem.shown(file)) --list --yaml instead.")
        }
        let reader = YAMLInventory(file: file)
        for (key, value) in pairs { _ = try reader.takeGroup(key, value, &inventory) }
    }

    private func takeGroup(_ key: SourceNode, _ value: SourceNode, _ inventory: inout FleetInventory) throws(HostSetProblem)
        -> Int?
    {
        let name = try self.name(key, of: "group")
        let sections = value.isNull ? [] : value.pairs
        guard let sections else {
            inventory.notices.append(
                "\(location(key)): \(HostSetProblem.shown(name)) is not a group, because it is \(value.kindName).")
            // Ansible accepts such a child only if it is a group elsewhere.
            return inventory.group(name)
        }
        let group = inventory.addGroup(name)
        for (key, value) in sections {
            let section = key.text ?? ""
            if value.isNull { continue }
            let isOurs = ["hosts", "children", "vars"].contains(section)
            // A single name may be written without a mapping.
            let pairs =
                value.pairs
                ?? (isOurs
                    ? value.stringText.map { _ in
                        [(key: value, value: SourceNode(.scalar("", .plain), line: value.line))]
                    } : nil)
            guard let pairs else {
                if isOurs {
                    throw malformed(
                        "\(section): of the group \(HostSetProblem.shown(name)) is a mapping; this is \(value.kindName).", value,
                        remedy: "Write each name with a colon after it, without a hyphen before it.")
                }
                inventory.notices.append("\(location(key)): \(HostSetProblem.shown(section)) in a group means nothing.")
                continue
            }
            switch section {
            case "vars":
                for (key, value) in pairs {
                    if let name = variable(key) { try inventory.set(name, value.inventoryValue(file), ofGroup: group) }
                }
            case "children":
                for (key, value) in pairs {
                    guard let child = try takeGroup(key, value, &inventory) else {
                        throw malformed("The child \(HostSetProblem.shown(key.text ?? "")) is not a group.", key)
                    }
                    try inventory.addChild(child, to: group, location(key))
                }
            case "hosts":
                inventory.reserve(pairs.count)
                for (key, value) in pairs { try takeHosts(key, value, group, &inventory) }
            default:
                inventory.notices.append(
                    "\(location(key)): \(HostSetProblem.shown(section)) in a group means nothing; hosts, children and vars do.")
            }
        }
        return group
    }

    private func name(_ key: SourceNode, of what: String) throws(HostSetProblem) -> String {
        guard let text = key.stringText else {
            throw malformed(
                "The name of the \(what), \(HostSetProblem.shown(key.text ?? key.kindName)), is not a text.", key,
                remedy: "Put it in quotes.")
        }
        if text.isEmpty { throw malformed("The name of a \(what) is empty.", key) }
        return text
    }

    private func takeHosts(
        _ key: SourceNode, _ value: SourceNode, _ group: Int, _ inventory: inout FleetInventory
    ) throws(HostSetProblem) {
        let pattern = try name(key, of: "host")
        let hosts = try HostPattern(pattern, location(key))
        try inventory.count(hosts, location(key))
        let variables = value.isFalse ? [] : value.pairs
        guard let variables else {
            throw malformed(
                "The value of the host \(HostSetProblem.shown(pattern)) is a mapping; this is \(value.kindName).", value)
        }
        for name in hosts.names {
            let place = try inventory.addHost(name, to: group, port: hosts.port, location(key))
            for (key, value) in variables {
                if let name = variable(key) { try inventory.set(name, value.inventoryValue(file), ofHost: place) }
            }
        }
    }

    /// The name of a variable, if the variable says how to reach a host.
    private func variable(_ key: SourceNode) -> String? {
        key.text.flatMap { InventoryVariables.isKept($0) ? $0 : nil }
    }
}

extension SourceNode {
    func inventoryValue(_ file: String) -> InventoryValue {
        InventoryValue(content: isVaulted ? .vaulted : .init(value), location: .init(file: file, line: line))
    }
}

extension HostSetProblem {
    static func vaulted(_ file: String) -> HostSetProblem {
        HostSetProblem(
            .unsupported, "The file is encrypted with ansible-vault.", location: .init(file: file),
            remedy: "Give the output of ansible-inventory --list instead.")
    }
}
