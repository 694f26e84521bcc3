#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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

/// Overwrites memory in a way that the optimiser may not remove.
package func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count > 0 else { return }
    #if canImport(Darwin)
        _ = memset_s(start, memory.count, 0, memory.count)
    #else
        explicit_bzero(start, memory.count)
    #endif
}

/// Overwrites an array in place. If the array's storage is shared, only a copy is overwritten.
package func wipe<Element: BitwiseCopyable>(_ array: inout [Element]) {
    array.withUnsafeMutableBytes { wipe($0) }
}

/// Bytes that are overwritten when their last owner releases them, and that no description shows.
package final class SecretBytes: Sendable {
    // Written by `init` only, read-only afterwards, and freed in `deinit`, when no other thread can hold it.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes in use; the memory may be larger.
    let count: Int

    /// Allocates `capacity` zero bytes and lets `fill` write them. `fill` returns how many bytes are in use.
    package init<Failure: Error>(
        capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        do {
            count = try fill(memory)
            precondition(count <= capacity)
            self.memory = memory
        } catch {
            wipe(memory)
            memory.deallocate()
            throw error
        }
    }

    package convenience init(copying bytes: some Collection<UInt8>) {
        self.init(capacity: bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    deinit {
        wipe(memory)
        memory.deallocate()
    }

    private var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory.baseAddress, count: count) }

    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(content)
    }

    /// Gives `body` a copy as an array, and overwrites the copy afterwards.
    ///
    /// `body` must not keep the array or a slice of it.
    package func withArray<Result, Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Result) throws(Failure) -> Result {
        var copy = [UInt8](content)
        defer { wipe(&copy) }
        return try body(copy)
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SecretBytes(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
