#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RawResponse {
    /// The server's own words in the body: the `message`, `error`, `detail`, `title` … of a JSON object (RFC 9457 and the
    /// usual ways), or a short plain text. At most 300 characters; nil where there are none.
    public var serverMessage: String? {
        guard !body.isEmpty, body.count <= 1 << 20 else { return nil }
        if let value = try? JSONDecoder().decode(JSONText.self, from: body) {
            return Self.message(in: value, depth: 0)?.cut(to: 300)
        }
        // A page in HTML is no message.
        guard let text = String(data: body, encoding: .utf8)?.trimmed, !text.isEmpty, !text.hasPrefix("<"), text.count <= 300,
            self[header: "Content-Type"].map({ $0.lowercased().hasPrefix("text/plain") }) ?? true
        else { return nil }
        return text
    }

    private static let names = ["message", "error_description", "error", "detail", "title", "reason", "errors"]

    private static func message(in value: JSONText, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch value {
        case .text(let text):
            let text = text.trimmed
            return text.isEmpty ? nil : text
        case .object(let object):
            return names.lazy.compactMap { object[$0] }.compactMap { message(in: $0, depth: depth + 1) }.first
        case .list(let list):
            return list.lazy.compactMap { message(in: $0, depth: depth + 1) }.first
        case .other:
            return nil
        }
    }
}

/// JSON of which only the texts matter.
private enum JSONText: Decodable {
    case text(String)
    case object([String: JSONText])
    case list([JSONText])
    case other

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let object = try? value.decode([String: JSONText].self) {
            self = .object(object)
        } else if let list = try? value.decode([JSONText].self) {
            self = .list(list)
        } else {
            self = .other
        }
    }
}
