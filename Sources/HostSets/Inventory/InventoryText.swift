/// The text of an inventory that may be YAML or INI.
struct InventoryText {
    let text: String
    let file: String
    private let hasYAMLEnding: Bool
    private let hasEnding: Bool

    static let yamlEndings = [".yml", ".yaml", ".json"]

    init(_ text: String, file: String) {
        self.text = text
        self.file = file
        let ending = Path.suffix(of: file)
        hasEnding = !ending.isEmpty
        hasYAMLEnding = Self.yamlEndings.contains(ending)
    }

    /// Adds the hosts and groups of the text. As in Ansible, the suffix and the content decide whether the text may be YAML. Text
    /// that is not a mapping is read as INI, whatever its suffix.
    func read(into inventory: inout FleetInventory) throws(HostSetProblem) {
        var problem: HostSetProblem?
        if hasYAMLEnding || (!hasEnding && mayBeMapping) {
            var root: SourceNode?
            do throws(HostSetProblem) { root = try mapping() } catch { problem = error }
            if let root { return try YAMLInventory.read(root, file: file, into: &inventory) }
        }
        do throws(HostSetProblem) {
            try INIInventory.read(text, file: file, into: &inventory)
        } catch {
            throw problem.flatMap { looksLikeYAML ? $0 : nil } ?? error
        }
    }

    /// The text as a YAML or JSON mapping.
    private func mapping() throws(HostSetProblem) -> SourceNode {
        let isJSON = text.utf8.first { !ExpressionScanner.isBlank($0) } == UInt8(ascii: "{")
        // Text that looks like JSON may still be YAML in braces.
        var root = isJSON ? try? JSONText.load(text, file: file) : nil
        if root == nil { root = try YAMLText.load(text, file: file) }
        return try YAMLInventory.checked(root, file: file)
    }

    // MARK: - The first line

    /// The first line that is not a comment.
    private var firstLine: ArraySlice<UInt8> {
        for line in SourceLines(text) {
            let content = SourceLines.trimmed(line)
            if let first = content.first, first != UInt8(ascii: "#") { return content }
        }
        return []
    }

    /// Where the key of a mapping ends in a line: at a colon that ends the line or precedes a blank.
    private static func endOfKey(_ line: ArraySlice<UInt8>) -> Int? {
        line.indices.first { index in
            line[index] == UInt8(ascii: ":")
                && (index + 1 == line.endIndex || ExpressionScanner.isBlank(line[index + 1]))
        }
    }

    private static let openings = ["{", "---", "%", "?", "!", "&"].map { Array($0.utf8) }

    /// Whether the text may be a YAML mapping, whose first key is on its first line. This avoids a failing YAML parse of most INI
    /// files.
    private var mayBeMapping: Bool {
        let line = firstLine
        return Self.endOfKey(line) != nil || Self.openings.contains { line.starts(with: $0) }
    }

    /// Whether the YAML error, not the INI error, is the useful one.
    private var looksLikeYAML: Bool {
        let line = firstLine
        if hasYAMLEnding || Self.openings[..<3].contains(where: { line.starts(with: $0) }) { return true }
        return Self.endOfKey(line).map { !line[..<$0].contains(UInt8(ascii: "=")) } ?? false
    }
}

/// The value of a variable, as far as it matters for reaching a host.
struct InventoryValue: Sendable {
    enum Content: Sendable {
        case text(String)
        /// A number or a boolean, as `str` writes it.
        case number(String)
        case vaulted
        case nothing
        /// A list or a mapping; the text names its kind.
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

    /// The value of `ansible_group_priority`. Refuses what Python's `int` does not accept, as Ansible refuses the inventory.
    func priority(of group: String) throws(HostSetProblem) -> Int {
        switch content {
        case .text(let text): if let number = PythonNumber.integer(text) { return number }
        case .number("True"): return 1
        case .number("False"): return 0
        case .number(let text): if let number = PythonNumber.integer(text) ?? PythonNumber.truncated(text) { return number }
        case .vaulted, .nothing, .other: break
        }
        throw HostSetProblem(
            .malformed, "\(InventoryVariables.priority) of the group \(HostSetProblem.shown(group)) is not a whole number.",
            location: location)
    }
}

/// Variables by name. Keeps only the variables that say how to reach a host.
struct InventoryVariables: Sendable {
    private(set) var values: [String: InventoryValue] = [:]

    /// Later aliases in the list override earlier ones, as in Ansible's ssh plugin.
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
