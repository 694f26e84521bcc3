/// A few short facts about an error, for logs and metrics.
///
/// At most ``limit`` entries; each value is cut to ``valueLimit`` characters. Never put a secret in it.
public struct ErrorMetadata: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The greatest number of entries; more are dropped.
    public static let limit = 24
    /// The greatest length of a value, in characters. A longer value is cut and ends in `…`.
    public static let valueLimit = 256

    /// The entries.
    public private(set) var entries: [String: String] = [:]

    /// No facts yet.
    public init() {}

    /// Makes metadata of these facts; if a key has several values, the last is kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (key, value) in elements { self[key] = value }
    }

    /// The value for a key; setting nil removes it.
    public subscript(key: String) -> String? {
        get { entries[key] }
        set {
            guard let newValue else {
                entries[key] = nil
                return
            }
            guard entries[key] != nil || entries.count < Self.limit else { return }
            entries[key] = newValue.cut(to: Self.valueLimit)
        }
    }

    /// Adds the facts of another value; for equal keys, the other's value is kept.
    public mutating func merge(_ other: ErrorMetadata) {
        for key in other.entries.keys.sorted() { self[key] = other.entries[key] }
    }

    /// Adds the facts of another value and loses none. If both have a key with different values, the other's goes under the key
    /// with a prefix such as `context_`.
    public mutating func merge(_ other: ErrorMetadata, keepingBothUnder prefix: String) {
        for key in other.entries.keys.sorted() {
            let isTaken = entries[key].map { $0 != other.entries[key] } ?? false
            self[isTaken ? prefix + key : key] = other.entries[key]
        }
    }

    /// The same keys with transformed values.
    public func mapValues(_ transform: (_ key: String, _ value: String) -> String) -> ErrorMetadata {
        var result = ErrorMetadata()
        for (key, value) in entries { result[key] = transform(key, value) }
        return result
    }

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }
}
