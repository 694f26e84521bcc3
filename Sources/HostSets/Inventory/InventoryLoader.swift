extension FleetInventory {
    /// Reads an inventory and the `group_vars` and `host_vars` beside it. The inventory is an INI or YAML file, a program that
    /// prints JSON, or a directory of these.
    ///
    /// - Parameters:
    ///   - path: The file or directory.
    ///   - files: The file system to read from.
    ///   - runner: Runs a program; without it, an executable inventory is refused.
    /// - Throws: ``HostSetProblem`` with file and line.
    public init(path: String, files: any HostFiles = LocalFiles(), runner: HostProgramRunner? = nil) throws {
        try self.init(paths: [path], files: files, runner: runner)
    }

    /// Reads several inventories as one. Later inventories add to the hosts and groups of earlier ones.
    ///
    /// - Throws: ``HostSetProblem`` with file and line.
    public init(paths: [String], files: any HostFiles = LocalFiles(), runner: HostProgramRunner? = nil) throws {
        self.init()
        let loader = InventoryLoader(access: SourceAccess(files: files, runner: runner))
        for path in paths { try loader.load(path, into: &self, depth: 0) }
        try reconcile()
        for path in paths { try loader.loadVariables(beside: path, into: &self) }
    }

    /// Reads an inventory from INI text.
    ///
    /// - Throws: ``HostSetProblem`` with the line.
    public init(ini text: String, file: String = "inventory") throws {
        self.init()
        try INIInventory.read(text, file: file, into: &self)
        try reconcile()
    }

    /// Reads an inventory from YAML text.
    ///
    /// - Throws: ``HostSetProblem`` with the line.
    public init(yaml text: String, file: String = "inventory.yaml") throws {
        self.init()
        if let root = try YAMLText.load(text, file: file) {
            try YAMLInventory.read(YAMLInventory.checked(root, file: file), file: file, into: &self)
        }
        try reconcile()
    }
}

/// Determines the format of an inventory, and reads it.
struct InventoryLoader {
    let access: SourceAccess

    private static let ignoredEndings = [
        ".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry",
    ]
    private static let ignoredNames = ["host_vars", "group_vars", "vars_plugins"]
    private static let maximumDepth = 16

    func load(_ path: String, into inventory: inout FleetInventory, depth: Int) throws(HostSetProblem) {
        switch access.files.kind(of: path) {
        case .missing:
            throw HostSetProblem(.unreadable, "There is no inventory here.", location: .init(file: path))
        case .special: throw .special(path)
        case .directory:
            if depth > Self.maximumDepth {
                throw HostSetProblem(
                    .malformed, "Directories are nested more than \(Self.maximumDepth) deep.",
                    location: .init(file: path))
            }
            for name in try access.names(in: path) {
                if name.hasPrefix(".") || Self.ignoredNames.contains(name) || Self.ignoredEndings.contains(where: name.hasSuffix)
                {
                    continue
                }
                try load(Path.joined(path, name), into: &inventory, depth: depth + 1)
            }
        case .file(let isExecutable):
            if isExecutable, isProgram(path) { return try ProgramInventory.read(path, access, into: &inventory) }
            let text = try access.text(of: path)
            if text.hasPrefix("$ANSIBLE_VAULT;") { throw HostSetProblem.vaulted(path) }
            try InventoryText(text, file: path).read(into: &inventory)
        }
    }

    /// Whether an executable file really is a program: on some file systems all files are executable.
    private func isProgram(_ path: String) -> Bool {
        guard let bytes = try? access.files.read(path) else { return true }
        return bytes.starts(with: Array("#!".utf8)) || bytes.starts(with: [0x7F] + Array("ELF".utf8))
            || bytes.starts(with: [0xCF, 0xFA, 0xED, 0xFE]) || bytes.starts(with: [0xCA, 0xFE, 0xBA, 0xBE])
    }

    // MARK: - Variables in files of their own

    func loadVariables(beside path: String, into inventory: inout FleetInventory) throws(HostSetProblem) {
        let base = access.files.kind(of: path) == .directory ? path : Path.directory(of: path)
        try load(Path.joined(base, "group_vars"), names: inventory.groupNames, into: &inventory) { inventory, name, variables in
            inventory.setFileVariables(ofGroup: name, variables)
        }
        try load(Path.joined(base, "host_vars"), names: inventory.hosts, into: &inventory) { inventory, name, variables in
            inventory.setFileVariables(ofHost: name, variables)
        }
    }

    private func load(
        _ directory: String, names: [String], into inventory: inout FleetInventory,
        _ body: (inout FleetInventory, String, InventoryVariables) -> Void
    ) throws(HostSetProblem) {
        guard access.files.kind(of: directory) == .directory else { return }
        let present = Set(try access.names(in: directory))
        for name in names {
            guard let file = ([""] + InventoryText.yamlEndings).map({ name + $0 }).first(where: present.contains) else {
                continue
            }
            var variables = InventoryVariables()
            for path in try variableFiles(Path.joined(directory, file), depth: 0) {
                variables.merge(try self.variables(in: path, &inventory))
            }
            if !variables.isEmpty { body(&inventory, name, variables) }
        }
    }

    private func variableFiles(_ path: String, depth: Int) throws(HostSetProblem) -> [String] {
        guard access.files.kind(of: path) == .directory else { return [path] }
        guard depth < Self.maximumDepth else { return [] }
        var result: [String] = []
        for name in try access.names(in: path) where !name.hasPrefix(".") && !name.hasSuffix("~") {
            let inner = Path.joined(path, name)
            let ending = Path.suffix(of: name)
            if access.files.kind(of: inner) == .directory {
                if ending.isEmpty { result += try variableFiles(inner, depth: depth + 1) }
            } else if ending.isEmpty || InventoryText.yamlEndings.contains(ending) {
                result.append(inner)
            }
        }
        return result
    }

    private func variables(in path: String, _ inventory: inout FleetInventory) throws(HostSetProblem) -> InventoryVariables {
        var variables = InventoryVariables()
        let text = try access.text(of: path)
        if text.hasPrefix("$ANSIBLE_VAULT;") {
            inventory.notices.append(
                "\(HostSetProblem.shown(path)) is encrypted with ansible-vault: its variables are not known.")
            return variables
        }
        guard let root = try YAMLText.load(text, file: path), !root.isNull else { return variables }
        guard let pairs = root.pairs else {
            throw HostSetProblem(
                .malformed, "A file of variables is a mapping; this is \(root.kindName).",
                location: .init(file: path, line: root.line))
        }
        for (key, value) in pairs { variables.set(key.text ?? "", value.inventoryValue(path)) }
        return variables
    }
}
