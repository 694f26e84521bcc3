#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What Ansible's callbacks write of a task that failed, as the lines that its `minimal` callback would write.
///
/// Unreachable hosts give the lines of ssh (plugins/connection/ssh.py puts them into `msg`). Of a task that failed the
/// module's status comes first, so that nobody takes what the module ran for Ansible's own ssh.
enum AnsibleResult {
    /// The header that `minimal` writes before a module's output.
    static let header = " | FAILED | rc="

    /// What a result says; nil where the text holds none that failed.
    static func lines(_ text: String) -> [String]? {
        guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), start < end,
            let tree = try? JSONDecoder().decode(Tree.self, from: Data(text[start...end].utf8))
        else { return nil }
        guard let failed = tree.results.first(where: { $0.unreachable || $0.failed })
        else {
            // One object alone is a task's result: its header says what became of it.
            return text[..<start].contains("FAILED! =>") ? said(tree) : text[..<start].contains("=>") ? [] : nil
        }
        return said(failed)
    }

    private static func said(_ result: Tree) -> [String] {
        let message = result.text("msg")
        guard !result.unreachable, let status = result.status, status != 0 else { return split(message) }
        let output = [result.text("stderr"), result.text("module_stderr"), message]
        return ["ansible\(header)\(status) >>"] + output.flatMap(split)
    }

    private static func split(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0).trimming(" \t\r") }.filter { !$0.isEmpty }
    }

    /// Any JSON.
    private indirect enum Tree: Decodable {
        case members([String: Tree])
        case elements([Tree])
        case text(String)
        case number(Double)
        case flag(Bool)
        case null

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let members = try? value.decode([String: Tree].self) {
                self = .members(members)
            } else if let elements = try? value.decode([Tree].self) {
                self = .elements(elements)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .null
            }
        }

        /// This object and all that are in it, in the order of their names.
        var results: [Tree] {
            switch self {
            case .members(let members): [self] + members.keys.sorted().flatMap { members[$0]?.results ?? [] }
            case .elements(let elements): elements.flatMap(\.results)
            case .text, .number, .flag, .null: []
            }
        }

        var unreachable: Bool { flag("unreachable") }
        var failed: Bool { flag("failed") }
        var status: Int? {
            guard case .members(let members) = self, case .number(let number)? = members["rc"] else { return nil }
            return Int(exactly: number)
        }

        func text(_ name: String) -> String {
            guard case .members(let members) = self, case .text(let text)? = members[name] else { return "" }
            return text
        }

        private func flag(_ name: String) -> Bool {
            guard case .members(let members) = self, case .flag(let flag)? = members[name] else { return false }
            return flag
        }
    }
}
