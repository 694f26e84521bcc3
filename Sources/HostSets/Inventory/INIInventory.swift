/// Ansible's INI: hosts in `[group]`, groups in `[group:children]`, variables in `[group:vars]`.
struct INIInventory {
    private enum State { case hosts, children, variables }

    /// A group that was named and is not there yet.
    private struct Pending {
        var line: Int
        var isChild: Bool
        var parents: [String] = []
    }

    private let file: String
    private var line = 0
    private var state = State.hosts
    private var group = Inventory.ungrouped
    private var pending: [String: Pending] = [:]
    private var pendingOrder: [String] = []

    private init(file: String) { self.file = file }

    private var location: HostSetProblem.Location { .init(file: file, line: line) }

    private func malformed(_ message: String, remedy: String? = nil) -> HostSetProblem {
        HostSetProblem(.malformed, message, location: location, remedy: remedy)
    }

    /// Adds what a file says.
    static func read(_ text: String, file: String, into inventory: inout Inventory) throws(HostSetProblem) {
        var reader = INIInventory(file: file)
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
            reader.line += 1
            try reader.take(bytes[start..<end], &inventory)
            start = end + 1
            if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { start += 1 }
        }
        try reader.finish()
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, _ inventory: inout Inventory) throws(HostSetProblem) {
        var line = bytes
        while let byte = line.first, ExpressionScanner.isBlank(byte) { line = line.dropFirst() }
        while let byte = line.last, ExpressionScanner.isBlank(byte) { line = line.dropLast() }
        guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return }
        if first == UInt8(ascii: "["), try takeSection(String(decoding: line, as: UTF8.self), &inventory) { return }
        let text = String(decoding: line, as: UTF8.self)
        switch state {
        case .hosts: try takeHost(text, &inventory)
        case .variables: try takeVariable(text, &inventory)
        case .children: try takeChild(text, &inventory)
        }
    }

    /// Reads `[group]`, `[group:children]` or `[group:vars]`; false if the line is none of these.
    private mutating func takeSection(_ text: String, _ inventory: inout Inventory) throws(HostSetProblem) -> Bool {
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
                    "\(HostSetProblem.shown(text)) is no section.",
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

    private mutating func addPendingChild(_ name: String, _ inventory: inout Inventory) throws(HostSetProblem) {
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

    private mutating func takeHost(_ text: String, _ inventory: inout Inventory) throws(HostSetProblem) {
        if HostName.plain(text) != nil {
            try inventory.addHost(text, to: group, location)
            return
        }
        guard let words = ShellWords.split(text, comments: true) else {
            throw malformed("A quote is not closed in the line of a host.")
        }
        guard let pattern = words.first else { return }
        let hosts = try HostPattern(pattern, location)
        if pattern.hasSuffix(":"), hosts.port == nil {
            throw malformed("\(HostSetProblem.shown(pattern)) ends with a colon, after which a port must stand.")
        }
        if pattern == "---" {
            throw malformed("A line with --- begins YAML, not INI.", remedy: "Name the file with the ending .yaml.")
        }
        if hosts.names.isEmpty {
            inventory.notices.append("\(location): the range of \(HostSetProblem.shown(pattern)) is empty.")
        }
        var variables: [(String, InventoryValue)] = []
        for word in words.dropFirst() {
            guard let equals = word.firstIndex(of: "=") else {
                throw malformed(
                    "After a host stand variables, as in ansible_port=2222; this is none: \(HostSetProblem.shown(word)).")
            }
            let name = String(word[..<equals])
            guard InventoryVariables.isKept(name) else { continue }
            variables.append((name, value(word[word.index(after: equals)...])))
        }
        for name in hosts.names {
            let place = try inventory.addHost(name, to: group, port: hosts.port, location)
            for (name, value) in variables { inventory.set(name, value, ofHost: place) }
        }
    }

    private mutating func takeVariable(_ text: String, _ inventory: inout Inventory) throws(HostSetProblem) {
        guard let equals = text.firstIndex(of: "=") else {
            throw malformed("A line of variables is NAME=VALUE; this is none: \(HostSetProblem.shown(text)).")
        }
        let name = String(text[..<equals].trimmingBlanks())
        guard InventoryVariables.isKept(name) else { return }
        inventory.set(name, value(text[text.index(after: equals)...].trimmingBlanks()), ofGroup: group)
    }

    private mutating func takeChild(_ text: String, _ inventory: inout Inventory) throws(HostSetProblem) {
        let name = text.prefix { !$0.isWhitespace && $0 != ":" && $0 != "]" }
        let rest = text[name.endIndex...]
        guard !name.isEmpty,
            rest.isEmpty || (rest.first?.isWhitespace == true && [nil, "#"].contains(rest.trimmingBlanks().first))
        else {
            throw malformed("A line of children is the name of a group; this is none: \(HostSetProblem.shown(text)).")
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

    /// Ansible reads a value as a literal of Python where it is one: quotes go, and so does a comment behind.
    private func value(_ text: Substring) -> InventoryValue {
        InventoryValue(content: PythonLiteral.content(text), location: location)
    }
}

/// As much of Python's literals as values that say how to reach a host can be.
enum PythonLiteral {
    static func content(_ text: Substring) -> InventoryValue.Content {
        if isPlainText(text) { return .text(String(text)) }
        if text.hasPrefix("$ANSIBLE_VAULT;") { return .vaulted }
        if let quoted = quoted(text) { return .text(quoted) }
        let bare = text.prefix { $0 != "#" }.trimmingBlanks()
        if bare == "None" { return .nothing }
        // Numbers only: other words with a comment behind are no literal, and stay as they are.
        if let number = number(bare) { return .text(number) }
        if let open = text.first, "[{(".contains(open), let close = text.last, "]})".contains(close) {
            return .other("a list or a mapping")
        }
        return .text(String(text))
    }

    /// Whether the text is a word or an address, and surely no literal.
    private static func isPlainText(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text != "None" else { return false }
        var hasDot = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."): hasDot = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "~"), UInt8(ascii: "-"):
                break
            default: return false
            }
        }
        return hasDot || !(isDigit(first) || first == UInt8(ascii: "-"))
    }

    private static func number(_ text: Substring) -> String? {
        var digits = text.filter { $0 != "_" }
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") { return UInt64(digits.dropFirst(2), radix: 16).map { String($0) } }
        let sign = digits.first == "-" || digits.first == "+" ? String(digits.removeFirst()) : ""
        guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit), !text.hasPrefix("_"), !text.hasSuffix("_") else { return nil }
        // 0022 is no number for Python.
        guard digits.first != "0" || digits.allSatisfy({ $0 == "0" }) else { return nil }
        if digits.allSatisfy({ $0 == "0" }) { return "0" }
        return (sign == "-" ? "-" : "") + digits
    }

    /// The text between quotes, if the value is one quoted text and perhaps a comment.
    private static func quoted(_ text: Substring) -> String? {
        guard let quote = text.first, quote == "\"" || quote == "'" else { return nil }
        var result = ""
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            if character == quote {
                let rest = text[index...].trimmingBlanks()
                return rest.isEmpty || rest.hasPrefix("#") ? result : nil
            }
            if character == "\\", index < text.endIndex {
                switch text[index] {
                case "\\", "'", "\"": result.append(text[index])
                case "n": result.append("\n")
                case "t": result.append("\t")
                default: result += "\\\(text[index])"
                }
                index = text.index(after: index)
            } else {
                result.append(character)
            }
        }
        return nil
    }
}
