import Foundation
import Synchronization

/// The part of JSON Schema (draft 2020-12) that the project's schemas use. An unknown keyword is a fault.
package struct JSONSchema: Sendable {
    let root: JSON

    /// The schema of a run in the repository.
    package static func ofReport() throws -> JSONSchema { try read("json-schema.json") }

    /// The schema of a diagnosis in the repository.
    package static func ofDiagnosis() throws -> JSONSchema { try read("json-schema-doctor.json") }

    /// The schema of what `fleet hosts` writes, in the repository.
    package static func ofHosts() throws -> JSONSchema { try read("json-schema-hosts.json") }

    /// The schema of what `trust` did, in the repository.
    package static func ofTrust() throws -> JSONSchema { try read("json-schema-trust.json") }

    /// The schema of a copy in the repository.
    package static func ofCopy() throws -> JSONSchema { try read("json-schema-copy.json") }

    /// The schema of the kept connections in the repository.
    package static func ofPersist() throws -> JSONSchema { try read("json-schema-persist.json") }

    /// The schema of what `classify` writes, in the repository.
    package static func ofClassification() throws -> JSONSchema { try read("json-schema-classify.json") }

    /// The schema in docs/ with this file name.
    package static func named(_ file: String) throws -> JSONSchema { try read(file) }

    /// The schema of a line of a fleet run, in the repository.
    package static func ofFleet() throws -> JSONSchema { try read("json-schema-fleet.json") }

    /// The schemas that were read before: a schema refers to others many times.
    private static let known = Mutex<[String: JSONSchema]>([:])

    private static func read(_ name: String) throws -> JSONSchema {
        if let schema = known.withLock({ $0[name] }) { return schema }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/\(name)")
        let schema = JSONSchema(root: try JSON(parsing: Data(contentsOf: file)))
        known.withLock { $0[name] = schema }
        return schema
    }

    /// All violations of the schema, as `place: what`.
    package func faults(_ value: JSON) -> [String] { faults(value, root, "$") }

    private func faults(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        schema.members.flatMap { keyword, rule in faults(value, keyword, rule, schema, place) }.sorted()
    }

    private func faults(_ value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, _ place: String) -> [String] {
        func unless(_ holds: Bool, _ what: String) -> [String] { holds ? [] : ["\(place): \(what)"] }
        switch keyword {
        case "$schema", "$id", "title", "description", "$defs": return []
        case "$ref": return faults(value, referringTo: rule.text ?? "", place)
        case "type":
            let types = rule.text.map { [$0] } ?? rule.items.compactMap(\.text)
            return unless(
                types.contains(value.type) || types.contains("number") && value.type == "integer",
                "is \(value.type), not \(types)")
        case "const": return unless(value == rule, "is not \(rule)")
        case "enum": return unless(rule.items.contains(value), "\(value) is not in the list")
        case "minimum": return unless((value.double ?? .infinity) >= (rule.double ?? 0), "is too small")
        case "maximum": return unless((value.double ?? -.infinity) <= (rule.double ?? 0), "is too large")
        case "minLength": return unless(value.text.map { Double($0.count) >= (rule.double ?? 0) } ?? true, "is too short")
        case "pattern":
            guard let text = value.text, let pattern = rule.text else { return [] }
            return unless(text.range(of: pattern, options: .regularExpression) != nil, "\(text) does not match \(pattern)")
        case "required":
            guard case .object(let members) = value else { return [] }
            return rule.items.compactMap(\.text).filter { members[$0] == nil }.map { "\(place): lacks \($0)" }
        case "properties":
            return value.members.flatMap { name, member in rule[name].map { faults(member, $0, "\(place).\(name)") } ?? [] }
        case "additionalProperties":
            let known = schema["properties"]?.members ?? [:]
            let others = value.members.filter { known[$0.key] == nil }
            // False forbids other members. A schema describes them.
            if rule == .bool(false) { return others.keys.map { "\(place): has \($0)" } }
            return others.flatMap { faults($0.value, rule, "\(place).\($0.key)") }
        case "items": return value.items.enumerated().flatMap { faults($0.element, rule, "\(place)[\($0.offset)]") }
        case "allOf": return rule.items.flatMap { faults(value, $0, place) }
        case "anyOf", "oneOf":
            let tries = rule.items.map { faults(value, $0, place) }
            let fits = tries.count { $0.isEmpty }
            if keyword == "anyOf" ? fits > 0 : fits == 1 { return [] }
            return tries.min { $0.count < $1.count }.flatMap { $0.isEmpty ? nil : $0 } ?? ["\(place): fits \(fits) of one"]
        default: return ["\(place): the schema has the unknown keyword \(keyword)"]
        }
    }

    /// A reference may point to another file in the same directory.
    private func faults(_ value: JSON, referringTo reference: String, _ place: String) -> [String] {
        let file = reference.prefix { $0 != "#" }
        guard !file.isEmpty else { return faults(value, target(reference), place) }
        guard let other = try? Self.read(String(file)) else { return ["\(place): there is no schema \(file)"] }
        return other.faults(value, other.target(reference), place)
    }

    private func target(_ reference: String) -> JSON {
        reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .object([:]) }
    }
}
