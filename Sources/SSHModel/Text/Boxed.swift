/// A large value behind a reference.
///
/// A value of one or two KiB takes several times its size in the frame of every function that may pass it on. An async
/// function's frame is allocated at each call. Without the box, a successful call would pay for the size of an error.
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }
    private let box: Box

    package init(_ value: Value) { box = Box(value) }

    package var value: Value { box.value }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (one: Boxed, other: Boxed) -> Bool { one.box === other.box || one.value == other.value }
}

extension Boxed: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

// Encoded and decoded like the value itself.

extension Boxed: Encodable where Value: Encodable {
    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Boxed: Decodable where Value: Decodable {
    package init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
