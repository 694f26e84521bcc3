import Crypto

/// A public key as SSH sends it: an algorithm and a blob that begins with its name (RFC 4253 section 6.6).
///
/// Ed25519, ECDSA and RSA keys are checked when they are made. A key of another kind, a security key or a certificate
/// for example, is kept as it is, so that it can be named and listed. Two keys are equal when their blobs are, whatever
/// their comments.
public struct SSHPublicKey: Sendable {
    /// The name in the blob, `ssh-ed25519` or `ssh-rsa` for example.
    public let algorithm: String
    /// The key in the wire format.
    public let blob: [UInt8]
    /// What follows the key in a `.pub` line, or what an agent says of it.
    ///
    /// Text from outside: escape it before showing.
    public let comment: String
    /// The key's size as `ssh-keygen -l` counts it, where the kind is known.
    public let bits: Int?

    /// Reads a blob.
    ///
    /// - Throws: ``SSHPublicKeyError`` when it is cut off, has bytes left over, or its numbers cannot be such a key's.
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

    /// The kind of key in OpenSSH's words: `ED25519`, `ECDSA`, `RSA`, `DSA`, `ED25519-SK`, `ECDSA-SK`, with `-CERT` for a
    /// certificate; the algorithm's own name for an unknown kind.
    public var displayName: String { PublicKeyAlgorithm.displayName(of: algorithm) }

    /// The key as a line for `authorized_keys`, without a line end.
    public var authorizedKeysLine: String {
        algorithm + " " + Base64.encode(blob) + (comment.isEmpty ? "" : " " + comment)
    }
}

extension SSHPublicKey: Hashable {
    /// Compares blobs; comments do not count.
    public static func == (one: Self, other: Self) -> Bool { one.blob == other.blob }

    /// Hashes the blob.
    public func hash(into hasher: inout Hasher) { hasher.combine(blob) }
}

extension SSHPublicKey: CustomStringConvertible {
    /// As `ssh-keygen -l` prints a key: bits, fingerprint, comment and kind.
    public var description: String {
        "\(bits.map(String.init) ?? "?") \(fingerprint) \(comment.isEmpty ? "no comment" : comment) (\(displayName))"
    }
}
