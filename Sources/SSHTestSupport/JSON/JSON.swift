package import Foundation

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
