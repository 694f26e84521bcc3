import Crypto

/// A public key as SSH sends it: an algorithm and a blob that begins with its name (RFC 4253 section 6.6).
///
/// The initializer checks Ed25519, ECDSA and RSA keys. A key of another type, such as a security key or a certificate, is kept
/// unchecked, so that it can be named and listed. Two keys are equal if their blobs are equal; comments do not matter.
public struct SSHPublicKey: Sendable {
    /// The name in the blob, `ssh-ed25519` or `ssh-rsa` for example.
    public let algorithm: String
    /// The key in the wire format.
    public let blob: [UInt8]
    /// The comment of a `.pub` line, or an agent's comment for the key.
    ///
    /// Untrusted text: escape it before showing it.
    public let comment: String
    /// The key's size as `ssh-keygen -l` counts it; nil for an unknown type.
    public let bits: Int?

    /// Reads a blob.
    ///
    /// - Throws: ``SSHPublicKeyError`` if the blob is truncated, has trailing bytes, or has numbers that are not valid for its
    ///   type.
    public init(blob: some Collection<UInt8>, comment: String = "") throws(SSHPublicKeyError) {
        let bytes = Array(blob)
        do {
            (algorithm, bits) = try Self.inspect(bytes)
        } catch let error as SSHPublicKeyError {
            throw error
        } catch {
            throw SSHPublicKeyError("the key data is cut off or damaged")
        }
        self.blob = bytes
        self.comment = comment
    }

    /// `SHA256:` and the unpadded base64 digest of the blob, as OpenSSH prints it.
    public var fingerprint: String { "SHA256:" + Base64.encode(SHA256.hash(data: blob).map { $0 }, padded: false) }

    /// The key type as OpenSSH names it: `ED25519`, `ECDSA`, `RSA`, `DSA`, `ED25519-SK`, `ECDSA-SK`, with `-CERT` for a
    /// certificate. For an unknown type, the algorithm's own name.
    public var displayName: String { PublicKeyAlgorithm.displayName(of: algorithm) }

    /// The key as a line for `authorized_keys`, without a line end.
    public var authorizedKeysLine: String {
        algorithm + " " + Base64.encode(blob) + (comment.isEmpty ? "" : " " + comment)
    }
}

extension SSHPublicKey: Hashable {
    /// Compares the blobs, not the comments.
    public static func == (one: Self, other: Self) -> Bool { one.blob == other.blob }

    /// Hashes the blob.
    public func hash(into hasher: inout Hasher) { hasher.combine(blob) }
}

extension SSHPublicKey: CustomStringConvertible {
    /// The key as `ssh-keygen -l` prints it: bits, fingerprint, comment and type.
    public var description: String {
        "\(bits.map(String.init) ?? "?") \(fingerprint) \(comment.isEmpty ? "no comment" : comment) (\(displayName))"
    }
}

extension SSHPublicKey {
    /// The algorithm and size of a well-formed blob.
    static func inspect(_ blob: [UInt8]) throws -> (algorithm: String, bits: Int?) {
        var reader = SSHWireReader(blob)
        let algorithm = try reader.text()
        guard !algorithm.isEmpty, algorithm.utf8.count <= 64, algorithm.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SSHPublicKeyError("the algorithm's name is not valid (RFC 4250 section 4.6.1)")
        }
        let bits: Int?
        switch algorithm {
        case PublicKeyAlgorithm.ed25519:
            guard try reader.string().count == 32 else { throw SSHPublicKeyError("an Ed25519 key has 32 bytes") }
            bits = 256
        case PublicKeyAlgorithm.rsa:
            let exponent = try reader.mpint()
            let modulus = try reader.mpint()
            guard !exponent.isEmpty, !modulus.isEmpty else { throw SSHPublicKeyError("an RSA key of zero") }
            bits = bitCount(of: modulus)
        case PublicKeyAlgorithm.dsa:
            bits = bitCount(of: try reader.mpint())
            for _ in 0..<3 { _ = try reader.mpint() }
        default:
            guard let curve = EllipticCurve(algorithm: algorithm) else {
                return (algorithm, PublicKeyAlgorithm.isSecurityKey(algorithm) ? 256 : nil)
            }
            guard try reader.text() == curve.rawValue else { throw SSHPublicKeyError("its curve is not its algorithm's") }
            let point = try reader.string()
            guard point.count == 1 + 2 * curve.byteCount, point.first == 4 else {
                throw SSHPublicKeyError("its point is not an uncompressed one of \(curve.rawValue) (RFC 5656 section 3.1)")
            }
            bits = curve.bits
        }
        try reader.expectEnd()
        return (algorithm, bits)
    }

    /// The number of bits of a big-endian number without leading zero bytes.
    package static func bitCount(of magnitude: ArraySlice<UInt8>) -> Int {
        guard let first = magnitude.first else { return 0 }
        return magnitude.count * 8 - first.leadingZeroBitCount
    }
}

extension SSHPublicKey {
    /// Reads a line of a `.pub` or `authorized_keys` file (sshd(8), AUTHORIZED_KEYS FILE FORMAT), with or without options
    /// before the key and a line end after it.
    ///
    /// - Throws: ``SSHPublicKeyError`` if the line holds no key, or a key whose name does not match its data.
    public init(line: String) throws(SSHPublicKeyError) {
        let bytes = Array(line.utf8).drop(while: Self.isSpace)
        do {
            self = try Self.key(at: bytes)
        } catch {
            // Options may contain anything in quotes. So the line is first read as one without options.
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

/// Why a line or a blob is not a public key.
public struct SSHPublicKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error, in a few words.
    public let detail: String

    init(_ detail: String) { self.detail = detail }

    /// The detail.
    public var description: String { detail }
}

/// The three curves of RFC 5656 section 10.1, under the names that SSH and ASN.1 give them.
package enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "nistp256"
    case p384 = "nistp384"
    case p521 = "nistp521"

    /// `ecdsa-sha2-nistp256` and so on.
    package var algorithm: String { "ecdsa-sha2-" + rawValue }

    var bits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The number of bytes of a coordinate or a private scalar.
    package var byteCount: Int { (bits + 7) / 8 }

    package init?(algorithm: String) {
        guard let curve = Self.allCases.first(where: { $0.algorithm == algorithm }) else { return nil }
        self = curve
    }
}
