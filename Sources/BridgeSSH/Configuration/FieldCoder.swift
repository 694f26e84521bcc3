/// Writes or reads the fields of a value, in the data types of RFC 4251 section 5. One list of fields serves both directions.
package struct FieldCoder {
    private var writer = SSHWireWriter()
    private var reader: SSHWireReader?

    /// A coder that writes.
    package init() {}

    /// A coder that reads the bytes of another coder.
    package init(reading bytes: [UInt8]) { reader = SSHWireReader(bytes) }

    /// The written bytes.
    package var bytes: [UInt8] { writer.bytes }

    /// The encoded form of a value.
    package static func bytes(of value: some FieldCoded) -> [UInt8] {
        var coder = FieldCoder()
        var copy = value
        // Writing never fails.
        try? copy.code(&coder)
        return coder.bytes
    }

    /// Decodes a value.
    ///
    /// - Throws: `SSHWireError` unless the bytes are exactly one value.
    package static func value<Value: FieldCoded>(of type: Value.Type, from bytes: [UInt8]) throws(SSHWireError) -> Value {
        var coder = FieldCoder(reading: bytes)
        var value = Value.blank
        try value.code(&coder)
        try coder.reader?.expectEnd()
        return value
    }

    package mutating func code(_ value: inout some FieldCoded) throws(SSHWireError) { try value.code(&self) }

    package mutating func code<Value: FieldCoded>(_ value: inout Value?) throws(SSHWireError) {
        var isThere = value != nil
        try code(&isThere)
        guard isThere else { return value = nil }
        var content = value ?? .blank
        try content.code(&self)
        value = content
    }

    package mutating func code<Value: FieldCoded>(_ values: inout [Value]) throws(SSHWireError) {
        var count = values.count
        try code(&count)
        // Each value takes at least one byte, so a count cannot allocate more than was sent.
        if let reader, count > reader.remaining.count { throw .outOfRange }
        if reader != nil { values = [] }
        for index in 0..<count {
            var value = reader == nil ? values[index] : .blank
            try value.code(&self)
            if reader != nil { values.append(value) }
        }
    }

    /// A number with limits.
    ///
    /// - Throws: `SSHWireError.outOfRange` if the number read is outside them.
    package mutating func code(_ value: inout Int, in range: ClosedRange<Int>) throws(SSHWireError) {
        try code(&value)
        guard reader == nil || range.contains(value) else { throw .outOfRange }
    }

    /// A name from a fixed set.
    package mutating func code<Name: RawRepresentable<String>>(name value: inout Name) throws(SSHWireError) {
        var text = value.rawValue
        try code(&text)
        guard let name = Name(rawValue: text) else { throw .invalidText }
        value = name
    }

    package mutating func code(bytes value: inout [UInt8]) throws(SSHWireError) {
        if let content = try reader?.string() { value = Array(content) } else { writer.string(value) }
    }

    fileprivate mutating func code(text value: inout String) throws(SSHWireError) {
        if let text = try reader?.text() { value = text } else { writer.string(value) }
    }

    /// - Parameter accepts: whether a number that was read is valid.
    fileprivate mutating func code(
        number value: inout UInt64, where accepts: (UInt64) -> Bool
    ) throws(SSHWireError) {
        guard let number = try reader?.uint64() else { return writer.uint64(value) }
        guard accepts(number) else { throw .outOfRange }
        value = number
    }
}

/// A value whose fields a ``FieldCoder`` writes and reads.
package protocol FieldCoded {
    /// The initial value for reading.
    static var blank: Self { get }
    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError)
}

extension String: FieldCoded {
    package static var blank: String { "" }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) { try coder.code(text: &self) }
}

/// Never negative: the values are counts, sizes, ports and process numbers.
extension Int: FieldCoded {
    package static var blank: Int { 0 }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var bits = UInt64(bitPattern: Int64(self))
        try coder.code(number: &bits) { $0 <= UInt64(Int.max) }
        self = Int(truncatingIfNeeded: bits)
    }
}

extension Bool: FieldCoded {
    package static var blank: Bool { false }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var bits: UInt64 = self ? 1 : 0
        try coder.code(number: &bits) { $0 <= 1 }
        self = bits != 0
    }
}

/// Seconds: not negative, and within the range of timers.
extension Double: FieldCoded {
    package static var blank: Double { 0 }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var bits = bitPattern
        try coder.code(number: &bits) { (0...Duration.maximumSeconds).contains(Double(bitPattern: $0)) }
        self = Double(bitPattern: bits)
    }
}

/// Coded as seconds.
extension Duration: FieldCoded {
    package static var blank: Duration { .zero }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var seconds = boundedSeconds
        try coder.code(&seconds)
        self = .seconds(seconds)
    }
}
