extension SSHPublicKey {
    /// Reads a line of a `.pub` or `authorized_keys` file (sshd(8), AUTHORIZED_KEYS FILE FORMAT), with or without options
    /// before the key and a line end after it.
    ///
    /// - Throws: ``SSHPublicKeyError`` when the line holds no key, or one whose name does not fit its data.
    public init(line: String) throws(SSHPublicKeyError) {
        let bytes = Array(line.utf8).drop(while: Self.isSpace)
        do {
            self = try Self.key(at: bytes)
        } catch {
            // Options may hold anything in quotes, so a line is first taken as one without them.
            let afterOptions = bytes.dropFirst(Self.optionsLength(bytes)).drop(while: Self.isSpace)
            guard !afterOptions.isEmpty, let key = try? Self.key(at: afterOptions) else { throw error }
            self = key
        }
    }

    private static func key(at bytes: ArraySlice<UInt8>) throws(SSHPublicKeyError) -> SSHPublicKey {
        let name = bytes.prefix { !isSpace($0) }
        let rest = bytes.dropFirst(name.count).drop(while: isSpace)
        let encoded = rest.prefix { !isSpace($0) }
        guard !name.isEmpty, !encoded.isEmpty else { throw SSHPublicKeyError("the line is not an algorithm and a key") }
        guard let blob = Base64.decode(encoded) else { throw SSHPublicKeyError("the key is not base64") }
        var comment = rest.dropFirst(encoded.count).drop(while: isSpace)
        while let last = comment.last, isSpace(last) { comment = comment.dropLast() }
        let key = try SSHPublicKey(blob: blob, comment: String(decoding: comment, as: UTF8.self))
        guard key.algorithm.utf8.elementsEqual(name) else {
            throw SSHPublicKeyError("the line's algorithm is not the key's (\(key.algorithm))")
        }
        return key
    }

    /// Up to the first space outside quotes; `\"` inside them does not end them.
    private static func optionsLength(_ bytes: ArraySlice<UInt8>) -> Int {
        var quoted = false
        var escaped = false
        for (offset, byte) in bytes.enumerated() {
            if escaped {
                escaped = false
            } else if quoted, byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if !quoted, isSpace(byte) {
                return offset
            }
        }
        return bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
