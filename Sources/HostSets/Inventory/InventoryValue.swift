/// A variable's value, as far as it matters for reaching a host.
struct InventoryValue: Sendable {
    enum Content: Sendable {
        case text(String)
        /// A number or a boolean, as `str` writes it.
        case number(String)
        case vaulted
        case nothing
        /// A list or a mapping, by its kind.
        case other(String)

        init(_ value: ScalarValue) {
            switch value {
            case .text(let text): self = .text(text)
            case .number(let text): self = .number(text)
            case .nothing: self = .nothing
            case .other(let kind): self = .other(kind)
            }
        }
    }

    var content: Content
    var location: HostSetProblem.Location

    /// The value of `ansible_group_priority`. What Python's `int` does not take is refused, as Ansible refuses the inventory.
    func priority(of group: String) throws(HostSetProblem) -> Int {
        switch content {
        case .text(let text): if let number = PythonNumber.integer(text) { return number }
        case .number("True"): return 1
        case .number("False"): return 0
        case .number(let text): if let number = PythonNumber.integer(text) ?? PythonNumber.truncated(text) { return number }
        case .vaulted, .nothing, .other: break
        }
        throw HostSetProblem(
            .malformed, "\(InventoryVariables.priority) of the group \(HostSetProblem.shown(group)) is no whole number.",
            location: location)
    }
}

/// Variables by name; only those that say how to reach a host are kept.
struct InventoryVariables: Sendable {
    private(set) var values: [String: InventoryValue] = [:]

    /// Aliases later in the list win over earlier ones, as in Ansible's ssh plugin.
    static let address = ["ansible_host", "ansible_ssh_host"]
    static let port = ["ansible_port", "ansible_ssh_port"]
    static let user = ["ansible_user", "ansible_ssh_user"]
    static let identity = ["ansible_private_key_file", "ansible_ssh_private_key_file"]
    static let arguments = ["ansible_ssh_common_args"]
    static let priority = "ansible_group_priority"

    static func isKept(_ name: String) -> Bool {
        switch name.utf8.count {
        case 12: name == "ansible_host" || name == "ansible_port" || name == "ansible_user"
        case 16: name == "ansible_ssh_host" || name == "ansible_ssh_port" || name == "ansible_ssh_user"
        case 22: name == priority
        case 23...28: identity.contains(name) || arguments.contains(name)
        default: false
        }
    }

    var isEmpty: Bool { values.isEmpty }

    mutating func set(_ name: String, _ value: InventoryValue) {
        if Self.isKept(name) { values[name] = value }
    }

    mutating func merge(_ other: InventoryVariables) {
        for (name, value) in other.values { values[name] = value }
    }
}
