/// The text of an inventory, of which it must be found out whether it is YAML or INI.
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

    /// Adds what the text says. As with Ansible, what its ending and its content allow to be YAML is read as YAML; and what is no
    /// mapping is INI, whatever its ending.
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

    /// The text as a mapping of YAML or JSON.
    private func mapping() throws(HostSetProblem) -> SourceNode {
        let isJSON = text.utf8.first { !ExpressionScanner.isBlank($0) } == UInt8(ascii: "{")
        // What looks like JSON may still be YAML in braces.
        var root = isJSON ? try? JSONText.load(text, file: file) : nil
        if root == nil { root = try YAMLText.load(text, file: file) }
        return try YAMLInventory.checked(root, file: file)
    }

    // MARK: - The first line

    /// The first line that is no comment.
    private var firstLine: ArraySlice<UInt8> {
        for line in SourceLines(text) {
            let content = SourceLines.trimmed(line)
            if let first = content.first, first != UInt8(ascii: "#") { return content }
        }
        return []
    }

    /// Where the key of a mapping ends in a line: at a colon with nothing or a blank behind it.
    private static func endOfKey(_ line: ArraySlice<UInt8>) -> Int? {
        line.indices.first { index in
            line[index] == UInt8(ascii: ":")
                && (index + 1 == line.endIndex || ExpressionScanner.isBlank(line[index + 1]))
        }
    }

    private static let openings = ["{", "---", "%", "?", "!", "&"].map { Array($0.utf8) }

    /// Whether the text can be a mapping of YAML, whose first key is in its first line. Most files in INI are not read in vain.
    private var mayBeMapping: Bool {
        let line = firstLine
        return Self.endOfKey(line) != nil || Self.openings.contains { line.starts(with: $0) }
    }

    /// Whether what is wrong with the text as YAML is what a person wants to know.
    private var looksLikeYAML: Bool {
        let line = firstLine
        if hasYAMLEnding || Self.openings[..<3].contains(where: { line.starts(with: $0) }) { return true }
        return Self.endOfKey(line).map { !line[..<$0].contains(UInt8(ascii: "=")) } ?? false
    }
}
