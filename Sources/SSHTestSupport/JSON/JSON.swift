package import Foundation
import Synchronization

/// JSON for tests. Integers are distinguished from other numbers.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Parses JSON (RFC 8259); a single scalar is accepted too.
    ///
    /// `JSONDecoder` would find the type of a value by trying one type after the other. Each failed attempt throws an error,
    /// whose place the testing library records, so that a schema would take seconds.
    package init(parsing data: Data) throws {
        self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let items as [Any]: self = .array(items.map { JSON($0) })
        case let members as [String: Any]: self = .object(members.mapValues { JSON($0) })
        case let number as NSNumber: self.init(number)
        default: self = .null
        }
    }

    private init(_ number: NSNumber) {
        if number.objCType.pointee == CChar(UInt8(ascii: "c")) {
            self = .bool(number.boolValue)
        } else {
            self = Int("\(number)").map { .integer($0) } ?? .number(number.doubleValue)
        }
    }

    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var items: [JSON] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    package var members: [String: JSON] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    /// The places of all members, as `error.evidence.addresses[].errno`.
    package var fields: Set<String> { fields(at: "") }

    private func fields(at place: String) -> Set<String> {
        switch self {
        case .object(let members):
            return members.reduce(into: []) { found, member in
                let path = place.isEmpty ? member.key : "\(place).\(member.key)"
                found.insert(path)
                found.formUnion(member.value.fields(at: path))
            }
        case .array(let items): return items.reduce(into: []) { $0.formUnion($1.fields(at: place + "[]")) }
        default: return []
        }
    }

    /// The name of the value's type in a schema.
    package var type: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

/// The part of JSON Schema (draft 2020-12) that the project's schemas use. An unknown keyword is a fault.
package struct JSONSchema: Sendable {
    let root: JSON

    /// The schema of a run in the repository.
    package static func ofReport() throws -> JSONSchema { try read("json-schema.json") }

    /// The schema of a diagnosis in the repository.
    package static func ofDiagnosis() throws -> JSONSchema { try read("json-schema-doctor.json") }

    /// The schema of the output of `fleet hosts`, in the repository.
    package static func ofHosts() throws -> JSONSchema { try read("json-schema-hosts.json") }

    /// The schema of the output of `trust`, in the repository.
    package static func ofTrust() throws -> JSONSchema { try read("json-schema-trust.json") }

    /// The schema of a copy in the repository.
    package static func ofCopy() throws -> JSONSchema { try read("json-schema-copy.json") }

    /// The schema of the kept connections in the repository.
    package static func ofPersist() throws -> JSONSchema { try read("json-schema-persist.json") }

    /// The schema of the output of `classify`, in the repository.
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

    /// The places of all members that a value may have, as `error.evidence.addresses[].errno`. Other files are not followed.
    package var fields: Set<String> { fields(root, at: "", within: []) }

    private func fields(_ schema: JSON, at place: String, within references: [String]) -> Set<String> {
        var found: Set<String> = []
        for (name, member) in schema["properties"]?.members ?? [:] {
            let path = place.isEmpty ? name : "\(place).\(name)"
            found.insert(path)
            found.formUnion(fields(member, at: path, within: references))
        }
        if let items = schema["items"] { found.formUnion(fields(items, at: place + "[]", within: references)) }
        for part in ["allOf", "anyOf", "oneOf"].flatMap({ schema[$0]?.items ?? [] }) {
            found.formUnion(fields(part, at: place, within: references))
        }
        if let reference = schema["$ref"]?.text, reference.hasPrefix("#"), !references.contains(reference) {
            found.formUnion(fields(target(reference), at: place, within: references + [reference]))
        }
        return found
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
