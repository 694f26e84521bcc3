/// Writes or reads the fields of a value, each listed once for both directions, in the data types of RFC 4251 section 5.
package struct FieldCoder {
    private var writer = SSHWireWriter()
    private var reader: SSHWireReader?

    /// Writes.
    package init() {}

    /// Reads what another coder wrote.
    package init(reading bytes: [UInt8]) { reader = SSHWireReader(bytes) }

    /// What was written.
    package var bytes: [UInt8] { writer.bytes }

    /// The bytes that a value comes to.
    package static func bytes(of value: some FieldCoded) -> [UInt8] {
        var coder = FieldCoder()
        var copy = value
        // Writing never fails.
        try? copy.code(&coder)
        return coder.bytes
    }

    /// The value that bytes stand for.
    ///
    /// - Throws: `SSHWireError` for anything but exactly one value.
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
        // Every value takes a byte at least: no count can ask for more than was sent.
        if let reader, count > reader.remaining.count { throw .outOfRange }
        if reader != nil { values = [] }
        for index in 0..<count {
            var value = reader == nil ? values[index] : .blank
            try value.code(&self)
            if reader != nil { values.append(value) }
        }
    }

    /// A number that what is done with it sets limits to.
    ///
    /// - Throws: `SSHWireError.outOfRange` where reading finds another.
    package mutating func code(_ value: inout Int, in range: ClosedRange<Int>) throws(SSHWireError) {
        try code(&value)
        guard reader == nil || range.contains(value) else { throw .outOfRange }
    }

    /// One of a closed list of names.
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

    /// - Parameter accepts: whether what is read can be such a number.
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
    /// What reading begins with.
    static var blank: Self { get }
    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError)
}

extension String: FieldCoded {
    package static var blank: String { "" }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) { try coder.code(text: &self) }
}

/// Not negative: there are counts, sizes, ports and numbers of processes.
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

/// Seconds: not negative, and not more than any timer takes.
extension Double: FieldCoded {
    package static var blank: Double { 0 }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var bits = bitPattern
        try coder.code(number: &bits) { (0...Duration.longestSeconds).contains(Double(bitPattern: $0)) }
        self = Double(bitPattern: bits)
    }
}

/// As seconds.
extension Duration: FieldCoded {
    package static var blank: Duration { .zero }
    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var seconds = boundedSeconds
        try coder.code(&seconds)
        self = .seconds(seconds)
    }
}
