#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension AppError {
    /// The case for a failed response (RFC 9110 section 15, RFC 6585); nil for a success or an interim response.
    ///
    /// - Parameters:
    ///   - response: The response. The server's message is taken from its body.
    ///   - now: The current time, for a date in `Retry-After`.
    public init?(response: RawResponse, now: Date = Date()) {
        let status = response.status.rawValue
        let message = response.serverMessage
        switch status {
        case 0..<300: return nil
        case 401: self = .apiUnauthorized
        // These keep their status: what a person can do depends on it.
        case 402, 403, 405, 406, 407, 409, 410, 418, 451: self = .serverError(status: status, message: message)
        case 404: self = .apiNotFound(endpoint: response.endpoint)
        case 408: self = .timeout(seconds: 0)
        case 429: self = .apiRateLimited(retryAfter: response.retryAfterSeconds(now: now))
        case 400..<500: self = .apiBadRequest(message: message ?? HTTPStatus.refusals[status] ?? "status \(status)")
        default: self = .serverError(status: status, message: message)
        }
    }
}

extension RawResponse {
    /// The address, without anything that may be secret.
    var endpoint: String { url.withoutCredentials }
}

extension RawResponse {
    /// The server's message from the body: the `message`, `error`, `detail` or `title` of a JSON object (RFC 9457 and common
    /// practice), or a short plain text. At most 300 characters; nil if there is none.
    public var serverMessage: String? {
        guard !body.isEmpty, body.count <= 1 << 20 else { return nil }
        guard let text = String(data: body, encoding: .utf8)?.trimmed else { return nil }
        if let value = try? JSONReader<BodyValue>.read(text, isLenient: true) {
            return Self.message(in: value, depth: 0)?.cut(to: 300)
        }
        // An HTML page is not an error message.
        guard !text.isEmpty, !text.hasPrefix("<"), text.count <= 300,
            self[header: "Content-Type"].map({ $0.lowercased().hasPrefix("text/plain") }) ?? true
        else { return nil }
        return text
    }

    private static let names = ["message", "error_description", "error", "detail", "title", "reason", "errors"]

    private static func message(in value: BodyValue, depth: Int) -> String? {
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

/// The strings of a JSON value; other values are ignored.
private enum BodyValue: JSONNode {
    case text(String)
    case object([String: BodyValue])
    case list([BodyValue])
    case other

    init(_ part: JSONPart<BodyValue>, line: Int) {
        switch part {
        case .object(let members): self = .object(.init(members.lazy.map { ($0.name, $0.value) }) { first, _ in first })
        case .array(let values): self = .list(values)
        case .string(let text): self = .text(text)
        case .number, .boolean, .null: self = .other
        }
    }
}
