/// Which names a host may have. Names become arguments of ProxyCommand, file names and lines of output. So characters that a
/// shell, a path or a terminal would interpret are refused, as ssh(1) refuses them.
enum HostName {
    /// The most bytes in a name.
    static let maximumLength = 1024

    /// The text itself if it consists only of the characters of ordinary names: no user, no port, no IPv6 address.
    static func plain(_ text: String) -> String? {
        var name = text
        return name.withUTF8(isPlain) ? text : nil
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count <= maximumLength, first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
            return false
        }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "-._".utf8.contains($0) }
    }

    /// Why a name is invalid, as a phrase that follows "it"; nil if the name is valid.
    static func reasonAgainst(_ name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name == "." || name == ".." { return "is a directory's name" }
        if name.utf8.count > maximumLength { return "is longer than \(maximumLength) bytes" }
        switch name.utf8.first {
        case UInt8(ascii: "-"): return "begins with a -"
        case UInt8(ascii: "@"), UInt8(ascii: "~"): return "begins with a \(name.prefix(1))"
        default: break
        }
        for scalar in name.unicodeScalars {
            switch scalar {
            case " ", "\t", "\n", "\r": return "contains a blank"
            case ",", "!", "&", "^", "*", "?", "[", "]", "@", "'", "\"", "`", "$", "\\", ";", "<", ">", "|", "(", ")", "{", "}",
                "/", "#":
                return "contains \(scalar)"
            // Fast path, because looking up a character's properties is slow.
            case "!"..."~": break
            default:
                let properties = scalar.properties
                if properties.generalCategory == .control || properties.generalCategory == .format
                    || properties.isWhitespace
                {
                    return "contains a control character or a blank"
                }
            }
        }
        if name.utf8.contains(UInt8(ascii: ":")), !IPv6.isAddress(name) {
            return "contains a colon that is neither a port's nor an address's"
        }
        return nil
    }

    /// Refuses an invalid host name.
    static func check(_ name: String) throws(HostSetProblem) {
        guard plain(name) == nil, let reason = reasonAgainst(name) else { return }
        throw HostSetProblem(.notAHost, "\"\(HostSetProblem.shown(name))\" cannot be the name of a host: it \(reason).")
    }

    /// Whether the text may be the user before the `@`.
    static func isUser(_ name: String) -> Bool {
        if plain(name) != nil { return true }
        guard !name.isEmpty, !name.hasPrefix("-") else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "'", "\"", "`", "$", "\\", ";", "<", ">", "|", "(", ")", "{", "}", "&", "*", "?", "!", "^", "[", "]", ",", "/":
                return false
            default: return !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
            }
        }
    }

    /// Splits `name:port`, `[address]:port`, `[address]`, `name` or a bare address into name and port.
    static func split(_ text: Substring) throws(HostSetProblem) -> (name: String, port: Int?) {
        let bytes = text.utf8
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else {
                throw HostSetProblem(.syntax, "The ] after the address is missing in \"\(HostSetProblem.shown(String(text)))\".")
            }
            let name = String(text[bytes.index(after: text.startIndex)..<close])
            let rest = text[bytes.index(after: close)...]
            if rest.isEmpty { return (name, nil) }
            guard rest.utf8.first == UInt8(ascii: ":") else {
                throw HostSetProblem(
                    .syntax, "After ] only a colon and a port can follow: \"\(HostSetProblem.shown(String(rest)))\".")
            }
            return (name, try port(rest[rest.utf8.index(after: rest.startIndex)...]))
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return (String(text), nil) }
        let rest = text[bytes.index(after: colon)...]
        // An address has more than one colon.
        guard !rest.isEmpty, rest.utf8.allSatisfy(isDigit) else { return (String(text), nil) }
        return (String(text[..<colon]), try port(rest))
    }

    private static func port(_ text: Substring) throws(HostSetProblem) -> Int {
        guard text.utf8.allSatisfy(isDigit), let port = Int(text), (1...65535).contains(port)
        else {
            throw HostSetProblem(
                .notAHost, "\"\(HostSetProblem.shown(String(text)))\" is not a port.", remedy: "Ports are 1 to 65535.")
        }
        return port
    }
}

/// IPv6 addresses as text (RFC 4291, section 2.2), with a zone as in RFC 4007.
enum IPv6 {
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 128 else { return false }
        var text = text
        return text.withUTF8 { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: "%")) ?? bytes.count
            // A zone must not be empty.
            return end != bytes.count - 1 && isAddress(bytes[..<end])
        }
    }

    private static func isAddress(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let colon = UInt8(ascii: ":")
        var groups = 0
        var isShortened = bytes.starts(with: [colon, colon])
        var index = bytes.startIndex + (isShortened ? 2 : 0)
        while index < bytes.endIndex {
            let start = index
            while index < bytes.endIndex, isHexadecimal(bytes[index]) { index += 1 }
            if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
                guard isIPv4(bytes[start...]) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            if index == bytes.endIndex { break }
            guard bytes[index] == colon, index + 1 < bytes.endIndex else { return false }
            index += 1
            if bytes[index] == colon {
                if isShortened { return false }
                isShortened = true
                index += 1
            }
        }
        return isShortened ? groups < 8 : groups == 8
    }

    private static func isIPv4(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(isDigit)
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
            }
    }
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}
