/// A few short facts about an error, for logs and metrics.
///
/// Bounded: at most ``limit`` entries, each value cut to ``valueLimit`` characters. Never put a secret in it.
public struct ErrorMetadata: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The greatest number of entries; further ones are dropped.
    public static let limit = 24
    /// The greatest number of characters of a value; a longer one is cut and ends in `…`.
    public static let valueLimit = 256

    /// The entries.
    public private(set) var entries: [String: String] = [:]

    /// No facts yet.
    public init() {}

    /// These facts; of two values for one key the last counts.
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

    /// Adds the facts of another; on equal keys the other's count.
    public mutating func merge(_ other: ErrorMetadata) {
        for key in other.entries.keys.sorted() { self[key] = other.entries[key] }
    }

    /// Adds the facts of another and loses none: where both have a key and not the same value, the other's goes under the key
    /// with a prefix such as `context_`.
    public mutating func merge(_ other: ErrorMetadata, keepingBothUnder prefix: String) {
        for key in other.entries.keys.sorted() {
            let isTaken = entries[key].map { $0 != other.entries[key] } ?? false
            self[isTaken ? prefix + key : key] = other.entries[key]
        }
    }

    /// The same keys with changed values.
    public func mapValues(_ transform: (_ key: String, _ value: String) -> String) -> ErrorMetadata {
        var result = ErrorMetadata()
        for (key, value) in entries { result[key] = transform(key, value) }
        return result
    }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }
}
