/// A password or passphrase. It is overwritten when its last copy is released, and is never shown, compared, hashed or encoded.
///
/// A `String` that a secret was made from stays in memory until the program reuses the memory. To avoid that, pass the bytes
/// from their source directly to ``init(bytes:)``.
public struct SSHSecret: Sendable {
    let storage: SecretBytes

    /// Makes a secret of the text's UTF-8 bytes, as SSH sends passwords (RFC 4252 section 8).
    public init(_ text: String) { storage = SecretBytes(copying: text.utf8) }

    /// Makes a secret of bytes that need not be text.
    public init(bytes: some Collection<UInt8>) { storage = SecretBytes(copying: bytes) }

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Whether the secret is empty.
    public var isEmpty: Bool { storage.count == 0 }

    /// Whether two secrets have the same bytes. Not constant-time: do not use it to check an attacker's guesses.
    package func hasBytes(of other: SSHSecret) -> Bool {
        storage === other.storage || withBytes { ours in other.withBytes { ours.elementsEqual($0) } }
    }

    /// Gives `body` the bytes. The pointer is valid only while `body` runs.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withBytes(body)
    }

    /// Gives `body` a copy of the bytes and overwrites the copy afterwards. `body` must not keep it.
    package func withArray<Result, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withArray(body)
    }
}

extension SSHSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text that does not depend on the secret.
    public var description: String { "Secret(redacted)" }

    /// A fixed text that does not depend on the secret.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows no content.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
