internal import CLibSSH2
internal import CPayloadTap

/// One libssh2_userauth_publickey call, and the link between its signature callback and an asynchronous signer.
///
/// The callback first records the data to be signed and returns EAGAIN; libssh2 keeps its state. When the signature is there the
/// same call is repeated, and the callback returns it. Confined to its session.
final class PublicKeyAttempt {
    private let raw: OpaquePointer
    private let user: String
    private let offer: PublicKeyOffer
    /// The callback's abstract: a pointer to a pointer to this object.
    private let abstract = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    private var data: [UInt8]?
    private var signature: [UInt8]?
    /// Whether signing failed.
    private(set) var isRefused = false

    init(raw: OpaquePointer, user: String, offer: PublicKeyOffer) {
        self.raw = raw
        self.user = user
        self.offer = offer
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

    /// The call; 1 when it waits for a signature.
    func call() -> Int {
        let code = offer.blob.withUnsafeBufferPointer { blob in
            libssh2_userauth_publickey(raw, user, blob.baseAddress, blob.count, Self.callback, abstract)
        }
        return code == LIBSSH2_ERROR_EAGAIN && dataToSign != nil ? 1 : Int(code)
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

/// The blob and the signature algorithm with which to offer a key to a server.
package struct PublicKeyOffer: Sendable {
    /// The key as passed to libssh2, which takes the algorithm name of the request from its first string.
    let blob: [UInt8]
    /// The signature algorithm, or nil where libssh2 chooses one and names it in the data to be signed.
    package let algorithm: String?

    /// Every key type but RSA names its algorithm.
    init(_ key: SSHPublicKey) {
        blob = key.blob
        let isRSA = PublicKeyAlgorithm.plain(key.algorithm) == PublicKeyAlgorithm.rsa
        algorithm = isRSA && Library.knowsRSASHA2 ? nil : key.algorithm
    }

    /// An RSA key under the name of a SHA-2 algorithm, for a libssh2 that knows none (before 1.11).
    ///
    /// RFC 8332 keeps `ssh-rsa` in the blob; OpenSSH's server accepts this spelling too.
    init(rsa key: SSHPublicKey, algorithm: String) {
        var blob: [UInt8] = []
        withUnsafeBytes(of: UInt32(algorithm.utf8.count).bigEndian) { blob.append(contentsOf: $0) }
        blob.append(contentsOf: algorithm.utf8)
        blob.append(contentsOf: key.blob.dropFirst(4 + "ssh-rsa".utf8.count))
        self.blob = blob
        self.algorithm = algorithm
    }

    /// The algorithm that the data to be signed names (RFC 4252 section 7).
    static func algorithm(in data: [UInt8]) -> String? {
        var reader = SSHWireReader(data)
        guard (try? reader.string()) != nil, (try? reader.byte()) == 50, (try? reader.string()) != nil,
            (try? reader.string()) != nil, (try? reader.string()) != nil, (try? reader.boolean()) != nil,
            let name = try? reader.string()
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
