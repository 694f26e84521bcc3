internal import CLibSSH2
internal import CPayloadTap

/// One libssh2_userauth_publickey call, and the link between its signature callback and an asynchronous signer.
///
/// The callback first records the data to be signed and returns EAGAIN; libssh2 keeps its state. When the signature is there the
/// same call is repeated, and the callback returns it. Confined to its session.
final class PublicKeyAttempt {
    private let library: LibrarySession
    private let user: String
    private let blob: [UInt8]
    /// The callback's abstract: a pointer to a pointer to this object.
    private let abstract = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    private var data: [UInt8]?
    private var signature: [UInt8]?
    /// Whether signing failed.
    private(set) var isRefused = false

    /// - Parameter blob: the key as it is offered.
    init(_ library: LibrarySession, user: String, blob: [UInt8]) {
        self.library = library
        self.user = user
        self.blob = blob
        abstract.initialize(to: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { abstract.deallocate() }

    /// Whether libssh2 asked for a signature, which it does when the server has said that it would accept the key.
    var keyWasAccepted: Bool { data != nil }

    /// The data to be signed now, if libssh2 waits for a signature.
    var dataToSign: [UInt8]? { signature == nil && !isRefused ? data : nil }

    /// Gives the second string of the signature blob; libssh2 packs the first, the algorithm's name, itself.
    func answer(with signature: [UInt8]) { self.signature = signature }

    /// Gives up: libssh2 ends the attempt.
    func refuse() { isRefused = true }

    /// What libssh2 has returned when it waits for a signature.
    static let awaitsSignature = 1

    /// The call; ``awaitsSignature`` when it waits for one.
    func call() -> LibraryResult {
        let result = library.result(
            blob.withUnsafeBufferPointer { blob in
                bridge_userauth_publickey(library.raw, user, blob.baseAddress, blob.count, Self.callback, abstract)
            })
        if case .again = result, dataToSign != nil { return .success(Self.awaitsSignature) }
        return result
    }

    private func sign(
        _ data: UnsafeRawBufferPointer, _ signature: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        _ length: UnsafeMutablePointer<Int>
    ) -> Int32 {
        if isRefused { return -1 }
        self.data = Array(data)
        guard let bytes = self.signature else { return LIBSSH2_ERROR_EAGAIN }
        // libssh2 frees it with the session's allocator.
        guard let copy = bridge_tap_alloc(bytes.count, nil) else { return -1 }
        copy.copyMemory(from: bytes, byteCount: bytes.count)
        signature.pointee = copy.assumingMemoryBound(to: UInt8.self)
        length.pointee = bytes.count
        return 0
    }

    private static let callback:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
            UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Int32 = { _, signature, length, data, count, abstract in
            guard let owner = abstract?.pointee, let signature, let length, let data else { return -1 }
            let attempt = Unmanaged<PublicKeyAttempt>.fromOpaque(owner).takeUnretainedValue()
            return attempt.sign(UnsafeRawBufferPointer(start: data, count: count), signature, length)
        }
}
