/// Tells a whole public key blob from a damaged one, so that a broken line is skipped and not taken for another key.
enum HostKeyBlob {
    /// Whether `blob` is one key of `type` and nothing else.
    ///
    /// A type that is not known here need only name itself first.
    static func isWellFormed(_ blob: [UInt8], type: String) -> Bool {
        var rest = blob[...]
        guard let name = string(&rest), name.elementsEqual(type.utf8) else { return false }
        var fields: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            guard let field = string(&rest) else { return false }
            fields.append(field)
        }
        return hasFields(fields, type: type)
    }

    private static func hasFields(_ fields: [ArraySlice<UInt8>], type: String) -> Bool {
        switch type {
        case "ssh-ed25519":  // RFC 8709 section 4
            fields.count == 1 && fields[0].count == 32
        case "ssh-rsa":  // RFC 4253 section 6.6: e, n
            fields.count == 2 && fields.allSatisfy(isPositive)
        case "ssh-dss":  // p, q, g, y
            fields.count == 4 && fields.allSatisfy(isPositive)
        case "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521":  // RFC 5656 section 3.1
            fields.count == 2 && isPoint(fields[1], curve: fields[0], type: type)
        default:
            !fields.isEmpty
        }
    }

    private static func isPositive(_ integer: ArraySlice<UInt8>) -> Bool {
        guard let first = integer.first else { return false }
        return first < 0x80
    }

    /// An uncompressed point (SEC 1 section 2.3.3) of the size that the curve has.
    private static func isPoint(_ point: ArraySlice<UInt8>, curve: ArraySlice<UInt8>, type: String) -> Bool {
        guard type.utf8.suffix(8).elementsEqual(curve), point.first == 4 else { return false }
        let coordinate = type.hasSuffix("256") ? 32 : type.hasSuffix("384") ? 48 : 66
        return point.count == 1 + 2 * coordinate
    }

    /// Takes a string of RFC 4251 section 5 off the front.
    private static func string(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= 4 else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - 4 >= length else { return nil }
        defer { bytes = bytes.dropFirst(4 + length) }
        return bytes.dropFirst(4).prefix(length)
    }
}
