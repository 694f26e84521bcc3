/// Recognises a file's format by its first bytes, so that the error for a file that is not a private key can name the format.
enum KeyFileFormat {
    private static let privateLabels: Set<String> = [
        OpenSSHKeyFormat.label, PKCS8Encryption.label, PEMKeyFormat.pkcs1.rawValue, PEMKeyFormat.sec1.rawValue,
        PEMKeyFormat.pkcs8.rawValue,
    ]

    /// The block to read: the first that is a private key.
    ///
    /// As in OpenSSH, certificates or notes may precede a PEM key, but nothing may precede a key in OpenSSH's format.
    static func privateKeyOpening(in lines: [ArraySlice<UInt8>], of bytes: [UInt8]) throws(KeyDefect) -> Armor.Opening {
        let openings = Armor.openings(in: lines)
        if let opening = openings.first(where: { privateLabels.contains($0.label) }) {
            guard opening.label != OpenSSHKeyFormat.label || opening.line == 1 else {
                throw KeyDefect(
                    .formatInvalid, "The key begins on line \(opening.line); OpenSSH allows nothing before the BEGIN line.")
            }
            return opening
        }
        if let opening = openings.first { throw other(label: opening.label) }
        throw unarmored(bytes)
    }

    private static func other(label: String) -> KeyDefect {
        if label == "DSA PRIVATE KEY" { return .typeUnsupported(PublicKeyAlgorithm.dsa) }
        if label.contains("CERTIFICATE") {
            return KeyDefect(.isPublicKey, "It is an X.509 certificate, not a private key.")
        }
        if label.hasSuffix("PUBLIC KEY") || label.contains("PUBLIC KEY BLOCK") {
            return KeyDefect(
                .isPublicKey, "It is a public key (BEGIN \(printable(label, spaces: true))); the private one is another file.")
        }
        if label.hasPrefix("PGP ") {
            return KeyDefect(
                .formatUnsupported, "It is an OpenPGP key; `gpg --export-ssh-key` and gpg-agent make it usable for SSH.")
        }
        return KeyDefect(.formatUnsupported, "It is a block of \(printable(label, spaces: true)), not a private key for SSH.")
    }

    private static func unarmored(_ bytes: [UInt8]) -> KeyDefect {
        if bytes.starts(with: "PuTTY-User-Key-File-".utf8) {
            return KeyDefect(
                .formatUnsupported,
                "It is a PuTTY key; `puttygen {file} -O private-openssh -o {file}.openssh` converts it.")
        }
        if bytes.starts(with: "---- BEGIN SSH2 PUBLIC KEY".utf8) {
            return KeyDefect(.isPublicKey, "It is a public key in the format of RFC 4716; the private one is another file.")
        }
        if bytes.starts(with: "---- BEGIN SSH2 ".utf8) {
            return KeyDefect(
                .formatUnsupported, "It is a private key of SSH Communications' format; `ssh-keygen -i` may convert it.")
        }
        if bytes.starts(with: "SSH PRIVATE KEY FILE FORMAT 1".utf8) {
            return KeyDefect(.formatUnsupported, "It is a key of SSH protocol 1, which no longer exists.")
        }
        if let publicKey = publicKeyLine(bytes) { return publicKey }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF] + Array("-----BEGIN ".utf8)) {
            return KeyDefect(.formatInvalid, "A byte order mark precedes the BEGIN line; an editor added it.")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return KeyDefect(.formatInvalid, "It is UTF-16 text; save it as plain ASCII.")
        }
        if bytes.starts(with: "-----BEGIN ".utf8) {
            return KeyDefect(
                .formatInvalid, "Line 1 begins a key but does not end as it must: line breaks are lost or the line is cut off.")
        }
        if bytes.starts(with: [0x30, 0x82]) || bytes.starts(with: [0x30, 0x81]) {
            return KeyDefect(
                .formatUnsupported, "It is binary (DER); `openssl pkey -inform DER -in {file} -out {file}.pem` converts it.")
        }
        if bytes.contains(0) { return KeyDefect(.formatInvalid, "It is a binary file, not a private key.") }
        return KeyDefect(.formatInvalid, "It has no BEGIN line of a private key.")
    }

    /// A `.pub` or `authorized_keys` line, or an OpenSSH certificate.
    private static func publicKeyLine(_ bytes: [UInt8]) -> KeyDefect? {
        let line = bytes.split(maxSplits: 1) { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.first ?? []
        guard let key = try? SSHPublicKey(line: String(decoding: line, as: UTF8.self)) else {
            let word = String(decoding: line.prefix { $0 != 0x20 && $0 != 0x09 }.prefix(64), as: UTF8.self)
            guard PublicKeyAlgorithm.isKnown(word) else { return nil }
            return KeyDefect(.isPublicKey, "It is a damaged public key (\(word)); the private one is another file.")
        }
        if PublicKeyAlgorithm.isCertificate(key.algorithm) {
            return KeyDefect(.isPublicKey, "It is a certificate (\(key.displayName)), not a private key.")
        }
        return KeyDefect(
            .isPublicKey,
            "It is a public key (\(key.displayName) \(key.fingerprint)); the private one is usually the file without .pub.")
    }
}

