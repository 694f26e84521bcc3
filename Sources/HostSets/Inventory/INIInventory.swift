/// Ansible's INI format: hosts in `[group]`, groups in `[group:children]`, variables in `[group:vars]`.
struct INIInventory {
    private enum State { case hosts, children, variables }

    /// A group that was referred to before its own section.
    private struct Pending {
        var line: Int
        var isChild: Bool
        var parents: [String] = []
    }

    /// The most bytes in a line.
    private static let maximumLine = 1 << 20

    private let file: String
    private var line = 0
    private var state = State.hosts
    private var group = FleetInventory.ungrouped
    private var pending: [String: Pending] = [:]
    private var pendingOrder: [String] = []

    private init(file: String) { self.file = file }

    private var location: HostSetProblem.Location { .init(file: file, line: line) }

    private func malformed(_ message: String, remedy: String? = nil) -> HostSetProblem {
        HostSetProblem(.malformed, message, location: location, remedy: remedy)
    }

    /// Adds the hosts and groups of a file.
    static func read(_ text: String, file: String, into inventory: inout FleetInventory) throws(HostSetProblem) {
        var reader = INIInventory(file: file)
        inventory.reserve(text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) })
        for line in SourceLines(text) {
            reader.line += 1
            if line.count > maximumLine { throw reader.malformed("The line is longer than \(maximumLine >> 20) MiB.") }
            try reader.readLine(line, &inventory)
        }
        try reader.finish()
    }

    private mutating func readLine(_ bytes: ArraySlice<UInt8>, _ inventory: inout FleetInventory) throws(HostSetProblem) {
        let line = SourceLines.trimmed(bytes)
        guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return }
        if first == UInt8(ascii: "["), try takeSection(String(decoding: line, as: UTF8.self), &inventory) { return }
        let text = String(decoding: line, as: UTF8.self)
        switch state {
        case .hosts: try takeHost(text, &inventory)
        case .variables: try takeVariable(text, &inventory)
        case .children: try takeChild(text, &inventory)
        }
    }

    /// Parses `[group]`, `[group:children]` or `[group:vars]`; returns false if the line is none of these.
    private mutating func takeSection(_ text: String, _ inventory: inout FleetInventory) throws(HostSetProblem) -> Bool {
        guard let close = text.firstIndex(of: "]") else { return false }
        let inner = text[text.index(after: text.startIndex)..<close]
        let rest = text[text.index(after: close)...].trimmingBlanks()
        let parts = inner.split(separator: ":", omittingEmptySubsequences: false)
        let isSection =
            (rest.isEmpty || rest.hasPrefix("#")) && (parts.count == 1 || parts.count == 2) && parts.allSatisfy { !$0.isEmpty }
            && !parts[0].contains(where: \.isWhitespace)
            && (parts.count == 1 || parts[1].unicodeScalars.allSatisfy(CharacterTest.isWord))
        guard isSection else {
            if text.hasSuffix("]") {
                throw malformed(
                    "\(HostSetProblem.shown(text)) is not a section.",
                    remedy: "Sections are [group], [group:children] and [group:vars].")
            }
            return false
        }
        let name = String(parts[0])
        switch parts.count == 2 ? parts[1] : "hosts" {
        case "hosts": state = .hosts
        case "children": state = .children
        case "vars": state = .variables
        default:
            throw malformed(
                "The section \(HostSetProblem.shown(text)) has a kind that is not known.",
                remedy: "Sections are [group], [group:children] and [group:vars].")
        }
        if inventory.group(name) == nil, state == .variables, pending[name] == nil {
            pending[name] = Pending(line: line, isChild: false)
            pendingOrder.append(name)
        }
        group = inventory.addGroup(name)
        if state != .variables, let declared = pending[name] {
            if declared.isChild { try addPendingChild(name, &inventory) } else { pending[name] = nil }
        }
        return true
    }

    private mutating func addPendingChild(_ name: String, _ inventory: inout FleetInventory) throws(HostSetProblem) {
        var waiting = [name]
        while let name = waiting.popLast() {
            guard let declared = pending[name] else { continue }
            pending[name] = nil
            for parent in declared.parents {
                try inventory.addChild(inventory.addGroup(name), to: inventory.addGroup(parent), location)
                if pending[parent]?.isChild == true { waiting.append(parent) }
            }
        }
    }

    private mutating func takeHost(_ text: String, _ inventory: inout FleetInventory) throws(HostSetProblem) {
        if HostName.plain(text) != nil {
            try inventory.addHost(text, to: group, location)
            return
        }
        guard let words = ShellWords.split(text, comments: true) else {
            throw malformed("A quote is not closed in the line of a host.")
        }
        guard let pattern = words.first else { return }
        let hosts = try HostPattern(pattern, location)
        try inventory.count(hosts, location)
        if pattern.hasSuffix(":"), hosts.port == nil {
            throw malformed("\(HostSetProblem.shown(pattern)) ends with a colon, which must be followed by a port.")
        }
        if pattern == "---" {
            throw malformed("A line with --- begins YAML, not INI.", remedy: "Name the file with the ending .yaml.")
        }
        if hosts.names.isEmpty {
            inventory.notices.append("\(location): the range of \(HostSetProblem.shown(pattern)) is empty.")
        }
        var variables: [(String, InventoryValue)] = []
        for word in words.dropFirst() {
            guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw malformed(
                    "A host is followed by variables, such as ansible_port=2222; this is not one: \(HostSetProblem.shown(word)).")
            }
            let name = String(word[..<equals])
            guard InventoryVariables.isKept(name) else { continue }
            variables.append((name, value(word[word.index(after: equals)...])))
        }
        for name in hosts.names {
            let place = try inventory.addHost(name, to: group, port: hosts.port, location)
            for (name, value) in variables { try inventory.set(name, value, ofHost: place) }
        }
    }

    private mutating func takeVariable(_ text: String, _ inventory: inout FleetInventory) throws(HostSetProblem) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw malformed("A line of variables is NAME=VALUE, not \(HostSetProblem.shown(text)).")
        }
        let name = String(text[..<equals].trimmingBlanks())
        guard InventoryVariables.isKept(name) else { return }
        try inventory.set(name, value(text[text.index(after: equals)...].trimmingBlanks()), ofGroup: group)
    }

    private mutating func takeChild(_ text: String, _ inventory: inout FleetInventory) throws(HostSetProblem) {
        let name = text.prefix { !$0.isWhitespace && $0 != ":" && $0 != "]" }
        let rest = text[name.endIndex...]
        guard !name.isEmpty,
            rest.isEmpty || (rest.first?.isWhitespace == true && [nil, "#"].contains(rest.trimmingBlanks().first))
        else {
            throw malformed("A line of children is the name of a group, not \(HostSetProblem.shown(text)).")
        }
        let child = String(name)
        let parent = inventory.groups[group].name
        if let place = inventory.group(child) {
            try inventory.addChild(place, to: group, location)
        } else if pending[child] == nil {
            pending[child] = Pending(line: line, isChild: true, parents: [parent])
            pendingOrder.append(child)
        } else {
            pending[child]?.parents.append(parent)
        }
    }

    private func finish() throws(HostSetProblem) {
        for name in pendingOrder {
            guard let declared = pending[name] else { continue }
            let shown = HostSetProblem.shown(name)
            throw HostSetProblem(
                .malformed,
                declared.isChild
                    ? "[\(HostSetProblem.shown(declared.parents.last ?? "")):children] names the group \(shown), which is not defined."
                    : "[\(shown):vars] has variables for a group that is not defined.",
                location: .init(file: file, line: declared.line), remedy: "Add a section [\(shown)].")
        }
    }

    /// Ansible reads a value as a Python literal if it is one, which removes quotes and a trailing comment.
    private func value(_ text: Substring) -> InventoryValue {
        let content: InventoryValue.Content =
            text.hasPrefix("$ANSIBLE_VAULT;") ? .vaulted : .init(PythonLiteral.value(text))
        return InventoryValue(content: content, location: location)
    }
}
