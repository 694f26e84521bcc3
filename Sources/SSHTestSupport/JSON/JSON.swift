package import Foundation

/// JSON as a test reads it, integers apart from other numbers.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Reads a text (RFC 8259), of one scalar too.
    ///
    /// Not by `JSONDecoder`, which finds out what a value is by trying one kind after the other: each that it is not is an error, of
    /// which the testing library notes where it was thrown, and a schema takes seconds.
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

    /// The name that `type` in a schema has for it.
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