/// One `-----BEGIN …-----` block of a file, decoded (RFC 7468, with the headers of RFC 1421 that OpenSSL still writes).
struct Armor {
    /// The label after BEGIN, `RSA PRIVATE KEY` for example.
    var label: String
    /// `Proc-Type` and `DEK-Info` of an encrypted PEM file.
    var headers: [String: String]
    var body: SecretBytes

    /// The first line of a block, counted from 1, and the block's label.
    struct Opening: Equatable {
        var line: Int
        var label: String
    }

    /// All blocks that begin in the lines.
    static func openings(in lines: [ArraySlice<UInt8>]) -> [Opening] {
        lines.enumerated().compactMap { index, line in
            label(of: line, after: "-----BEGIN ").map { Opening(line: index + 1, label: $0) }
        }
    }

    /// Splits bytes into lines, without line ends (LF, CRLF or CR) and trailing blanks.
    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let feed = UInt8(ascii: "\n")
        let carriageReturn = UInt8(ascii: "\r")
        let separator = bytes.contains(feed) ? feed : carriageReturn
        return bytes.split(separator: separator, omittingEmptySubsequences: false).map { line in
            var line = line
            while let last = line.last, last == carriageReturn || last == 0x20 || last == 0x09 { line = line.dropLast() }
            return line
        }
    }

    private static func label(of line: ArraySlice<UInt8>, after prefix: StaticString) -> String? {
        let dashes = Array("-----".utf8)
        let start = prefix.withUTF8Buffer { Array($0) }
        guard line.starts(with: start), line.suffix(5).elementsEqual(dashes), line.count > start.count + 5 else { return nil }
        return String(decoding: line.dropFirst(start.count).dropLast(5), as: UTF8.self)
    }

    /// Decodes the block that begins at `opening`.
    ///
    /// Text after the END line is ignored, as OpenSSH does.
    init(_ opening: Opening, in lines: [ArraySlice<UInt8>]) throws(KeyDefect) {
        label = opening.label
        var index = opening.line
        headers = [:]
        if index < lines.count, lines[index].contains(UInt8(ascii: ":")) { headers = Self.headers(in: lines, at: &index) }
        let first = index
        while index < lines.count, !lines[index].starts(with: Array("-----".utf8)) { index += 1 }
        guard index < lines.count, let end = Self.label(of: lines[index], after: "-----END ") else {
            throw KeyDefect(
                .formatInvalid, "The file is cut off: the END line of the block that begins on line \(opening.line) is missing.")
        }
        guard end == opening.label else {
            throw KeyDefect(.formatInvalid, "The END line \(index + 1) does not match the BEGIN line \(opening.line).")
        }
        body = try Self.decode(lines[first..<index], firstLine: first + 1)
    }

    /// Reads `name: value` lines up to an empty line, and moves `index` past it.
    private static func headers(in lines: [ArraySlice<UInt8>], at index: inout Int) -> [String: String] {
        var headers: [String: String] = [:]
        while index < lines.count, let colon = lines[index].firstIndex(of: UInt8(ascii: ":")) {
            let value = lines[index][(colon + 1)...].drop { $0 == 0x20 }
            headers[String(decoding: lines[index][..<colon], as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            index += 1
        }
        if index < lines.count, lines[index].isEmpty { index += 1 }
        return headers
    }

    private static func decode(_ lines: ArraySlice<ArraySlice<UInt8>>, firstLine: Int) throws(KeyDefect) -> SecretBytes {
        let characterCount = lines.reduce(0) { $0 + $1.count }
        guard characterCount > 0 else {
            throw KeyDefect(.formatInvalid, "There is nothing between the BEGIN and END lines.")
        }
        return try SecretBytes(capacity: characterCount) { (memory) throws(KeyDefect) in
            var decoder = Base64Decoder()
            var count = 0
            for (offset, line) in lines.enumerated() {
                for character in line {
                    let accepted = decoder.accept(character) { byte in
                        memory[count] = byte
                        count += 1
                    }
                    guard accepted else {
                        throw KeyDefect(.formatInvalid, "Line \(firstLine + offset) is not base64: the file is damaged.")
                    }
                }
            }
            guard decoder.isComplete else {
                throw KeyDefect(
                    .formatInvalid,
                    "The base64 text that ends on line \(firstLine + lines.count - 1) is incomplete: a part is missing.")
            }
            return count
        }
    }
}
