/// A password or passphrase: overwritten when its last copy goes, never shown, compared, hashed or encoded.
///
/// A `String` that a secret was made from stays in memory until the program reuses its place; where that matters, read
/// the bytes from their source straight into ``init(bytes:)``.
public struct SSHSecret: Sendable {
    let storage: SecretBytes

    /// Makes a secret of the text's UTF-8 bytes, as SSH sends passwords (RFC 4252 section 8).
    public init(_ text: String) { storage = SecretBytes(copying: text.utf8) }

    /// Makes a secret of bytes that need not be text.
    public init(bytes: some Collection<UInt8>) { storage = SecretBytes(copying: bytes) }

    /// How many bytes it has.
    public var count: Int { storage.count }

    /// Whether it has no bytes.
    public var isEmpty: Bool { storage.count == 0 }

    /// Whether another has the same bytes. Not constant-time: do not use it on an attacker's guesses.
    package func hasBytes(of other: SSHSecret) -> Bool {
        storage === other.storage || withBytes { ours in other.withBytes { ours.elementsEqual($0) } }
    }

    /// Lends the bytes; the pointer is good only while `body` runs.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withBytes(body)
    }

    /// Lends a copy of the bytes, which is overwritten afterwards; `body` must not keep it.
    package func withArray<Result, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withArray(body)
    }
}

extension SSHSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same words, whatever the secret.
    public var description: String { "Secret(redacted)" }

    /// Always the same words, whatever the secret.
    public var debugDescription: String { description }

    /// Shows no children, so that `dump` shows no content.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
